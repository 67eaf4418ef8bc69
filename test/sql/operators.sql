-- Operators, aggregates and casts between pulid, text, varchar and uuid: what works, what never
-- raises, what is refused because no cast is implicit.
\set SHOW_CONTEXT never
-- an id is written short here: prd_2 for prd_00000000000000000000000002
CREATE FUNCTION long(short text) RETURNS text LANGUAGE sql IMMUTABLE
    AS $$ SELECT regexp_replace(short, '([0-9])$', '0000000000000000000000000\1') $$;
CREATE TABLE product (id pulid, t text, v varchar(40));
INSERT INTO product SELECT long(s)::pulid, long(s), long(s)
FROM unnest('{prd_2,prd_1,a_b_1,ab_1,a_1,1,prda_1}'::text[]) s;
SELECT id FROM product ORDER BY id;
-- the order is that of the bytes of the text, whatever the collation of the database
SELECT bool_and((a.id < b.id) = (a.t < b.t COLLATE "C")
            AND (a.id <= b.id) = (a.t <= b.t COLLATE "C")
            AND (a.id = b.id) = (a.t = b.t) AND (a.id <> b.id) = (a.t <> b.t)
            AND (a.id >= b.id) = (a.t >= b.t COLLATE "C")
            AND (a.id > b.id) = (a.t > b.t COLLATE "C")) AS ids,
       bool_and((a.id < b.t) = (a.id < b.id) AND (a.id <= b.t) = (a.id <= b.id)
            AND (a.id = b.t) = (a.id = b.id) AND (a.id <> b.t) = (a.id <> b.id)
            AND (a.id >= b.t) = (a.id >= b.id) AND (a.id > b.t) = (a.id > b.id)) AS id_and_text,
       bool_and((a.t < b.id) = (a.id < b.id) AND (a.t <= b.id) = (a.id <= b.id)
            AND (a.t = b.id) = (a.id = b.id) AND (a.t <> b.id) = (a.id <> b.id)
            AND (a.t >= b.id) = (a.id >= b.id) AND (a.t > b.id) = (a.id > b.id)) AS text_and_id,
       bool_and(pulid_cmp(a.id, b.id) = -pulid_cmp(b.id, a.id)
            AND pulid_cmp_text(a.id, b.t) = -text_cmp_pulid(b.t, a.id)
            AND pulid_cmp(a.id, b.id) = pulid_cmp_text(a.id, b.t)) AS cmp,
       count(*)
FROM product a, product b;
-- text that is no id is an error nowhere: it is not equal, and has its place in the order
SELECT t, id < t AS lt, id <= t AS le, id = t AS eq, id <> t AS ne, id >= t AS ge, id > t AS gt,
       t = id AS eq_rev, t < id AS lt_rev, id ^@ t AS starts
FROM (VALUES ('prd_00000000000000000000000001'::pulid)) i(id), (VALUES
    (''), ('p'), ('prd_'), ('prd_00000000000000000000000001'), ('prd_000000000000000000000000010'),
    ('PRD_00000000000000000000000001'), ('prd'),
    (' prd_00000000000000000000000001'), ('prd_00000000000000000000000001 '), ('q'), ('prd-'),
    ('~'), (NULL)) v(t);
SELECT id = repeat('prd_', 250000) AS megabyte, id < E'prd\u00e9'::text AS not_ascii,
       id = E'prd_\u20ac'::text AS euro, id ^@ repeat('prd_', 250000) AS starts
FROM product WHERE t = 'prd_00000000000000000000000001';
-- a literal is an id, unless it is said to be text
SELECT count(*) FROM product WHERE id = 'PRD_00000000000000000000000001';
SELECT count(*) FROM product WHERE id = 'PRD_00000000000000000000000001'::text;
SELECT count(*) FROM product WHERE id = 'foo'::text;
SELECT count(*) FROM product WHERE id = 'foo';
-- starts with
SELECT long(s) AS id, long(s)::pulid ^@ 'prd' AS prd, long(s)::pulid ^@ 'prd_' AS prd_,
       long(s)::pulid ^@ 'prd_0' AS prd_0, long(s)::pulid ^@ 'PRD' AS upper,
       long(s)::pulid ^@ '' AS empty, long(s)::pulid ^@ NULL AS is_null
FROM unnest('{prd_1,prda_1,prd_a_1,1}'::text[]) s;
SELECT 'prd_1' ^@ 'prd' AS still_text, 'prd_1'::text ^@ 'prd' AS also_text;
-- patterns: those of the canonical text
SELECT p, id LIKE p AS "like", id NOT LIKE p AS not_like, id ILIKE p AS "ilike",
       id NOT ILIKE p AS not_ilike
