-- TypeIDs (specification 0.3): user_01h455vb4pex5vsknk084sn02q.
--
-- A pulid holds them as they are: the same text, the same order, 26 characters after the prefix for
-- the 128 bits of a UUID. This is how they come in from what people have used before.
--
-- psql -f examples/typeid.sql, in a database of your own. All is made in the schema typeid.
-- What is to be refused is tried as well, so some statements fail on purpose.

CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE SCHEMA typeid;
SET search_path = typeid;

-- New ones. The specification asks for a body that is a UUIDv7.
CREATE TABLE account (
    id   pulid('acct') PRIMARY KEY DEFAULT pulid_generate_v7('acct'),
    name text NOT NULL
);
INSERT INTO account (name) SELECT 'account ' || n FROM generate_series(1, 1000) n;
SELECT substr(id::uuid::text, 15, 1) AS version, count(*),
       bool_and(substr(id::uuid::text, 20, 1) IN ('8', '9', 'a', 'b')) AS variant,
       bool_and(pulid_timestamp(id) BETWEEN now() - interval '1 hour' AND now() + interval '1 hour')
           AS made_now
FROM account GROUP BY version;

-- To a UUID and back, whatever its version: the vectors of the specification.
SELECT pulid_uuid('prefix_01h455vb4pex5vsknk084sn02q'),
       pulid_from_uuid('prefix', '01890a5d-ac96-774b-bcce-b302099a8057');
SELECT pulid_from_uuid('', '00000000-0000-0000-0000-000000000000') AS nil,
       pulid_from_uuid('', 'ffffffff-ffff-ffff-ffff-ffffffffffff') AS max,
       pulid_from_uuid('pre_fix', '00000000-0000-0000-0000-000000000001') AS underscore;

-- From typeid-sql, whose type is a composite. Stand-ins for its type and for two of its tables:
CREATE TYPE typeid AS ("type" varchar(63), "uuid" uuid);
CREATE TABLE users (id typeid PRIMARY KEY, name text NOT NULL);
CREATE TABLE posts (
    id        typeid PRIMARY KEY,
    author_id typeid NOT NULL CONSTRAINT posts_author_id_fkey REFERENCES users
);
INSERT INTO users VALUES (('user', '01890a5d-ac96-774b-bcce-b302099a8057'), 'Ada'),
                         (('user', '0188bac7-4afa-78aa-bc3b-bd1eef28d881'), 'Bob');
INSERT INTO posts VALUES (('post', '01893d8c-7e80-7000-8000-000000000001'),
                          ('user', '01890a5d-ac96-774b-bcce-b302099a8057'));

-- In one transaction, references included. A row of another type would be refused, not relabelled.
BEGIN;
ALTER TABLE posts DROP CONSTRAINT posts_author_id_fkey;
ALTER TABLE users
    ALTER id TYPE pulid('user') USING pulid_from_uuid((id).type, (id).uuid),
    ALTER id SET DEFAULT pulid_generate_v7('user');
ALTER TABLE posts
    ALTER id TYPE pulid('post') USING pulid_from_uuid((id).type, (id).uuid),
    ALTER id SET DEFAULT pulid_generate_v7('post'),
    ALTER author_id TYPE pulid('user') USING pulid_from_uuid((author_id).type, (author_id).uuid),
    ADD CONSTRAINT posts_author_id_fkey FOREIGN KEY (author_id) REFERENCES users;
COMMIT;
SELECT * FROM users ORDER BY id;
SELECT posts.id, name FROM posts JOIN users ON author_id = users.id;

-- From TypeIDs in text. First, what would not convert? No constraint was there to refuse it.
CREATE TABLE orders (id text PRIMARY KEY, item text NOT NULL);
INSERT INTO orders VALUES
    ('order_01h455vb4pex5vsknk084sn02q', 'lamp'),
    ('order_01h2xcejqtf2nbrexx3vqjhp41', 'desk'),
    ('order_8h2xcejqtf2nbrexx3vqjhp41v', 'more than 128 bits'),
    ('user_01h455vb4pex5vsknk084sn02q', 'an id of a user');
SELECT * FROM orders WHERE NOT pulid_is_valid(id, 'order') ORDER BY id;
ALTER TABLE orders ALTER id TYPE pulid('order') USING id::pulid; -- nothing happens
DELETE FROM orders WHERE NOT pulid_is_valid(id, 'order');
ALTER TABLE orders ALTER id TYPE pulid('order') USING id::pulid;
SELECT *, pulid_timestamp(id) AT TIME ZONE 'UTC' AS made_at FROM orders ORDER BY id;
RESET search_path;
