-- PostgreSQL 16 and later: input errors that a caller can ask for without a subtransaction.
CREATE DOMAIN product_id AS pulid('prd');
CREATE DOMAIN shipment_id AS pulid CHECK (pulid_has_prefix(VALUE, 'shipment'));
CREATE TYPE order_line AS (id pulid('prd'), amount integer);
SELECT input, type, pg_input_is_valid(input, type), e.* FROM (VALUES
    ('PRD_01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid'), ('01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid(''prd'')'),
    ('01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid('''')'),
    ('{prd_01jq3v8f6a7b2c8d9e0f1g2h3j,NULL}', 'pulid[]'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'product_id'),
    ('(prd_01jq3v8f6a7b2c8d9e0f1g2h3j,1)', 'order_line'),
    ('', 'pulid'), ('foo', 'pulid'), ('prd_01jq3v8f6a7b2c8d9e0f1g2h3l', 'pulid'),
    ('prd_81jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid'), ('p-d_01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid'),
    ('foo', 'pulid(''prd'')'), ('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid(''prd'')'),
    ('01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid(''prd'')'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid('''')'),
    ('{prd_01jq3v8f6a7b2c8d9e0f1g2h3j,foo}', 'pulid[]'),
    ('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 'product_id'),
    ('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 'shipment_id'),
    ('(usr_01jq3v8f6a7b2c8d9e0f1g2h3j,1)', 'order_line'), (NULL, 'pulid')
) v(input, type) LEFT JOIN LATERAL pg_input_error_info(input, type) e ON true;
-- what is asked of the type itself is no input error
\set VERBOSITY sqlstate
SELECT pg_input_is_valid('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid(''PRD'')');
SELECT pg_input_is_valid('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid(''product'')');
\set VERBOSITY default
-- the function and its caller agree: valid is what pulid_is_valid says
SELECT count(*) AS differences FROM (VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('foo'), (''),
    ('PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J'), ('8arz3ndektsv4rrffq69g5fav0'), (' '),
    (repeat('a', 1000000))) v(t)
WHERE pg_input_is_valid(t, 'pulid') <> pulid_is_valid(t);
-- COPY leaves bad rows out: by ON_ERROR from 17 on, in 16 by way of a table of text
CREATE TABLE product (id pulid('prd'));
CREATE TABLE lines (line text);
SELECT CASE WHEN has_on_error THEN 'product' ELSE 'lines' END AS target,
       CASE WHEN has_on_error THEN 'ON_ERROR ignore' ELSE 'FORMAT text' END AS option
FROM (SELECT current_setting('server_version_num')::integer >= 170000) v(has_on_error) \gset
SET client_min_messages = warning; -- hides how many rows were skipped: a NOTICE of 17 and later
COPY :target FROM stdin (:option);
PRD_01jq3v8f6a7b2c8d9e0f1g2h3j
foo
usr_01jq3v8f6a7b2c8d9e0f1g2h3j
01jq3v8f6a7b2c8d9e0f1g2h3j
prd_01jq3v8f6a7b2c8d9e0f1g2h3l

prd_00000000000000000000000001
\.
RESET client_min_messages;
INSERT INTO product SELECT line::pulid FROM lines WHERE pg_input_is_valid(line, 'pulid(''prd'')');
SELECT id FROM product;
DROP TABLE product, lines;
DROP DOMAIN product_id, shipment_id;
DROP TYPE order_line;
