-- Storage: how many bytes an id takes, and that an id with the 4-byte header, as array elements
-- have it,
-- is the same id as one with the short header wherever it is stored, compared, hashed, sorted or
-- indexed.
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
CREATE EXTENSION IF NOT EXISTS amcheck;
SET LOCAL max_parallel_workers_per_gather = 0;

SELECT plan(87);

CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; result text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        result := result || line || E'\n';
    END LOOP;
    RETURN result;
END $$;

CREATE TABLE modified (id pulid('prd'));

-- Sizes. The planner gives every constant the 4-byte header, so the arguments stand in a table.

CREATE TEMP TABLE arg (t text, p text, u uuid, ts timestamptz, element pulid, bare pulid,
    bare_element pulid);
INSERT INTO arg VALUES
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd', 'ffffffff-ffff-ffff-ffff-ffffffffffff', '2025-01-01',
     (ARRAY['prd_01jq3v8f6a7b2c8d9e0f1g2h3j']::pulid[])[1], '01jq3v8f6a7b2c8d9e0f1g2h3j',
     (ARRAY['01jq3v8f6a7b2c8d9e0f1g2h3j']::pulid[])[1]);

CREATE TEMP TABLE prefix (p text, expected int);
INSERT INTO prefix VALUES ('', 17), ('a', 18), ('prd', 20), ('a_b', 20), (repeat('z', 62), 79),
    (repeat('z', 63), 80);
CREATE TEMP TABLE sized AS SELECT pulid_from_uuid(prefix.p, u) AS id, expected FROM arg, prefix;
SELECT is_empty(
    $$SELECT id, pg_column_size(id) FROM sized WHERE pg_column_size(id) <> expected$$,
    'A stored id takes 17 bytes and one for each character of its prefix');

SELECT is(pg_column_size(id), 20, 'The short header is returned by ' || name)
FROM arg, LATERAL (VALUES
    ('the input function', pulid_in(textout(t), 0, -1)),
    ('the input function with a modifier', (jsonb_populate_record(NULL::modified,
        jsonb_build_object('id', t))).id),
    ('pulid_generate', pulid_generate(p)),
    ('pulid_generate with an instant', pulid_generate(p, ts)),
    ('pulid_generate_v4', pulid_generate_v4(p)),
    ('pulid_generate_v7', pulid_generate_v7(p)),
    ('pulid_from_uuid', pulid_from_uuid(p, u)),
    ('pulid_with_prefix', pulid_with_prefix(bare, p)),
    ('pulid_with_prefix on the same prefix', pulid_with_prefix(element, p)),
    ('pulid_parse', pulid_parse(t)),
    ('pulid_parse with a prefix', pulid_parse(t, p)),
    ('pulid_try_parse', pulid_try_parse(t)),
    ('pulid_try_parse with a prefix', pulid_try_parse(t, p)),
    ('pulid_tidy', pulid_tidy(t)),
    ('pulid_tidy with a prefix', pulid_tidy(replace(t, '_', ' '), p)),
    ('pulid_min', pulid_min(p)),
    ('pulid_max', pulid_max(p)),
    ('pulid_lower_bound', pulid_lower_bound(p, ts)),
    ('pulid_upper_bound', pulid_upper_bound(p, ts)),
    ('the cast from text', t::pulid),
    ('the cast from varchar', t::varchar::pulid),
    ('the coercion to a modifier', element::pulid('prd')),
    ('pulid_smaller', pulid_smaller(element, pulid_max(p))),
    ('pulid_larger', pulid_larger(element, pulid_min(p)))
) AS result(name, id);
SELECT is(pg_column_size(pulid_generate()), 17, 'The short header is returned by pulid_generate()');
SELECT is(pg_column_size(pulid_strip_prefix(element)), 17,
    'The short header is returned by pulid_strip_prefix') FROM arg;
SELECT is(pg_column_size(pulid_strip_prefix(bare_element)), 17,
    'The short header is returned by pulid_strip_prefix for a bare ULID') FROM arg;
SELECT is(pg_column_size(u::pulid), 17, 'The short header is returned by the cast from uuid')
    FROM arg;
