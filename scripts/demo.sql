\set VERBOSITY default
\set QUIET on
\pset pager off
\set SHOW_CONTEXT never
\echo
\echo '-- 1. A shop. Each key carries its prefix in its type; the default makes the ids.'
\echo
CREATE EXTENSION prefixed_ulid;

CREATE TABLE product (
    id    pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
    name  text NOT NULL,
    price numeric(8, 2) NOT NULL
);

CREATE TABLE customer (
    id   pulid('cus') PRIMARY KEY DEFAULT pulid_generate('cus'),
    name text NOT NULL
);

CREATE TABLE "order" (
    id          pulid('ord') PRIMARY KEY DEFAULT pulid_generate('ord'),
    customer_id pulid('cus') NOT NULL REFERENCES customer,
    product_id  pulid('prd') NOT NULL REFERENCES product,
    -- A text column, as a shared table may have, takes well-formed ids of one kind as well.
    reference   text CHECK (pulid_is_canonical(reference, 'ref'))
);
\echo
\echo '-- 2. Rows get their ids by themselves; foreign keys work as ever.'
\echo
INSERT INTO product (name, price) VALUES ('teapot', 24.50), ('cup', 6.00), ('kettle', 39.90);
INSERT INTO customer (name) VALUES ('Ada');
INSERT INTO "order" (customer_id, product_id, reference)
    SELECT c.id, p.id, pulid_generate('ref')::text FROM customer c, product p ORDER BY p.id LIMIT 2;

SELECT o.id, c.name AS customer, p.name AS product
    FROM "order" o JOIN customer c ON c.id = o.customer_id JOIN product p ON p.id = o.product_id
    ORDER BY o.id;
\echo '-- 3. Ordering by id is ordering by creation, and the id tells when that was.'
\echo
SELECT id, name, pulid_timestamp(id) AS created FROM product ORDER BY id;
\echo '-- 4. What does not belong is refused: the id of a product where a customer is due,'
\echo '--    a malformed id, and a customer that does not exist.'
\echo
INSERT INTO "order" (customer_id, product_id) SELECT p.id, p.id FROM product p LIMIT 1;

SELECT * FROM product WHERE id = 'prd_01jq3v8f6a7b2c8d9e0f1g2hil'::pulid;

UPDATE "order" SET reference = 'ref-4711';

INSERT INTO "order" (customer_id, product_id)
    SELECT 'cus_01jq3v8f6a7b2c8d9e0f1g2h3j', p.id FROM product p LIMIT 1;
\echo
\echo '-- 5. Taken apart, and found in a line of a log.'
\echo
SELECT * FROM pulid_inspect('prd_01jq3v8f6a7b2c8d9e0f1g2h3j');

SELECT pulid_extract(
    '200 GET /products/prd_01jq3v8f6a7b2c8d9e0f1g2h3j?by=cus_01jq3v8f6b0000000000000000');
\echo '-- 6. In 20 bytes, 16 of which are the ULID; the same as a uuid for who needs one.'
\echo
SELECT id, pg_column_size(id) AS bytes, length(id::text) AS as_text, id::uuid FROM product LIMIT 1;
