-- An opaque public id beside an internal key.
--
-- Inside, tables are joined on a bigint that nobody outside ever sees. Outside, in URLs and
-- letters, a customer has a public id. Its body is of version 4: it reveals its prefix, and neither
-- when the customer was made (pulid_generate would) nor how many there are. It can be exchanged for
-- another one at any time, because nothing else hangs on it.
--
-- psql -f examples/public_id.sql, in a database of your own. All is made in the schema public_id.
-- What is to be refused is tried as well, so some statements fail on purpose.

CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE SCHEMA public_id;
SET search_path = public_id;

CREATE TABLE account (
    account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL
);
CREATE TABLE customer (
    customer_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id  bigint NOT NULL REFERENCES account,
    public_id   pulid('cus') NOT NULL DEFAULT pulid_generate_v4('cus'),
    name        text NOT NULL,
    CONSTRAINT customer_public_id_key UNIQUE (public_id)
);
CREATE TABLE "order" (
    order_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customer,
    item        text NOT NULL
);

INSERT INTO account (name) VALUES ('Acme'), ('Umbrella');
INSERT INTO customer (account_id, public_id, name) VALUES
    (1, 'cus_2vs3xvsff582cr2s6r76fqcz25', 'Ada'),
    (2, 'cus_6qdn1k1wa49fnb1g8zvv5s3khq', 'Bob');
INSERT INTO customer (account_id, name) VALUES (1, 'Cyd'); -- the default makes the public id
INSERT INTO "order" (customer_id, item) VALUES (1, 'lamp'), (1, 'desk'), (2, 'chair');

-- A default is a UUID of version 4 behind its prefix.
SELECT pulid_prefix(public_id) AS prefix, substr(public_id::uuid::text, 15, 1) AS version
FROM customer WHERE name = 'Cyd';

-- Look up by public id and account: an id that leaks is worth nothing in another account.
SELECT name FROM customer WHERE public_id = 'cus_2vs3xvsff582cr2s6r76fqcz25' AND account_id = 1;
SELECT name FROM customer WHERE public_id = 'cus_2vs3xvsff582cr2s6r76fqcz25' AND account_id = 2;

-- Joins do not know of it.
SELECT customer.public_id, item
FROM customer JOIN "order" USING (customer_id)
WHERE customer.public_id = 'cus_2vs3xvsff582cr2s6r76fqcz25' AND account_id = 1
ORDER BY order_id;

-- No two customers have the same, and no other kind of id gets in.
INSERT INTO customer (account_id, public_id, name)
VALUES (2, 'cus_2vs3xvsff582cr2s6r76fqcz25', 'Eve');
INSERT INTO customer (account_id, public_id, name)
VALUES (2, 'ord_2vs3xvsff582cr2s6r76fqcz25', 'Eve');

-- Rotation. The old id is the condition, so of two that come at once one finds no row; an UPDATE
-- that did not touch exactly one row is an error to the caller.
CREATE FUNCTION rotate_public_id(old_id pulid, account bigint) RETURNS pulid
LANGUAGE plpgsql SET search_path = public_id, pg_temp AS $$
DECLARE
    new_id pulid('cus');
BEGIN
    UPDATE customer SET public_id = DEFAULT
    WHERE public_id = old_id AND account_id = account
    RETURNING public_id INTO STRICT new_id;
    RETURN new_id;
END $$;

SELECT rotate_public_id('cus_2vs3xvsff582cr2s6r76fqcz25', 1) AS new_id \gset
SELECT name FROM customer WHERE public_id = :'new_id' AND account_id = 1;
SELECT count(*) FROM customer WHERE public_id = 'cus_2vs3xvsff582cr2s6r76fqcz25';
SELECT item FROM "order" JOIN customer USING (customer_id) WHERE public_id = :'new_id' ORDER BY 1;
SELECT rotate_public_id('cus_2vs3xvsff582cr2s6r76fqcz25', 1); -- it is not there any more
SELECT rotate_public_id('cus_6qdn1k1wa49fnb1g8zvv5s3khq', 1); -- another account's customer

-- With aliases: every id that was ever issued is reserved here, once, and leads to its customer for
-- ever. Triggers keep it so, whoever writes.
CREATE TABLE customer_alias (
    public_id   pulid('cus') PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customer
);
INSERT INTO customer_alias SELECT public_id, customer_id FROM customer;

CREATE FUNCTION reserve_public_id() RETURNS trigger
LANGUAGE plpgsql SET search_path = public_id, pg_temp AS $$
BEGIN
    INSERT INTO customer_alias VALUES (NEW.public_id, NEW.customer_id);
    RETURN NULL;
END $$;
CREATE TRIGGER reserve_first AFTER INSERT ON customer
    FOR EACH ROW EXECUTE FUNCTION reserve_public_id();
CREATE TRIGGER reserve_next AFTER UPDATE OF public_id ON customer
    FOR EACH ROW WHEN (OLD.public_id <> NEW.public_id) EXECUTE FUNCTION reserve_public_id();

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'an id that was issued stays with its customer';
END $$;
CREATE TRIGGER refuse BEFORE UPDATE OR DELETE OR TRUNCATE ON customer_alias
    EXECUTE FUNCTION refuse();

-- Rotated, and found by the old id.
SELECT rotate_public_id('cus_6qdn1k1wa49fnb1g8zvv5s3khq', 2) AS bobs_id \gset
SELECT name, customer.public_id = :'bobs_id' AS has_new_id
FROM customer_alias alias JOIN customer USING (customer_id)
WHERE alias.public_id = 'cus_6qdn1k1wa49fnb1g8zvv5s3khq' AND account_id = 2;

-- Never given to another, nor to the same one again, and never forgotten.
INSERT INTO customer (account_id, public_id, name)
VALUES (2, 'cus_6qdn1k1wa49fnb1g8zvv5s3khq', 'Eve');
UPDATE customer SET public_id = 'cus_6qdn1k1wa49fnb1g8zvv5s3khq' WHERE name = 'Ada';
UPDATE customer SET public_id = 'cus_6qdn1k1wa49fnb1g8zvv5s3khq' WHERE name = 'Bob';
UPDATE customer_alias SET customer_id = 1;
DELETE FROM customer_alias;
SELECT name, count(*) AS ids
FROM customer JOIN customer_alias USING (customer_id) GROUP BY name ORDER BY name;

-- The same for those who keep text: the CHECK says what the type said.
CREATE TABLE member (
    member_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    public_id text COLLATE "C" NOT NULL DEFAULT pulid_generate_v4('mem')
              CONSTRAINT member_public_id_check CHECK (pulid_is_canonical(public_id, 'mem')),
    CONSTRAINT member_public_id_key UNIQUE (public_id)
);
INSERT INTO member (public_id) VALUES ('mem_2vs3xvsff582cr2s6r76fqcz25'), (DEFAULT);
INSERT INTO member (public_id) VALUES ('mem_2vs3xvsff582cr2s6r76fqcz25');
INSERT INTO member (public_id) VALUES ('MEM_2VS3XVSFF582CR2S6R76FQCZ25');
INSERT INTO member (public_id) VALUES ('cus_2vs3xvsff582cr2s6r76fqcz25');
UPDATE member SET public_id = DEFAULT WHERE public_id = 'mem_2vs3xvsff582cr2s6r76fqcz25';
SELECT count(*) FROM member WHERE pulid_is_canonical(public_id, 'mem');
RESET search_path;
