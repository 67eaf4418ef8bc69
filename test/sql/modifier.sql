-- The type modifier pulid('prd'): how it is written and shown, where it is enforced, where
-- PostgreSQL does not enforce it, and that it never turns a wrong prefix into a right one.
\set SHOW_CONTEXT never
-- how it is shown
CREATE TABLE product (id pulid('prd'), bare pulid(''), any_id pulid, ids pulid('prd')[],
                      unquoted pulid(prd), folded pulid(PRD), inner_underscore pulid('a_b_cd'),
                      longest pulid('zzzzzz'));
SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = 'product'::regclass AND attnum > 0 ORDER BY attnum;
SELECT column_name, data_type, udt_schema, udt_name FROM information_schema.columns
WHERE table_name = 'product' AND column_name = 'id';
-- reserved words need the quotes
CREATE TABLE reserved_words (u pulid('user'), o pulid('order'), t pulid('table'),
                             s pulid('select'));
SELECT format_type(atttypid, atttypmod) FROM pg_attribute
WHERE attrelid = 'reserved_words'::regclass AND attnum > 0 ORDER BY attnum;
INSERT INTO reserved_words VALUES
    ('user_00000000000000000000000001', 'order_00000000000000000000000001',
     'table_00000000000000000000000001', 'select_00000000000000000000000001') RETURNING *;
SELECT NULL::pulid(user);
SELECT NULL::pulid(order);
-- refused
SELECT NULL::pulid('PRD');
SELECT NULL::pulid('_a');
SELECT NULL::pulid('a_');
SELECT NULL::pulid('_');
SELECT NULL::pulid('p d');
SELECT NULL::pulid('prd ');
SELECT NULL::pulid(E'pr\u00e9');
SELECT NULL::pulid('product');
SELECT NULL::pulid('abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk');
SELECT NULL::pulid('abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl');
SELECT NULL::pulid('prd', 'usr');
SELECT NULL::pulid(3);
SELECT NULL::pulid(1.5);
SELECT NULL::pulid(NULL);
SELECT NULL::pulid();
SELECT pulid_typmod_in('{}');
SELECT pulid_typmod_in('{{a},{b}}');
SELECT pulid_typmod_in('{NULL}');
\set VERBOSITY sqlstate
SELECT NULL::pulid('PRD');
SELECT NULL::pulid('product');
SELECT NULL::pulid('prd', 'usr');
SELECT pulid_coerce('prd_00000000000000000000000001', 1, false);
\set VERBOSITY default
-- codes: base 28, six characters
SELECT prefix, pulid_typmod_in(ARRAY[prefix]::cstring[]) AS code,
       pulid_typmod_out(pulid_typmod_in(ARRAY[prefix]::cstring[]))
FROM (VALUES (''), ('a'), ('z'), ('prd'), ('a_b'), ('aaaaaa'), ('zzzzzz')) v(prefix);
-- reserved codes are shown as numbers, which are refused: '_', '_a', 'a_', 'a' NUL '_', beyond 28^6
SELECT code, pulid_typmod_out(code) FROM (VALUES
    (-2147483648), (-5), (1), (17210368), (18439680), (35035392), (34420737), (481890304),
    (2147483647)) v(code);
SELECT format_type('pulid'::regtype, 1), format_type('pulid'::regtype, 2147483647),
       format_type('pulid'::regtype, -1), format_type('pulid'::regtype, NULL);
SELECT pulid_coerce('prd_00000000000000000000000001', 1, false);
SELECT pulid_coerce('00000000000000000000000001', -5, true);
SELECT pulid_coerce('00000000000000000000000001', -1, true);

-- enforced: each statement with the SQLSTATE and message it raises, and the type it names; in the
-- statements, usr_1 stands for usr_00000000000000000000000001
CREATE FUNCTION raised(statement text, OUT code text, OUT message text, OUT type text)
LANGUAGE plpgsql AS $$
DECLARE
    schema_name text;
BEGIN
    EXECUTE regexp_replace(statement, '_1\y', '_00000000000000000000000001', 'g');
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
                            type = PG_DATATYPE_NAME, schema_name = SCHEMA_NAME;
    type := NULLIF(schema_name || '.' || type, '.');
END $$;
CREATE TABLE source (id pulid, t text, v varchar, a pulid[]);
INSERT INTO source VALUES ('usr_00000000000000000000000001', 'usr_00000000000000000000000001',
    'usr_00000000000000000000000001', '{usr_00000000000000000000000001}');
INSERT INTO product (id, bare, ids) VALUES
    ('prd_00000000000000000000000001', '00000000000000000000000001',
     '{prd_00000000000000000000000001,NULL}'), (NULL, NULL, NULL);
