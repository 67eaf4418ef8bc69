-- Which column carries which prefix, as the catalogs say: prefixed_ulid.columns; and from an id to
-- its table and row: resolve() and find(). Dump and restore: test/t/data_model.pl.
\unset ECHO
\set QUIET 1
\pset format unaligned
\pset tuples_only true
\pset pager off
\set ON_ERROR_ROLLBACK 1
\set ON_ERROR_STOP true

BEGIN;
SET LOCAL client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtap;
CREATE EXTENSION IF NOT EXISTS prefixed_ulid;

SELECT plan(72);

-- What the view says about one table.
CREATE FUNCTION declared(of regclass) RETURNS TABLE (c text, p text, by text) LANGUAGE sql AS $$
    SELECT column_name::text COLLATE "default", prefix, declared_by
    FROM prefixed_ulid.columns WHERE table_name = of
$$;

SELECT is_empty('SELECT * FROM prefixed_ulid.columns', 'Without tables there is nothing');
SELECT is(prefixed_ulid.resolve('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), NULL, 'nor a table of an id');

-- All ways to declare a prefix

CREATE TABLE plain (a pulid, b text, c varchar(40) DEFAULT 'x', d pulid[], e pulid('prd')[],
    f text DEFAULT pulid_strip_prefix(pulid_generate('prd')),
    g uuid DEFAULT pulid_uuid(pulid_generate('prd')), h uuid DEFAULT pulid_generate('prd')::uuid,
    i text DEFAULT digit_id_generate('ACC', 8));
SELECT is_empty($$SELECT * FROM declared('plain')$$,
    'Plain columns, arrays, and types that are no ids carry no prefix');

CREATE TABLE modified (a pulid('prd'), b pulid(''), c pulid('user'), d pulid('a_b'),
    e pulid('zzzzzz'));
SELECT set_eq($$SELECT * FROM declared('modified')$$,
    $$VALUES ('a', 'prd', 'type'), ('b', '', 'type'), ('c', 'user', 'type'), ('d', 'a_b', 'type'),
             ('e', 'zzzzzz', 'type')$$,
    'A type modifier does');

CREATE DOMAIN of_modifier AS pulid('mod');
CREATE DOMAIN over_that AS of_modifier NOT NULL;
CREATE DOMAIN by_check AS pulid CHECK (pulid_has_prefix(VALUE, 'subscription'));
CREATE DOMAIN over_check AS by_check CONSTRAINT also CHECK (VALUE IS NOT NULL);
CREATE DOMAIN of_text AS text COLLATE "C" CHECK (length(VALUE) > 3)
    CHECK (pulid_is_canonical(VALUE, 'txt'));
CREATE DOMAIN of_varchar AS varchar(40) CHECK (pulid_is_canonical(VALUE, 'var'));
CREATE DOMAIN by_default AS pulid DEFAULT pulid_generate('def');
CREATE DOMAIN of_array AS pulid('arr')[];
CREATE DOMAIN silent AS pulid;
CREATE TABLE by_domain (a of_modifier, b over_that, c by_check, d over_check, e of_text,
    f of_varchar, g by_default, h of_array, i silent, j by_default DEFAULT NULL,
    k silent CHECK (pulid_has_prefix(k, 'kkk')));
SELECT set_eq($$SELECT * FROM declared('by_domain')$$,
    $$VALUES ('a', 'mod', 'domain'), ('b', 'mod', 'domain'), ('c', 'subscription', 'domain'),
             ('d', 'subscription', 'domain'), ('e', 'txt', 'domain'), ('f', 'var', 'domain'),
             ('g', 'def', 'default'), ('k', 'kkk', 'check')$$,
    'So do domains, over domains too, by modifier, CHECK or default');

CREATE FUNCTION my_prefix() RETURNS text LANGUAGE sql IMMUTABLE RETURN 'fun';
CREATE TABLE checked (
    a pulid CHECK (pulid_has_prefix(a, 'aaa')),
    b text CHECK (pulid_is_canonical(b, 'bbb')),
    c varchar(40) CHECK (pulid_is_canonical(c, 'ccc')),
    d char(30) CHECK (pulid_is_canonical(d, 'ddd')),
    e text CHECK (pulid_has_prefix(e::pulid, 'eee')),
    f pulid CHECK (pg_catalog.pulid_has_prefix(f, 'fff'::varchar) AND length(f::text) > 3),
    g pulid CHECK (g IS NULL OR pulid_has_prefix(g, 'ggg')),
    n pulid CHECK (pulid_has_prefix(n, 'nnn') AND true OR n IS NULL),
    "order" pulid, "a ""b'" text, h pulid, i pulid, j pulid, k text, l pulid, m pulid,
    CONSTRAINT many CHECK (pulid_has_prefix("order", 'ord') AND length(k) > 0
        AND (pulid_is_canonical("a ""b'", 'quo') AND pulid_has_prefix(h, 'hhh'))),
    CHECK (NOT pulid_has_prefix(i, 'iii')),
    CHECK (pulid_has_prefix(i, 'iij') OR pulid_has_prefix(i, 'iik')),
    CHECK (i IS NOT NULL OR pulid_has_prefix(i, 'iil')),
    CHECK (k IS NULL OR pulid_has_prefix(i, 'iim')),
    CHECK (pulid_has_prefix(j, 'Nonsense')), CHECK (pulid_has_prefix(j, NULL)),
    CHECK (pulid_has_prefix(j, k)), CHECK (pulid_has_prefix(j, my_prefix())),
    CHECK (pulid_is_canonical(k)), CHECK (pulid_is_canonical('x', 'xxx') OR k = ''),
    CHECK (pulid_has_prefix(l, 'lll')) NOT VALID,
    CHECK (pulid_has_prefix(pulid_strip_prefix(m), '')));
SELECT set_eq($$SELECT * FROM declared('checked')$$,
    $$VALUES ('a', 'aaa', 'check'), ('b', 'bbb', 'check'), ('c', 'ccc', 'check'),
             ('d', 'ddd', 'check'), ('e', 'eee', 'check'), ('f', 'fff', 'check'),
             ('g', 'ggg', 'check'), ('n', 'nnn', 'check'), ('order', 'ord', 'check'),
             ('a "b''', 'quo', 'check'),
             ('h', 'hhh', 'check'), ('l', 'lll', 'check')$$,
    'CHECK constraints do if they demand a prefix: with casts, for several columns, quoted');

CREATE SCHEMA hostile;
CREATE FUNCTION hostile.pulid_has_prefix(pulid, text) RETURNS boolean LANGUAGE sql IMMUTABLE
    RETURN true;
CREATE FUNCTION hostile.pulid_generate(text) RETURNS pulid LANGUAGE plpgsql AS 'BEGIN END';
CREATE TABLE misled (a pulid CHECK (hostile.pulid_has_prefix(a, 'aaa')),
    b pulid DEFAULT hostile.pulid_generate('bbb'));
SELECT is_empty($$SELECT * FROM declared('misled')$$,
    'A function that is but called alike does not');

CREATE FUNCTION named() RETURNS pulid LANGUAGE sql RETURN pulid_generate_v4('nam');
CREATE FUNCTION named_text() RETURNS text LANGUAGE sql
    RETURN pulid_generate('nat')::text COLLATE "C";
CREATE FUNCTION chosen(text DEFAULT 'cho') RETURNS pulid LANGUAGE sql RETURN pulid_generate($1);
CREATE FUNCTION old_style() RETURNS pulid LANGUAGE sql AS 'SELECT pulid_generate(''old'')';
CREATE FUNCTION atomic() RETURNS pulid LANGUAGE sql BEGIN ATOMIC SELECT pulid_generate('ato'); END;
CREATE FUNCTION twice() RETURNS pulid LANGUAGE sql RETURN named();
CREATE FUNCTION nothing() RETURNS pulid LANGUAGE sql RETURN NULL::pulid;
CREATE TABLE defaulted (
    a pulid DEFAULT pulid_generate('aaa'), b text DEFAULT pulid_generate('bbb'),
    c varchar(40) DEFAULT pulid_generate('ccc'), d pulid DEFAULT pulid_generate_v4('ddd'),
    e pulid DEFAULT pulid_generate_v7('eee'), f pulid DEFAULT pulid_generate_monotonic('fff'),
    g pulid DEFAULT pulid_generate(), h pulid DEFAULT pulid_generate(''),
    i pulid DEFAULT pulid_generate('iii', now()),
    j pulid DEFAULT pulid_from_uuid('jjj', gen_random_uuid()),
    k pulid DEFAULT named(), l text DEFAULT named_text(), m text COLLATE "C" DEFAULT named(),
    n pulid DEFAULT chosen(), o pulid DEFAULT old_style(), p pulid DEFAULT atomic(),
    q pulid DEFAULT nothing(), r pulid DEFAULT pulid_generate(my_prefix()),
    s pulid DEFAULT 'sss_01jq3v8f6a7b2c8d9e0f1g2h3j', t pulid DEFAULT twice(),
    u text DEFAULT pulid_generate('uuu')::text COLLATE "C");
SELECT set_eq($$SELECT * FROM declared('defaulted')$$,
    $$VALUES ('a', 'aaa', 'default'), ('b', 'bbb', 'default'), ('c', 'ccc', 'default'),
             ('d', 'ddd', 'default'), ('e', 'eee', 'default'), ('f', 'fff', 'default'),
             ('g', '', 'default'), ('h', '', 'default'), ('i', 'iii', 'default'),
             ('j', 'jjj', 'default'), ('k', 'nam', 'default'), ('l', 'nat', 'default'),
             ('m', 'nam', 'default'), ('u', 'uuu', 'default')$$,
    'Defaults do, also through a function that returns nothing but a new id');

CREATE TABLE generated (u uuid,
    a pulid GENERATED ALWAYS AS (pulid_from_uuid('gen', u)) STORED,
    b pulid('typ') GENERATED ALWAYS AS (pulid_from_uuid('typ', u)) STORED,
    c text GENERATED ALWAYS AS (u::text) STORED);
SELECT set_eq(
    $$SELECT column_name::text COLLATE "default", prefix, declared_by, column_default
      FROM prefixed_ulid.columns WHERE table_name = 'generated'::regclass$$,
    $$VALUES ('a', 'gen', 'generated', NULL), ('b', 'typ', 'type', NULL)$$,
    'Generated columns do, and have no default');

CREATE TABLE several (
    a pulid('aaa') DEFAULT pulid_generate('aab') CHECK (pulid_has_prefix(a, 'aac')),
    b by_check DEFAULT pulid_generate('bbb') CHECK (pulid_has_prefix(b, 'bbc')),
    c text DEFAULT pulid_generate('ccc') CHECK (pulid_is_canonical(c, 'ccd')),
    d pulid CHECK (pulid_has_prefix(d, 'ddf') AND pulid_has_prefix(d, 'dde')));
SELECT set_eq($$SELECT * FROM declared('several')$$,
    $$VALUES ('a', 'aaa', 'type'), ('b', 'subscription', 'domain'), ('c', 'ccd', 'check'),
             ('d', 'dde', 'check')$$,
    'Of several declarations the type comes first, then domain, CHECK and default');

ALTER TABLE several DROP a, ALTER b TYPE pulid, ALTER c DROP DEFAULT;
SELECT set_eq($$SELECT * FROM declared('several')$$,
    $$VALUES ('b', 'bbc', 'check'), ('c', 'ccd', 'check'), ('d', 'dde', 'check')$$,
    'What is dropped is gone at once');

-- Which relations

CREATE SCHEMA "Shop Two";
CREATE TABLE "Shop Two"."Order" ("Id" pulid('ord') PRIMARY KEY DEFAULT pulid_generate('ord'));
SELECT is((SELECT format('%s|%s|%s|%s|%s', table_name, column_name, prefix, is_primary_key,
                         column_default)
           FROM prefixed_ulid.columns WHERE table_name = '"Shop Two"."Order"'::regclass),
    '"Shop Two"."Order"|Id|ord|t|pulid_generate(''ord''::text)', 'Names are quoted where need be');

CREATE TABLE visit (id pulid('vis'), at date, note text, PRIMARY KEY (id, at))
    PARTITION BY RANGE (id);
CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM (MINVALUE) 
    TO ('vis_40000000000000000000000000')
    PARTITION BY RANGE (at);
CREATE TABLE visit_1_1 PARTITION OF visit_1 DEFAULT;
CREATE TABLE visit_2 PARTITION OF visit DEFAULT;
SELECT set_eq(
    $$SELECT table_name::text, is_primary_key FROM prefixed_ulid.columns WHERE prefix = 'vis'$$,
    $$VALUES ('visit', true)$$, 'Of a partitioned table the root stands for all');

CREATE TABLE parent (id pulid('par') PRIMARY KEY, other pulid('oth'));
CREATE TABLE child (PRIMARY KEY (id), more pulid('mor')) INHERITS (parent);
CREATE TABLE grandchild (PRIMARY KEY (id)) INHERITS (child);
SELECT set_eq(
    $$SELECT table_name::text, column_name::text COLLATE "default", is_primary_key
      FROM prefixed_ulid.columns WHERE prefix IN ('par', 'mor')$$,
    $$VALUES ('parent', 'id', true), ('child', 'id', true), ('child', 'more', false),
             ('grandchild', 'id', true), ('grandchild', 'more', false)$$,
    'Children that inherit have columns of their own');

CREATE VIEW a_view AS SELECT id, at, id::text AS t FROM visit;
CREATE MATERIALIZED VIEW a_matview AS SELECT id FROM visit;
SELECT set_eq(
    $$SELECT table_name::text, column_name::text COLLATE "default", declared_by, is_primary_key
      FROM prefixed_ulid.columns WHERE table_name IN ('a_view'::regclass, 'a_matview'::regclass)$$,
    $$VALUES ('a_view', 'id', 'type', false), ('a_matview', 'id', 'type', false)$$,
    'Views have columns, but no keys');

CREATE TEMP TABLE passing (id pulid('par') PRIMARY KEY);
CREATE INDEX ON modified (a);
CREATE TYPE pair AS (a pulid('cmp'), b int);
SELECT is_empty($$SELECT * FROM prefixed_ulid.columns
    WHERE table_name::text ~ 'passing|_idx|pkey|pair'$$,
    'Temporary tables, indexes and composite types have none');

-- Keys and references

CREATE TABLE product (id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'), name text);
CREATE TABLE customer (tenant pulid('ten'), id pulid('cus'), parent_id pulid('cus'),
    PRIMARY KEY (tenant, id), UNIQUE (id),
    CONSTRAINT itself FOREIGN KEY (tenant, parent_id) REFERENCES customer (tenant, id));
CREATE TABLE detail (id pulid('prd') PRIMARY KEY REFERENCES product, size int);
CREATE TABLE line (
    a pulid('prd') NOT NULL REFERENCES product DEFERRABLE, b pulid('cus'), c pulid('ten'),
    d pulid('cus') CONSTRAINT z REFERENCES customer (id)
                   CONSTRAINT y REFERENCES "Shop Two"."Order",
    v pulid('vis'), at date, PRIMARY KEY (a) INCLUDE (b),
    FOREIGN KEY (c, b) REFERENCES customer, FOREIGN KEY (v, at) REFERENCES visit);
SELECT set_eq(
    $$SELECT column_name::text COLLATE "default", is_primary_key, referenced_table::text,
             referenced_column::text COLLATE "default"
      FROM prefixed_ulid.columns WHERE table_name = 'line'::regclass$$,
    $$VALUES ('a', true, 'product', 'id'), ('b', false, 'customer', 'id'),
             ('c', false, 'customer', 'tenant'), ('d', false, '"Shop Two"."Order"', 'Id'),
             ('v', false, 'visit', 'id')$$,
    'Foreign keys: composite, to a partitioned table, the first of two; INCLUDE makes no key');
SELECT set_eq(
    $$SELECT column_name::text COLLATE "default", is_primary_key, referenced_column::text
                 COLLATE "default"
      FROM prefixed_ulid.columns WHERE table_name = 'customer'::regclass$$,
    $$VALUES ('tenant', true, 'tenant'), ('id', true, NULL), ('parent_id', false, 'id')$$,
    'A composite key, and a foreign key of a table to itself');

CREATE TABLE node (tenant pulid('nte'), id pulid('nod'), parent_id pulid('nod'),
    PRIMARY KEY (tenant, id), FOREIGN KEY (tenant, parent_id) REFERENCES node)
    PARTITION BY LIST (tenant);
CREATE TABLE node_1 PARTITION OF node DEFAULT;
SELECT set_eq(
    $$SELECT prefix, table_name::text, column_name::text COLLATE "default"
      FROM prefixed_ulid.owners$$,
    $$VALUES ('ord', '"Shop Two"."Order"', 'Id'), ('vis', 'visit', 'id'), ('par', 'parent', 'id'),
             ('prd', 'product', 'id'), ('ten', 'customer', 'tenant'), ('cus', 'customer', 'id'),
             ('nte', 'node', 'tenant'), ('nod', 'node', 'id')$$,
    'A prefix belongs to the primary key that has it and references no other table');

-- resolve()

SELECT is(prefixed_ulid.resolve(id::pulid), expected::regclass, 'resolve: ' || id)
FROM (VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'product'),
             ('ORD_01JQ3V8F6A7B2C8D9E0F1G2H3J', '"Shop Two"."Order"'),
             ('vis_01jq3v8f6a7b2c8d9e0f1g2h3j', 'visit'),
             ('par_01jq3v8f6a7b2c8d9e0f1g2h3j', 'parent'),
             ('mor_01jq3v8f6a7b2c8d9e0f1g2h3j', NULL),
             ('pr_01jq3v8f6a7b2c8d9e0f1g2h3j', NULL),
             ('prdx_01jq3v8f6a7b2c8d9e0f1g2h3j', NULL),
             ('01jq3v8f6a7b2c8d9e0f1g2h3j', NULL)) AS v(id, expected);

SELECT results_eq(
    $$SELECT id::text, prefixed_ulid.resolve(id)::text
      FROM unnest(pulid_extract(
          'GET /prd_01jq3v8f6a7b2c8d9e0f1g2h3j?by=xyz_01jq3v8f6a7b2c8d9e0f1g2h3j')) id$$,
    $$VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'product'),
             ('xyz_01jq3v8f6a7b2c8d9e0f1g2h3j', NULL)$$,
    'resolve: of ids in a piece of text');
SELECT is(prefixed_ulid.resolve(NULL), NULL, 'resolve: no id, no table');

-- What an error says, of a statement that fails.
CREATE FUNCTION error_of(statement text, OUT state text, OUT message text, OUT detail text)
    LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
EXCEPTION WHEN others THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
        detail = PG_EXCEPTION_DETAIL;
END $$;

CREATE TABLE hostile.product (id pulid('prd') PRIMARY KEY);
SELECT results_eq(
    format($$SELECT * FROM error_of(%L)$$,
           'SELECT prefixed_ulid.resolve(''prd_01jq3v8f6a7b2c8d9e0f1g2h3j'')'),
    $$VALUES ('21000', 'prefix "prd" belongs to more than one primary key',
              'It belongs to those of hostile.product and public.product.')$$,
    'resolve: two primary keys have the prefix');
SELECT results_eq(
    format($$SELECT * FROM error_of(%L)$$,
           'SELECT prefixed_ulid.find(''prd_01jq3v8f6a7b2c8d9e0f1g2h3j'')'),
    $$VALUES ('21000', 'prefix "prd" belongs to more than one primary key',
              'It belongs to those of hostile.product and public.product.')$$,
    'find: the same');
ALTER TABLE hostile.product ADD FOREIGN KEY (id) REFERENCES public.product;
SELECT is(prefixed_ulid.resolve('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), 'public.product',
    'resolve: a key that references the other holds the ids of the other');

CREATE TABLE bare (id pulid('') PRIMARY KEY);
SELECT is(prefixed_ulid.resolve('01jq3v8f6a7b2c8d9e0f1g2h3j'), 'bare',
    'resolve: no prefix is one, too');

CREATE TABLE edge (a pulid('edg'), b pulid('edg'), PRIMARY KEY (b, a));
SELECT is(prefixed_ulid.resolve('edg_01jq3v8f6a7b2c8d9e0f1g2h3j'), 'edge',
    'resolve: two columns of one key are no conflict');

CREATE TABLE long (id over_check PRIMARY KEY, found text, t text);
SELECT is(prefixed_ulid.resolve('subscription_01jq3v8f6a7b2c8d9e0f1g2h3j'), 'long',
    'resolve: a prefix that is too long for a modifier');

-- find()

CREATE FUNCTION found(id pulid) RETURNS text LANGUAGE sql RETURN prefixed_ulid.find(id)::text;

INSERT INTO product VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'lamp');
INSERT INTO "Shop Two"."Order" VALUES ('ord_01jq3v8f6a7b2c8d9e0f1g2h3j');
INSERT INTO long VALUES ('subscription_01jq3v8f6a7b2c8d9e0f1g2h3j', 'f', 't');
INSERT INTO visit VALUES ('vis_01jq3v8f6a7b2c8d9e0f1g2h3j', '2025-03-24', 'once'),
    ('vis_71jq3v8f6a7b2c8d9e0f1g2h3j', '2025-03-24', 'twice'),
    ('vis_71jq3v8f6a7b2c8d9e0f1g2h3j', '2025-03-25', 'twice');
INSERT INTO grandchild VALUES ('par_01jq3v8f6a7b2c8d9e0f1g2h3j', 'oth_01jq3v8f6a7b2c8d9e0f1g2h3j');
INSERT INTO customer VALUES ('ten_01jq3v8f6a7b2c8d9e0f1g2h3j', 'cus_01jq3v8f6a7b2c8d9e0f1g2h3j');
CREATE TABLE invoice (id text PRIMARY KEY DEFAULT pulid_generate('inv'),
    CHECK (pulid_is_canonical(id, 'inv')));
INSERT INTO invoice VALUES ('inv_01jq3v8f6a7b2c8d9e0f1g2h3j');
CREATE TABLE receipt (id of_varchar PRIMARY KEY, b bytea, c timestamptz);
INSERT INTO receipt VALUES ('var_01jq3v8f6a7b2c8d9e0f1g2h3j', '\x00', NULL);

SELECT is(found(id::pulid), expected, 'find: ' || id)
FROM (VALUES
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', '{"id": "prd_01jq3v8f6a7b2c8d9e0f1g2h3j", "name": "lamp"}'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3k', NULL), ('xyz_01jq3v8f6a7b2c8d9e0f1g2h3j', NULL),
    ('ord_01jq3v8f6a7b2c8d9e0f1g2h3j', '{"Id": "ord_01jq3v8f6a7b2c8d9e0f1g2h3j"}'),
    ('subscription_01jq3v8f6a7b2c8d9e0f1g2h3j',
     '{"t": "t", "id": "subscription_01jq3v8f6a7b2c8d9e0f1g2h3j", "found": "f"}'),
    ('vis_01jq3v8f6a7b2c8d9e0f1g2h3j',
     '{"at": "2025-03-24", "id": "vis_01jq3v8f6a7b2c8d9e0f1g2h3j", "note": "once"}'),
    ('par_01jq3v8f6a7b2c8d9e0f1g2h3j',
     '{"id": "par_01jq3v8f6a7b2c8d9e0f1g2h3j", "other": "oth_01jq3v8f6a7b2c8d9e0f1g2h3j"}'),
    ('INV_01JQ3V8F6A7B2C8D9E0F1G2H3J', '{"id": "inv_01jq3v8f6a7b2c8d9e0f1g2h3j"}'),
    ('var_01jq3v8f6a7b2c8d9e0f1g2h3j',
     '{"b": "\\x00", "c": null, "id": "var_01jq3v8f6a7b2c8d9e0f1g2h3j"}'),
    ('cus_01jq3v8f6a7b2c8d9e0f1g2h3j', '{"id": "cus_01jq3v8f6a7b2c8d9e0f1g2h3j", "tenant": '
     '"ten_01jq3v8f6a7b2c8d9e0f1g2h3j", "parent_id": null}')) AS v(id, expected);