FROM (VALUES ('prd_00000000000000000000000001'::pulid)) i(id), (VALUES
    ('prd%'), ('prd\_%01'), ('PRD%'), ('prd-%'), ('%'), (''), ('p'),
    ('prd_00000000000000000000000001'), (NULL)) v(p);
SELECT 'prd_00000000000000000000000001'::pulid LIKE 'prd\';
PREPARE search(varchar) AS SELECT count(*) FROM product WHERE id ILIKE $1;
EXECUTE search('PRD\_%1');
CREATE INDEX product_id_text ON product ((id::text) text_pattern_ops);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT FROM product WHERE id LIKE 'prd\_0000000000000000000000000%';
RESET enable_seqscan;
DROP INDEX product_id_text;
DEALLOCATE search;
-- bytewise equality of texts
SELECT 'a' ~=~ 'a' AS same, 'a' ~=~ 'A' AS letter_case, 'a' ~=~ 'a ' AS blank, '' ~=~ '' AS empty,
       repeat('a', 1000000) ~=~ repeat('a', 1000000) AS megabyte,
       E'\u00e9' ~=~ E'e\u0301' AS normalization, 'a' ~=~ NULL AS is_null;
-- aggregates
SELECT min(id), max(id), count(DISTINCT id), count(id) FROM product;
SELECT min(id) IS NULL AS min, max(id) IS NULL AS max FROM product WHERE false;
SELECT min(id), max(id) FROM (VALUES (NULL::pulid), ('a_00000000000000000000000001')) v(id);
SELECT min('x'), max('x'), max(NULL) IS NULL AS unknown_is_text;
-- lists
SELECT DISTINCT id FROM (SELECT id FROM product UNION ALL SELECT id FROM product) p ORDER BY id;
SELECT id, count(*) FROM (SELECT id FROM product UNION ALL SELECT id FROM product) p
GROUP BY id HAVING pulid_has_prefix(id, 'prd') ORDER BY id;
SELECT id FROM product
WHERE id IN ('prd_00000000000000000000000001', 'A_00000000000000000000000001') ORDER BY id;
SELECT id FROM product WHERE id IN ('prd_00000000000000000000000001', 'foo');
SELECT id FROM product WHERE id = ANY ('{prd_00000000000000000000000001,foo}'::text[]);
SELECT id FROM product WHERE id = ANY ('{prd_00000000000000000000000001,foo}'::varchar[]);
SELECT id FROM product WHERE id = ANY (ARRAY['prd_00000000000000000000000001'::pulid, NULL]);
SELECT count(*) FROM product WHERE id <> ALL ('{prd_00000000000000000000000001,foo}'::text[]);
SELECT id FROM product WHERE id BETWEEN pulid_min('prd') AND pulid_max('prd') ORDER BY id;
SELECT id FROM product WHERE id BETWEEN 'prd_'::text AND 'prd_~'::text ORDER BY id;
SELECT count(*) FROM product WHERE id IN (SELECT t FROM product);
SELECT count(*) FROM product WHERE t NOT IN (SELECT id FROM product);
SELECT count(*) FROM product a JOIN product b ON a.id = b.v;
SELECT count(*) FROM product WHERE id IS DISTINCT FROM t OR NULLIF(id, id) IS NOT NULL
    OR CASE id WHEN t THEN false ELSE true END OR ROW(id, 1) <> ROW(t, 1);
-- under any search_path
SET search_path = '';
SELECT count(*) FROM public.product a JOIN public.product b USING (id)
WHERE a.id = a.t AND a.id = 'prd_00000000000000000000000001' AND a.id IS NOT DISTINCT FROM b.id;
RESET search_path;
-- parameters that a driver types as text or varchar, or leaves untyped
PREPARE find(varchar) AS SELECT id FROM product WHERE id = $1;
EXECUTE find('prd_00000000000000000000000001');
EXECUTE find('foo');
PREPARE find_any(text[]) AS SELECT id FROM product WHERE id = ANY ($1) ORDER BY id;
EXECUTE find_any('{prd_00000000000000000000000001,foo,a_00000000000000000000000001}');
PREPARE add(text, varchar) AS INSERT INTO product (id) VALUES ($1), ($2) RETURNING id;
EXECUTE add('PRD_00000000000000000000000003', 'prd_00000000000000000000000004');
EXECUTE add('prd_00000000000000000000000005', 'foo');
PREPARE change(varchar) AS UPDATE product SET id = $1 WHERE id = 'prd_00000000000000000000000003'
    RETURNING id;