CREATE DOMAIN product_id AS pulid('prd');
CREATE TYPE order_line AS (id pulid('prd'), amount integer);
CREATE TABLE part (id pulid('prd')) PARTITION BY RANGE (id);
CREATE TABLE list (id pulid('prd')) PARTITION BY LIST (id);
CREATE TABLE prefix (prefix text);
INSERT INTO prefix VALUES ('usr');
SELECT statement, code, message, type FROM (VALUES
    ($$INSERT INTO product (id) VALUES ('usr_1')$$),
    ($$INSERT INTO product (id) VALUES ('00000000000000000000000001')$$),
    ($$INSERT INTO product (id) VALUES ('prd_1'), ('prda_1')$$),
    ($$INSERT INTO product (id) VALUES ('product_1')$$),
    ($$INSERT INTO product (bare) VALUES ('prd_1')$$),
    ($$INSERT INTO product (id) SELECT id FROM source$$),
    ($$INSERT INTO product (id) SELECT t FROM source$$),
    ($$INSERT INTO product (id) SELECT v FROM source$$),
    ($$INSERT INTO product (ids) SELECT a FROM source$$),
    ($$INSERT INTO product (ids) VALUES ('{prd_1,usr_1}')$$),
    ($$INSERT INTO product (ids[2]) SELECT id FROM source$$),
    ($$UPDATE product SET id = 'pr_1'$$),
    ($$UPDATE product SET id = source.id FROM source$$),
    ($$UPDATE product SET ids[1] = 'usr_1'$$),
    ($$SELECT 'usr_1'::pulid('prd')$$),
    ($$SELECT 'usr_1'::text::pulid('prd')$$),
    ($$SELECT 'usr_1'::pulid('usr')::pulid('prd')$$),
    ($$SELECT '00000000-0000-0000-0000-000000000001'::uuid::pulid('prd')$$),
    ($$SELECT id::pulid('') FROM source$$),
    ($$SELECT a::pulid('prd')[] FROM source$$),
    ($$SELECT CAST(t AS pulid('prd')) FROM source$$),
    ($$SELECT COALESCE(p.id, s.id)::pulid('prd') FROM source s LEFT JOIN product p USING (id)$$),
    ($$SELECT pulid_min(prefix)::pulid('prd') FROM prefix$$),
    ($$SELECT pulid_lower_bound(since => '-infinity', prefix => 'usr')::pulid('prd')$$),
    ($$SELECT 'usr_1'::product_id$$),
    ($$SELECT id::product_id FROM source$$),
    ($$SELECT a::product_id[] FROM source$$),
    ($$SELECT ROW('usr_1', 1)::order_line$$),
    ($$SELECT ROW(id, 1)::order_line FROM source$$),
    ($$SELECT '(usr_1,1)'::order_line$$),
    ($$SELECT jsonb_populate_record(NULL::order_line, '{"id": "usr_1"}')$$),
    ($$SELECT * FROM jsonb_to_record('{"id": "usr_1"}') AS t(id pulid('prd'))$$),
    ($$DO 'DECLARE id pulid(prd); BEGIN id := ''usr_1''; END'$$),
    ($$DO 'DECLARE id pulid(prd); BEGIN SELECT s.id INTO id FROM source s; END'$$),
    ($$DO 'DECLARE p product; BEGIN p.id := ''usr_1''; END'$$),
    ($$DO 'DECLARE p product; BEGIN SELECT id INTO p FROM source; END'$$),
    ($$CREATE TABLE p PARTITION OF part FOR VALUES FROM ('usr_1') TO (MAXVALUE)$$),
    ($$CREATE TABLE p PARTITION OF list FOR VALUES IN ('usr_1')$$),
    ($$SELECT 'foo'::pulid('prd')$$)
) v(statement), raised(statement);
COPY product (id) FROM stdin;
prd_00000000000000000000000002
usr_00000000000000000000000002
\.
INSERT INTO product (id) VALUES ('usr_00000000000000000000000001');
\set VERBOSITY sqlstate
COPY product (ids) FROM stdin;
{usr_00000000000000000000000002}
\.
CREATE TABLE defaults (id pulid('prd') DEFAULT pulid_generate('usr'));
INSERT INTO defaults DEFAULT VALUES; -- the wrong default is found when it is used
DROP TABLE defaults;
PREPARE add AS INSERT INTO product (id) VALUES ($1);
EXECUTE add('usr_00000000000000000000000001');
EXECUTE add('prd_00000000000000000000000003');
DEALLOCATE add;
\set VERBOSITY default
SELECT id, bare, ids FROM product; -- nothing else came in
-- accepted: case folded, same prefix from every source
UPDATE product SET id = 'PRD_0000000000000000000000000A' WHERE ids IS NOT NULL RETURNING id;
SELECT 'prd_00000000000000000000000001'::text::pulid('prd')::pulid::pulid('prd')::product_id,
       ROW('prd_00000000000000000000000001', 1)::order_line;
