-- Ids in psql: quoted literals, variables, \copy, \gset. Run as psql -X -A -t -q -f main.sql
\set ON_ERROR_STOP on

CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE TABLE product (
    id      pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
    name    text NOT NULL,
    related pulid('prd')[]
);
CREATE TABLE sale (
    id      pulid('sal') PRIMARY KEY DEFAULT pulid_generate('sal'),
    product pulid('prd') REFERENCES product
);
COMMENT ON COLUMN product.id IS 'made here or by the caller';

CREATE TEMP SEQUENCE checks;
CREATE FUNCTION pg_temp.check(what text, got text, expected text) RETURNS text LANGUAGE sql
    RETURN CASE WHEN got IS DISTINCT FROM expected THEN 'not ' ELSE '' END
        || 'ok ' || nextval('checks') || ' - ' || what
        || CASE WHEN got IS DISTINCT FROM expected
                THEN format(E'\n# got %L\n# expected %L', got, expected) ELSE '' END;

-- A row and its id, which \gset keeps in a variable
INSERT INTO product (name) VALUES ('lamp') RETURNING id AS lamp \gset
SELECT pg_temp.check('RETURNING and \gset keep an id', length(:'lamp')::text, '30');
\set desk prd_01jq3v8f6a7b2c8d9e0f1g2h3j
INSERT INTO product VALUES (:'desk', 'desk', ARRAY[:'lamp', NULL]::pulid[]);
SELECT pg_temp.check('a variable is a literal', name, 'desk') FROM product WHERE id = :'desk';
SELECT pg_temp.check('in a list', count(*)::text, '2')
FROM product WHERE id IN (:'lamp', :'desk');
SELECT pg_temp.check('NULL in an array', related::text, '{' || :'lamp' || ',NULL}')
FROM product WHERE id = :'desk';
SELECT pg_temp.check('half an id', name, 'desk') FROM product WHERE id ^@ 'prd_01jq3v8f';
SELECT pg_temp.check('a pattern', name, 'desk') FROM product WHERE id ILIKE '%1G2H3J';
PREPARE by_id AS SELECT pg_temp.check('a prepared statement', name, 'desk')
    FROM product WHERE id = $1;
EXECUTE by_id (:'desk');

INSERT INTO sale (product) VALUES (:'desk') RETURNING id AS sale \gset
SELECT pg_temp.check('a join', name, 'desk')
FROM sale JOIN product ON product.id = sale.product WHERE sale.id = :'sale';
UPDATE sale SET product = :'lamp' WHERE id = :'sale' RETURNING product AS moved \gset
SELECT pg_temp.check('the foreign key is updated', :'moved', :'lamp');
SELECT pg_temp.check('in JSON an id is a string', to_jsonb(s) ->> 'product', :'lamp') FROM sale s;

-- \copy in, out and in again, as text, CSV and binary
\copy product (id, name) FROM STDIN (FORMAT csv)
prd_01jq3vanr8e5xq9k2m4n6p8r0s,chair
PRD_01JQ3VANR8E5XQ9K2M4N6P8R0T,stool
\.
CREATE TABLE copied (LIKE product);
\copy product TO 'product.copy'
\copy copied FROM 'product.copy'
\copy product TO 'product.bin' (FORMAT binary)
\copy copied FROM 'product.bin' (FORMAT binary)
SELECT pg_temp.check('\copy in text and binary gives the same', string_agg(n::text, ' '),
                     '2 2 2 2')
FROM (SELECT count(*) AS n FROM copied GROUP BY copied.*) AS each;
SELECT pg_temp.check('pages by key', string_agg(name, ' '), 'chair stool')
FROM (SELECT name FROM product WHERE id > 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j' ORDER BY id LIMIT 2)
    AS page;

-- Errors, as scripts see them
\set ON_ERROR_STOP off
\set QUIET on
\set VERBOSITY sqlstate
INSERT INTO product (id, name) VALUES ('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', '');
SELECT pg_temp.check('a wrong prefix is SQLSTATE', :'LAST_ERROR_SQLSTATE', '23514');
SELECT 'prd_junk'::pulid;
SELECT pg_temp.check('junk is SQLSTATE', :'LAST_ERROR_SQLSTATE', '22P02');

-- What \d and its like say
\set table `psql -X -c '\d product'`
SELECT pg_temp.check('\d shows the type', (regexp_match(:'table', 'id +\| (\S+)'))[1],
                     $$pulid('prd')$$);
SELECT pg_temp.check('\d shows the default', (regexp_match(:'table', 'not null \| (\S+)'))[1],
                     $$pulid_generate('prd'::text)$$);
SELECT pg_temp.check('\d shows an array',
                     (regexp_match(:'table', 'related +\| (\S+)'))[1], $$pulid('prd')[]$$);
\set type `psql -X -At -c '\dT pulid'`
SELECT pg_temp.check('\dT', left(:'type', 30), 'pg_catalog|pulid|prefixed ULID');
\set function `psql -X -At -c '\df pulid_prefix'`
SELECT pg_temp.check('\df', :'function', 'pg_catalog|pulid_prefix|text|pulid|func');
\set extension `psql -X -At -c '\dx prefixed_ulid' | cut -d '|' -f 1,3`
SELECT pg_temp.check('\dx', :'extension', 'prefixed_ulid|pg_catalog');

\set completed `python3 complete.py`
SELECT pg_temp.check('the tab key completes a type, a function, a column', :'completed',
                     'pulid pulid_extract related');
\echo 1..21