EXECUTE change('prd_00000000000000000000000006');
PREPARE untyped AS SELECT id FROM product WHERE id = $1 AND id IN ($2, $3) AND id ^@ $4;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'untyped';
DEALLOCATE ALL;
DELETE FROM product WHERE t IS NULL;
-- casts that an assignment applies: text and varchar to pulid, pulid to text and varchar
CREATE TABLE copy (LIKE product);
INSERT INTO copy (id) SELECT v FROM product WHERE id = 'prd_00000000000000000000000001';
INSERT INTO copy (id) SELECT t FROM product WHERE id = 'prd_00000000000000000000000002';
UPDATE copy SET t = id, v = id;
SELECT * FROM copy ORDER BY id;
INSERT INTO copy (id) SELECT 'foo'::varchar;
\set VERBOSITY sqlstate
CREATE TABLE narrow (v varchar(10));
INSERT INTO narrow SELECT id FROM copy; -- 22001: too long, never cut
DROP TABLE narrow;
-- casts that must be written, or it is 42804: uuid, timestamptz
SELECT 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid::uuid,
       '0195c7b4-3cca-3ac4-c435-2e03c3014472'::uuid::pulid,
       'prd_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid::timestamptz
           = '2025-03-24 10:30:32.906+00' AS instant;
INSERT INTO copy (id) SELECT gen_random_uuid();
CREATE TABLE others (u uuid, s timestamptz);
INSERT INTO others (u) SELECT id FROM copy;
INSERT INTO others (s) SELECT id FROM copy;
DROP TABLE others;
-- casts that do not exist: 42846
SELECT id::timestamp FROM product;
SELECT id::bytea FROM product;
SELECT id::bigint FROM product;
-- nothing is implicit: functions and operators of text do not take an id (42883), and an id and a
-- text have no common type (42804)
SELECT upper(id) FROM product;
SELECT length(id) FROM product;
SELECT id ~ '^prd' FROM product;
SELECT id = gen_random_uuid() FROM product;
SELECT gen_random_uuid() = id FROM product;
SELECT id = 1 FROM product;
SELECT id < now() FROM product;
SELECT coalesce(id, 'x'::text) FROM product;
SELECT id FROM product UNION SELECT t FROM product;
SELECT ARRAY[id, t] FROM product;
CREATE FUNCTION takes_text(text) RETURNS text LANGUAGE sql AS 'SELECT $1';
CREATE FUNCTION takes_id(pulid) RETURNS text LANGUAGE sql AS 'SELECT $1::text';
SELECT takes_text(id) FROM product;
SELECT takes_id(t) FROM product;
\set VERBOSITY default
SELECT takes_id('A_00000000000000000000000001'), takes_text('a');
-- what does work: concatenation takes any type, and the text form is a cast away
SELECT id || '' AS concat, 'id: ' || id AS concat_2, format('%s', id), upper(id::text),
       id::text LIKE 'prd\_%' AS like FROM copy ORDER BY id LIMIT 1;
-- queries on text and varchar columns mean what they meant before
SELECT count(*) FROM product WHERE v = 'prd_00000000000000000000000001';
SELECT count(*) FROM product WHERE t = 'foo' OR v = 'foo' OR t = v AND v < 'a' AND v IN ('b', 'c');
-- foreign keys between an id and a text are refused at once (42804)
\set VERBOSITY sqlstate
CREATE TABLE parent (id pulid PRIMARY KEY, t text UNIQUE);
CREATE TABLE child (parent_id text REFERENCES parent);
CREATE TABLE child (parent_id varchar REFERENCES parent);
CREATE TABLE child (parent_id uuid REFERENCES parent);
CREATE TABLE child (parent_id pulid REFERENCES parent (t));
\set VERBOSITY default
-- between ids they work, with or without modifier
CREATE TABLE child (parent_id pulid('prd') REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE);
INSERT INTO parent VALUES ('prd_00000000000000000000000001'), ('usr_00000000000000000000000001');
INSERT INTO child VALUES ('prd_00000000000000000000000001');
INSERT INTO child VALUES ('prd_00000000000000000000000002');
UPDATE parent SET id = 'prd_00000000000000000000000003' WHERE id = 'prd_00000000000000000000000001';
SELECT * FROM child;
DELETE FROM parent WHERE id = 'prd_00000000000000000000000003'::text;
SELECT count(*) FROM child;
DROP TABLE product, copy, child, parent;
DROP FUNCTION long, takes_text, takes_id;