SELECT ARRAY[pulid_min('prd'), NULL]::pulid('prd')[], pulid_min('prd')::pulid('prd'),
       '00000000-0000-0000-0000-000000000001'::uuid::pulid('');
SELECT pulid_prefix(pulid_generate('prd')::pulid('prd')),
       pulid_prefix(pulid_generate_v4('prd')::pulid('prd')),
       pulid_prefix(pulid_generate_v7('prd')::pulid('prd'));
-- a parameter is checked when it is known
SET plan_cache_mode = force_generic_plan;
PREPARE smallest(text) AS SELECT pulid_min($1)::pulid('prd');
EXECUTE smallest('prd');
EXECUTE smallest('usr');
DEALLOCATE smallest;
RESET plan_cache_mode;
-- not enforced by PostgreSQL itself: function arguments and results drop modifiers ...
CREATE FUNCTION hole(pulid('prd')) RETURNS pulid('prd') LANGUAGE sql IMMUTABLE
    AS $$ SELECT 'usr_00000000000000000000000001'::pulid $$;
SELECT hole('usr_00000000000000000000000001');
SELECT pg_get_function_arguments('hole'::regproc), pg_get_function_result('hole'::regproc);
CREATE TABLE strict_product (id pulid('prd') CHECK (pulid_has_prefix(id, 'prd')));
-- ... but what leaves the function is checked as plain pulid is
INSERT INTO product (id) SELECT hole(NULL);
-- ... and a column definition list is believed, so only a CHECK keeps the value out
SELECT id::pulid('prd')
FROM unnest(ARRAY[ROW('usr_00000000000000000000000001'::pulid)]) AS t(id pulid('prd'));
INSERT INTO product (id)
SELECT id FROM unnest(ARRAY[ROW('usr_00000000000000000000000001'::pulid)]) AS t(id pulid('prd'))
RETURNING id;
INSERT INTO strict_product (id)
SELECT id FROM unnest(ARRAY[ROW('usr_00000000000000000000000001'::pulid)]) AS t(id pulid('prd'));
DELETE FROM product WHERE NOT pulid_has_prefix(id, 'prd') RETURNING id;
-- a function that says it returns rows of a table is checked, by PostgreSQL itself
CREATE FUNCTION product_rows() RETURNS SETOF strict_product LANGUAGE sql
    AS $$ SELECT 'usr_00000000000000000000000001'::pulid $$;
SELECT id FROM product_rows();
DROP FUNCTION product_rows;
-- pulid('prd') to pulid rewrites nothing; the reverse rewrites, and fails where a prefix is wrong
CREATE TABLE item (id pulid('prd') PRIMARY KEY);
INSERT INTO item VALUES ('prd_00000000000000000000000001');
CREATE FUNCTION files() RETURNS text LANGUAGE sql AS $$
    SELECT pg_relation_filenode('item') || ' ' || pg_relation_filenode('item_pkey')
$$;
SELECT files() AS before \gset
ALTER TABLE item ALTER id TYPE pulid;
SELECT files() = :'before' AS same_files;
ALTER TABLE item ALTER id TYPE pulid('prd');
SELECT files() = :'before' AS same_files;
ALTER TABLE item ALTER id TYPE pulid('usr');
ALTER TABLE item ALTER id TYPE pulid;
INSERT INTO item VALUES ('usr_00000000000000000000000001');
ALTER TABLE item ALTER id TYPE pulid('prd');
SELECT format_type(atttypid, atttypmod), (SELECT count(*) FROM item) FROM pg_attribute
WHERE attrelid = 'item'::regclass AND attname = 'id';
-- prefixes that no modifier can hold
CREATE DOMAIN shipment_id AS pulid CHECK (pulid_has_prefix(VALUE, 'shipment'));
CREATE TABLE shipment (id shipment_id PRIMARY KEY);
INSERT INTO shipment VALUES ('SHIPMENT_00000000000000000000000001') RETURNING *;
INSERT INTO shipment VALUES ('shipments_00000000000000000000000001');
INSERT INTO shipment VALUES ('shipment_0');
SELECT * FROM shipment WHERE id = 'shipment_00000000000000000000000001';
DROP TABLE product, reserved_words, source, part, list, prefix, strict_product, item, shipment;
DROP DOMAIN product_id, shipment_id;
DROP TYPE order_line;
DROP FUNCTION raised, hole, files;