SELECT is(prefixed_ulid.find(NULL), NULL, 'find: no id, no row');
SELECT results_eq(
    format($$SELECT * FROM error_of(%L)$$,
           'SELECT prefixed_ulid.find(''vis_71jq3v8f6a7b2c8d9e0f1g2h3j'')'),
    $$VALUES ('21000', 'more than one row of visit has the id "vis_71jq3v8f6a7b2c8d9e0f1g2h3j"',
              'The id is only a part of the primary key.')$$,
    'find: an id that is not alone the key may lead to several rows');

CREATE FUNCTION plan_of(id text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE 'EXPLAIN (COSTS OFF) '
        || replace(prefixed_ulid.find_statement(id::pulid), '$1', quote_literal(id) || '::pulid');
END $$;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
SELECT results_eq(format('SELECT plan_of(%L)', id), expected, 'find uses the index: ' || id)
FROM (VALUES
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', ARRAY['Index Scan using product_pkey on product found',
     '  Index Cond: (id = ''prd_01jq3v8f6a7b2c8d9e0f1g2h3j''::pulid)']),
    ('inv_01jq3v8f6a7b2c8d9e0f1g2h3j', ARRAY['Index Scan using invoice_pkey on invoice found',
     '  Index Cond: (id = ''inv_01jq3v8f6a7b2c8d9e0f1g2h3j''::text)']),
    ('var_01jq3v8f6a7b2c8d9e0f1g2h3j', ARRAY['Index Scan using receipt_pkey on receipt found',
     '  Index Cond: ((id)::text = ''var_01jq3v8f6a7b2c8d9e0f1g2h3j''::text)']),
    ('vis_01jq3v8f6a7b2c8d9e0f1g2h3j', ARRAY[
     'Index Scan using visit_1_1_pkey on visit_1_1 found',
     '  Index Cond: (id = ''vis_01jq3v8f6a7b2c8d9e0f1g2h3j''::pulid)'])) AS v(id, expected);