SELECT is(
    (SELECT ARRAY[pg_column_size(min(id)), pg_column_size(max(id))]
     FROM
         unnest('{prd_01jq3v8f6a7b2c8d9e0f1g2h3j,prd_00000000000000000000000000,
             prd_7zzzzzzzzzzzzzzzzzzzzzzzzz}'::pulid[]) id),
    '{20,20}', 'min and max of array elements have the short header');

-- PostgreSQL gives every constant of variable length the 4-byte header, a literal as well as a
-- parameter of a custom plan, and plain storage forbids it to shorten the value. The README
-- says so.
INSERT INTO modified VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j');
SELECT is(pg_column_size(id), 23, 'A literal is stored with the 4-byte header') FROM modified;
DELETE FROM modified;
DO $$
DECLARE value pulid := 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j';
BEGIN
    INSERT INTO modified VALUES (value);
END $$;
SELECT is(pg_column_size(id), 23, 'A parameter is stored with the 4-byte header') FROM modified;

SELECT is(pg_column_size((ARRAY['prd_01jq3v8f6a7b2c8d9e0f1g2h3j']::pulid[])[1]), 23,
    'An array element has the 4-byte header, so that the tests below mix both');

-- No TOAST

CREATE TABLE toastless (id pulid PRIMARY KEY, owner pulid('usr') NOT NULL, n bigint, u uuid);
SELECT is(reltoastrelid::int, 0, 'A table of ids has no TOAST table')
FROM pg_class WHERE oid = 'toastless'::regclass;
SELECT is(attstorage::text, 'p', 'A column of ids has plain storage')
FROM pg_attribute WHERE attrelid = 'toastless'::regclass AND attname = 'id';

CREATE TABLE wide (id pulid PRIMARY KEY, filler text);
INSERT INTO wide SELECT pulid_from_uuid(prefix.p, u), filler
FROM arg, prefix, (SELECT string_agg(md5(i::text), '') FROM generate_series(1, 2000) i) f(filler)
WHERE expected = 80;
SELECT results_eq(
    $$SELECT pg_column_size(id), pg_column_compression(id) FROM wide$$, $$VALUES (80, NULL::text)$$,
    'In a row that is too wide the id is neither compressed nor moved out');
SELECT throws_ok(
    $$ALTER TABLE wide ALTER id SET STORAGE extended$$, '0A000', NULL,
    'No column can be given another storage');

-- Both headers

CREATE FUNCTION as_element(pulid) RETURNS pulid LANGUAGE sql IMMUTABLE AS 'SELECT (ARRAY[$1])[1]';

-- 12 prefixes, 50 bodies each, every second id stored with the 4-byte header, then all once more
-- with
-- the other header.
CREATE TABLE source AS
SELECT row_number() OVER () AS n, pulid_from_uuid(prefix, md5(prefix || i)::uuid) AS id
FROM unnest(ARRAY['', 'a', 'a_b', 'ab', 'abcdef', 'abcdefg', 'abcdefh', 'b', 'prd', 'z', repeat('y',
    62),
                  repeat('y', 63)]) prefix, generate_series(1, 50) i;
CREATE TABLE mixed (n bigint, second boolean, id pulid);
INSERT INTO mixed SELECT n, false, CASE WHEN n % 2 = 0 THEN as_element(id) ELSE id END FROM source;
INSERT INTO mixed SELECT n, true, CASE WHEN n % 2 = 0 THEN id ELSE as_element(id) END FROM source;
ANALYZE mixed, source;

SELECT results_eq(
    $$SELECT pg_column_size(id) - length(pulid_prefix(id)), count(*)::int FROM mixed GROUP BY 1
        ORDER BY 1$$,
    $$VALUES (17, 600), (20, 600)$$,
    'Half of the stored ids have the short header, half the 4-byte header');
SELECT is_empty(
    $$SELECT FROM mixed JOIN source USING (n)
      WHERE NOT (mixed.id = source.id AND source.id = mixed.id AND mixed.id <= source.id
                 AND mixed.id >= source.id AND pulid_cmp(mixed.id, source.id) = 0
                 AND mixed.id = source.id::text AND source.id::text = mixed.id
                 AND pulid_cmp_text(mixed.id, source.id::text) = 0)
         OR mixed.id <> source.id OR mixed.id < source.id OR mixed.id > source.id
         OR mixed.id <> source.id::text$$,
    'Both headers are equal to each other and to the text');
SELECT is_empty(
    $$SELECT FROM mixed JOIN source USING (n)
      WHERE pulid_hash(mixed.id) <> pulid_hash(source.id)
         OR pulid_hash_extended(mixed.id, 4711) <> pulid_hash_extended(source.id, 4711)
         OR pulid_hash(mixed.id) <> pulid_hash_text(source.id::text)
         OR pulid_hash_extended(mixed.id, 4711) <> pulid_hash_text_extended(source.id::text,
             4711)$$,
    'Both headers hash alike, and as the text');
SELECT is(count(DISTINCT pulid_hash(id))::int, 600, 'Different ids have different hashes here')
FROM source;
SELECT is_empty(
    $$SELECT FROM mixed JOIN source USING (n)
      WHERE mixed.id::text <> source.id::text OR pulid_prefix(mixed.id) <> pulid_prefix(source.id)
         OR pulid_ulid(mixed.id) <> pulid_ulid(source.id) OR pulid_uuid(mixed.id) <>
             pulid_uuid(source.id)
         OR pulid_timestamp(mixed.id) <> pulid_timestamp(source.id)
         OR pulid_inspect(mixed.id)::text <> pulid_inspect(source.id)::text
         OR pulid_send(mixed.id) <> pulid_send(source.id)
         OR textin(pulid_out(mixed.id)) <> textin(pulid_out(source.id))
         OR NOT pulid_has_prefix(mixed.id, pulid_prefix(source.id))
         OR NOT mixed.id ^@ source.id::text
         OR NOT pulid_created_between(mixed.id, pulid_timestamp(source.id), 'infinity')$$,
    'Every accessor reads both headers alike');
SELECT results_eq(
    $$SELECT sign(pulid_cmp(a.id, b.id))::int, count(*)::int FROM mixed a, mixed b GROUP BY 1
        ORDER BY 1$$,
    $$VALUES (-1, 718800), (0, 2400), (1, 718800)$$,
    'Every pair of headers compares, and is equal only where the ids are');

-- Sorting and grouping

CREATE FUNCTION sorted_texts() RETURNS text LANGUAGE sql STABLE AS
    $$SELECT md5(string_agg(t, ' ')) FROM (SELECT id::text t FROM mixed
        ORDER BY id::text COLLATE "C") s$$;
SELECT is(md5(string_agg(id::text, ' ')), sorted_texts(), 'Both headers sort into one order')
FROM (SELECT id FROM mixed ORDER BY id OFFSET 0) s;
SELECT is(count(DISTINCT id)::int, 600, 'DISTINCT in an aggregate merges both headers') FROM mixed;
SET LOCAL enable_sort = off; SET LOCAL enable_hashagg = on;
SELECT matches(plan_of('SELECT id, count(*) FROM mixed GROUP BY id'), 'HashAggregate',
    'Grouping can hash');
SELECT results_eq(
    $$SELECT count(*)::int, min(c)::int, max(c)::int FROM (SELECT id, count(*) c FROM mixed
        GROUP BY id) g$$,
    $$VALUES (600, 2, 2)$$, 'Grouping by hash merges both headers');
SELECT is((SELECT count(*)::int FROM (SELECT DISTINCT id FROM mixed) d), 600,
    'DISTINCT by hash merges both headers');
SET LOCAL enable_sort = on; SET LOCAL enable_hashagg = off;
SELECT matches(plan_of('SELECT id, count(*) FROM mixed GROUP BY id'), 'GroupAggregate.*Sort',
    'Grouping can sort');
SELECT results_eq(
    $$SELECT count(*)::int, min(c)::int, max(c)::int FROM (SELECT id, count(*) c FROM mixed
        GROUP BY id) g$$,
    $$VALUES (600, 2, 2)$$, 'Grouping by sort merges both headers');
SELECT is((SELECT count(*)::int FROM (SELECT DISTINCT id FROM mixed) d), 600,
    'DISTINCT by sort merges both headers');
RESET enable_hashagg;
SELECT is((SELECT count(*)::int FROM (SELECT id FROM mixed UNION SELECT as_element(id)
    FROM source) u), 600,
    'UNION merges both headers');
SELECT is_empty($$SELECT as_element(id) FROM source EXCEPT SELECT id FROM mixed$$,
    'EXCEPT finds both headers');

-- Joins

SET LOCAL enable_mergejoin = off; SET LOCAL enable_nestloop = off; SET LOCAL enable_hashjoin = on;
SELECT matches(plan_of('SELECT FROM mixed a JOIN mixed b USING (id)'), 'Hash Join',
    'A join can hash');
SELECT is(count(*)::int, 2400, 'A hash join matches both headers') FROM mixed a JOIN mixed b
    USING (id);
SELECT is(count(*)::int, 1200, 'A hash join with texts matches both headers')
FROM mixed a JOIN (SELECT id::text AS t FROM source) b ON a.id = b.t;
SET LOCAL enable_mergejoin = on; SET LOCAL enable_hashjoin = off;
SELECT matches(plan_of('SELECT FROM mixed a JOIN mixed b USING (id)'), 'Merge Join',
    'A join can merge');
SELECT is(count(*)::int, 2400, 'A merge join matches both headers') FROM mixed a JOIN mixed b
    USING (id);
RESET enable_hashjoin; RESET enable_nestloop;

-- Indexes. The non-unique index deduplicates, and keeps one header for all copies of an id.

CREATE INDEX mixed_id ON mixed (id);
CREATE INDEX mixed_hash ON mixed USING hash (id);
INSERT INTO mixed SELECT n, NULL, as_element(id) FROM source, generate_series(1, 20);
INSERT INTO mixed SELECT n, NULL, id FROM source, generate_series(1, 20);
ANALYZE mixed;

SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
SELECT matches(plan_of('SELECT id FROM mixed ORDER BY id'), 'Index Only Scan',
    'The order can come from an index');
SELECT is(md5(string_agg(id::text, ' ')), sorted_texts(),
    'An index keeps both headers in one order')
FROM (SELECT id FROM mixed ORDER BY id OFFSET 0) s;
SELECT is_empty(
    $$SELECT n FROM source WHERE (SELECT count(*) FROM mixed WHERE mixed.id = source.id) <> 42$$,
    'An id with the short header finds both headers in the btree');
SELECT is_empty(
    $$SELECT n FROM source WHERE (SELECT count(*) FROM mixed WHERE mixed.id = as_element(source.id))
        <> 42$$,
    'An id with the 4-byte header finds both headers in the btree');
SELECT is_empty(
    $$SELECT n FROM source WHERE (SELECT count(*) FROM mixed WHERE mixed.id = source.id::text) <>
        42$$,
    'A text finds both headers in the btree');
SELECT is((SELECT count(*)::int FROM mixed WHERE id = ANY (ARRAY(SELECT id FROM source))), 42 * 600,
    'An array of ids finds both headers in the btree');
DROP INDEX mixed_id;
SELECT matches(plan_of('SELECT id FROM mixed WHERE id = pulid_min(''a'')'),
    'Index Scan using mixed_hash',
    'A hash index is used for equality');
SELECT is_empty(
    $$SELECT n FROM source WHERE (SELECT count(*) FROM mixed WHERE mixed.id = source.id) <> 42$$,
    'An id with the short header finds both headers in the hash index');
SELECT is_empty(
    $$SELECT n FROM source WHERE (SELECT count(*) FROM mixed WHERE mixed.id = as_element(source.id))
        <> 42$$,
    'An id with the 4-byte header finds both headers in the hash index');
SELECT is_empty(
    $$SELECT n FROM source WHERE (SELECT count(*) FROM mixed WHERE mixed.id = source.id::text) <>
        42$$,
    'A text finds both headers in the hash index');
RESET enable_seqscan; RESET enable_bitmapscan;

CREATE INDEX mixed_id ON mixed (id);
CREATE INDEX mixed_plain ON mixed (id) WITH (deduplicate_items = off);
CREATE INDEX mixed_grown ON mixed (id, n);
INSERT INTO mixed SELECT n, NULL, CASE i % 2 WHEN 0 THEN as_element(id) ELSE id END
FROM source, generate_series(1, 40) i;
DELETE FROM mixed WHERE n % 7 = 0 AND second IS NULL;
CREATE TABLE single (id pulid PRIMARY KEY);
INSERT INTO single SELECT CASE WHEN n % 2 = 0 THEN as_element(id) ELSE id END FROM source
    ORDER BY md5(n::text);

SELECT cmp_ok(pg_relation_size('mixed_id') * 2, '<', pg_relation_size('mixed_plain'),
    'The index of repeated ids is deduplicated');
SELECT lives_ok(format('SELECT bt_index_check(%L, true)', index),
    'amcheck finds every heap tuple in ' || index)
FROM unnest('{mixed_id,mixed_plain,mixed_grown,single_pkey}'::text[]) index;
SELECT lives_ok(format('SELECT bt_index_parent_check(%L, true, true)', index),
    'amcheck finds parents and search keys in order in ' || index)
FROM unnest('{mixed_id,mixed_plain,mixed_grown,single_pkey}'::text[]) index;

SELECT throws_ok('INSERT INTO single SELECT as_element(id) FROM source WHERE n = 1', '23505', NULL,
    'A unique index of a short header refuses the 4-byte header');
SELECT throws_ok('INSERT INTO single SELECT id FROM source WHERE n = 2', '23505', NULL,
    'A unique index of a 4-byte header refuses the short header');
SELECT results_eq(
    $$WITH tried AS (
          INSERT INTO single SELECT CASE WHEN n % 2 = 0 THEN id ELSE as_element(id) END FROM source
          ON CONFLICT DO NOTHING RETURNING 1)
      SELECT count(*)::int FROM tried$$,
    $$VALUES (0)$$, 'ON CONFLICT sees the duplicate of the other header');

-- Hash partitions

CREATE TABLE part (id pulid, second boolean, PRIMARY KEY (id, second)) PARTITION BY HASH (id);
CREATE TABLE part_0 PARTITION OF part FOR VALUES WITH (MODULUS 4, REMAINDER 0);
CREATE TABLE part_1 PARTITION OF part FOR VALUES WITH (MODULUS 4, REMAINDER 1);
CREATE TABLE part_2 PARTITION OF part FOR VALUES WITH (MODULUS 4, REMAINDER 2);
CREATE TABLE part_3 PARTITION OF part FOR VALUES WITH (MODULUS 4, REMAINDER 3);
INSERT INTO part SELECT id, false FROM source;
INSERT INTO part SELECT as_element(id), true FROM source;
SELECT is_empty(
    $$SELECT FROM part a JOIN part b USING (id) WHERE a.tableoid <> b.tableoid$$,
    'Both headers go to the same hash partition');
SELECT is(count(DISTINCT tableoid)::int, 4, 'Every hash partition gets ids') FROM part;
SELECT is_empty(
    $$SELECT n FROM source WHERE (SELECT count(*) FROM part WHERE part.id = as_element(source.id))
        <> 2$$,
    'Both headers are found in hash partitions');

-- Containers

CREATE TABLE boxed (ids pulid[], row_ source, range_ text);
INSERT INTO boxed SELECT array_agg(mixed.id ORDER BY mixed.n), NULL, NULL FROM mixed WHERE second;
SELECT is((SELECT count(*)::int FROM boxed, unnest(ids) id JOIN source USING (id)), 600,
    'An array of both headers holds the same ids');
SELECT ok((SELECT array_agg(id ORDER BY n) FROM source) = (SELECT ids FROM boxed),
    'Arrays of both headers are equal');
SELECT ok((SELECT row(id) = row(as_element(id)) AND row(id)::text = row(as_element(id))::text
           FROM source WHERE n = 100), 'Rows of both headers are equal');
SELECT ok((SELECT hash_array(ARRAY[id]) = hash_array(ARRAY[as_element(id)]) FROM source
    WHERE n = 100),
    'Arrays of both headers hash alike');

SELECT * FROM finish();
ROLLBACK;
