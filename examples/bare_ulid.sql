-- ULIDs without a prefix: pulid('').
--
-- psql -f examples/bare_ulid.sql, in a database of your own. All is made in the schema bare_ulid.
-- What is to be refused is tried as well, so some statements fail on purpose.

CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE SCHEMA bare_ulid;
SET search_path = bare_ulid;

-- Tokens of invitations and of password resets. With a prefix, whoever sees a link in a log would
-- know which kind it is; without one they look alike. A version 4 body, because a token must not
-- reveal when it was made either, and 122 random bits are hopeless to guess in an hour.
CREATE TABLE invite (
    token      pulid('') PRIMARY KEY DEFAULT pulid_generate_v4(''),
    email      text NOT NULL,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '7 days'
);
CREATE TABLE password_reset (
    token      pulid('') PRIMARY KEY DEFAULT pulid_generate_v4(''),
    email      text NOT NULL,
    expires_at timestamptz NOT NULL DEFAULT now() + interval '1 hour'
);
INSERT INTO invite (email) VALUES ('ada@example.org') RETURNING token \gset
SELECT :'token' ~ '^[0-7][0-9a-hjkmnp-tv-z]{25}$' AS bare;

-- Used once: the row that proves it is gone with it.
DELETE FROM invite WHERE token = :'token' AND expires_at > now() RETURNING email;
DELETE FROM invite WHERE token = :'token' AND expires_at > now() RETURNING email;

-- What comes from a client is parsed first; junk is "no such token", not an error.
SELECT email FROM password_reset WHERE token = pulid_try_parse('; DROP TABLE invite', '');

-- A token of another kind of id does not get in.
INSERT INTO invite VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'eve@example.org');

-- A system that knows ULIDs writes them in upper case. They are taken as they come, and given back
-- as it wants them.
CREATE TABLE event (id pulid('') PRIMARY KEY DEFAULT pulid_generate(), what text NOT NULL);
INSERT INTO event VALUES ('01ARZ3NDEKTSV4RRFFQ69G5FAV', 'from elsewhere');
SELECT id, upper(id::text) AS as_elsewhere FROM event WHERE id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

-- Ten thousand products with reviews, to convert.
CREATE TABLE product (id pulid('') PRIMARY KEY DEFAULT pulid_generate(), name text NOT NULL);
CREATE TABLE review (
    id         pulid('') PRIMARY KEY DEFAULT pulid_generate(),
    product_id pulid('') NOT NULL CONSTRAINT review_product_id_fkey REFERENCES product
);
INSERT INTO product
SELECT pulid_from_uuid(md5(n::text)::uuid), 'product ' || n FROM generate_series(1, 10000) n;
INSERT INTO review (product_id) SELECT id FROM product;
ANALYZE product;

-- A page of a list goes on where the last one ended. The primary key serves it, from the first page
-- to the last, without counting the rows before.
PREPARE page(pulid) AS SELECT id, name FROM product WHERE id > $1 ORDER BY id LIMIT 3;
EXECUTE page('00000000000000000000000000');
EXECUTE page('000sr7x96d2c4j9d46jer5cdvf');
EXPLAIN (COSTS OFF) EXECUTE page('000sr7x96d2c4j9d46jer5cdvf');
DEALLOCATE page;

-- To prefixed ids, with every reference, in one transaction: either all is converted or nothing.
-- The bodies stay as they are. (The tables are rewritten under a lock.)
BEGIN;
ALTER TABLE review DROP CONSTRAINT review_product_id_fkey;
ALTER TABLE product
    ALTER id DROP DEFAULT,
    ALTER id TYPE pulid('prd') USING pulid_with_prefix(id, 'prd'),
    ALTER id SET DEFAULT pulid_generate('prd');
ALTER TABLE review ALTER product_id TYPE pulid('prd') USING pulid_with_prefix(product_id, 'prd');
ALTER TABLE review
    ADD CONSTRAINT review_product_id_fkey FOREIGN KEY (product_id) REFERENCES product;
COMMIT;

SELECT count(*) FROM review JOIN product ON product_id = product.id
WHERE pulid_has_prefix(product_id, 'prd');
INSERT INTO product (id, name) VALUES ('01jq3v8f6a7b2c8d9e0f1g2h3j', 'a bare id'); -- not any more

PREPARE page(pulid) AS SELECT id, name FROM product WHERE id > $1 ORDER BY id LIMIT 3;
EXECUTE page('prd_000sr7x96d2c4j9d46jer5cdvf');
EXPLAIN (COSTS OFF) EXECUTE page('prd_000sr7x96d2c4j9d46jer5cdvf');
DEALLOCATE page;

-- And back.
BEGIN;
ALTER TABLE review DROP CONSTRAINT review_product_id_fkey;
ALTER TABLE product
    ALTER id DROP DEFAULT,
    ALTER id TYPE pulid('') USING pulid_strip_prefix(id),
    ALTER id SET DEFAULT pulid_generate();
ALTER TABLE review ALTER product_id TYPE pulid('') USING pulid_strip_prefix(product_id);
ALTER TABLE review
    ADD CONSTRAINT review_product_id_fkey FOREIGN KEY (product_id) REFERENCES product;
COMMIT;

-- The same ids as in the beginning.
SELECT count(*) FROM product
WHERE id = pulid_from_uuid(md5(substr(name, 9))::uuid) AND pulid_has_prefix(id, '');
SELECT count(*) FROM review JOIN product ON product_id = product.id;
RESET search_path;