RESET enable_seqscan;
RESET enable_bitmapscan;

-- Rights

CREATE ROLE prefixed_ulid_reader;
GRANT SELECT ON "Shop Two"."Order", visit TO prefixed_ulid_reader;
GRANT USAGE ON SCHEMA hostile TO prefixed_ulid_reader;
-- A policy finds what it is used to finding on the caller's search_path.
CREATE FUNCTION hostile.allowed() RETURNS text LANGUAGE plpgsql STABLE AS
    'BEGIN RETURN (SELECT a FROM allowance); END';
CREATE TABLE hostile.allowance (a text);
INSERT INTO hostile.allowance VALUES ('once');
GRANT SELECT ON hostile.allowance TO prefixed_ulid_reader;
ALTER TABLE visit ENABLE ROW LEVEL SECURITY;
CREATE POLICY allowance ON visit USING (note = hostile.allowed());
SET ROLE prefixed_ulid_reader;
SET search_path = hostile, public;
SELECT is((SELECT count(*)::int FROM prefixed_ulid.columns WHERE prefix = 'prd'
           AND table_name IN ('public.product'::regclass, 'public.detail'::regclass)), 2,
    'Who may not read a table may know its columns, as in the catalogs');
SELECT is(prefixed_ulid.resolve('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), 'public.product',
    'and its name');
SELECT throws_ok($$SELECT prefixed_ulid.find('prd_01jq3v8f6a7b2c8d9e0f1g2h3j')$$,
    '42501', 'permission denied for table product', 'but not its rows');
SELECT throws_ok($$SELECT prefixed_ulid.find('ord_01jq3v8f6a7b2c8d9e0f1g2h3j')$$,
    '42501', 'permission denied for schema Shop Two', 'nor those in a schema that is closed');
SELECT isnt(public.found('vis_01jq3v8f6a7b2c8d9e0f1g2h3j'), NULL, 'A row that a policy shows');
SELECT is(public.found('vis_71jq3v8f6a7b2c8d9e0f1g2h3j'), NULL, 'and some that it hides');
RESET search_path;
SELECT throws_ok($$INSERT INTO prefixed_ulid.reserved VALUES ('abc')$$, '42501',
    'permission denied for table reserved', 'Not everybody reserves prefixes');
SELECT lives_ok('SELECT * FROM prefixed_ulid.reserved', 'but may see them');
RESET ROLE;

-- reserved

SELECT lives_ok($$INSERT INTO prefixed_ulid.reserved
    VALUES ('old', 'legacy orders, until 2024'), ('any', NULL)$$, 'Prefixes are reserved');
SELECT throws_ok($$INSERT INTO prefixed_ulid.reserved VALUES ('old')$$, '23505', NULL, 'once');
SELECT throws_ok($$INSERT INTO prefixed_ulid.reserved VALUES ('Old')$$, '22023',
    'invalid prefix: "Old"', 'if well-formed');
SELECT throws_ok($$INSERT INTO prefixed_ulid.reserved VALUES ('')$$, '23514', NULL,
    'and not empty');
SELECT throws_ok($$INSERT INTO prefixed_ulid.reserved VALUES (NULL)$$, '23502', NULL, 'or NULL');

-- The functions that read expressions meet other trees than those that are meant for them.

SELECT lives_ok(
    $$SELECT prefixed_ulid.default_prefix(tree), prefixed_ulid.check_prefixes(tree, 1::smallint)
      FROM (SELECT ev_qual FROM pg_rewrite UNION ALL SELECT ev_action FROM pg_rewrite
            UNION ALL SELECT proargdefaults FROM pg_proc UNION ALL SELECT prosqlbody FROM pg_proc
            UNION ALL SELECT indpred FROM pg_index UNION ALL SELECT indexprs FROM pg_index
            UNION ALL SELECT tgqual FROM pg_trigger UNION ALL SELECT polqual FROM pg_policy
            UNION ALL SELECT conbin FROM pg_constraint UNION ALL SELECT adbin FROM pg_attrdef
            UNION ALL SELECT partexprs FROM pg_partitioned_table
            UNION ALL SELECT relpartbound FROM pg_class) AS t(tree)$$,
    'No tree in the catalogs makes them fail');
SELECT is(prefixed_ulid.modifier_prefix(code), expected, format('Modifier %s', code))
FROM (VALUES (-1, NULL), (0, ''), (481890304, NULL), (27, NULL), (-2147483648, NULL),
             (2147483647, NULL)) AS v(code, expected);

-- A stored tree may speak of a function that is gone.
CREATE TABLE kept AS SELECT adbin FROM pg_attrdef WHERE adrelid = 'defaulted'::regclass;
CREATE TABLE kept_check AS SELECT conbin FROM pg_constraint WHERE conrelid = 'misled'::regclass;
DROP TABLE defaulted, misled;
DROP FUNCTION named(), named_text(), hostile.pulid_has_prefix(pulid, text),
    hostile.pulid_generate(text), chosen(text), old_style(), atomic(), twice(), nothing();
SELECT lives_ok($$SELECT prefixed_ulid.default_prefix(adbin) FROM kept
    UNION ALL SELECT prefixed_ulid.check_prefixes(conbin, 1::smallint) FROM kept_check$$,
    'nor one that names what has been dropped');

SELECT * FROM finish();
ROLLBACK;
