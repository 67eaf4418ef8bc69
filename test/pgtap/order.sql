-- Order: ids sort as id::text COLLATE "C", by every way that the server has to sort, over prefixes
-- chosen to
-- mislead a sort key; and pulid against text compares as the two texts do.
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
SET LOCAL jit = off;
SET LOCAL work_mem = '64MB';

SELECT plan(47);

CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; result text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        result := result || line || E'\n';
    END LOOP;
    RETURN result;
END $$;

-- How many ids of a query stand behind an id with a greater text.
CREATE FUNCTION inversions(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE result bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM (
                        SELECT t, lag(t) OVER (ROWS UNBOUNDED PRECEDING) AS previous
                        FROM (SELECT id::text COLLATE "C" AS t FROM (%s OFFSET 0) q OFFSET 0) r) s
                    WHERE previous > t', query) INTO result;
    RETURN result;
END $$;

CREATE TABLE prefix (p text, n int GENERATED ALWAYS AS IDENTITY);
INSERT INTO prefix (p) VALUES
    (''), ('a'), ('a_a'), ('a_b'), ('a__b'), ('a_z'), ('aa'), ('ab'), ('ab_c'), ('abcde'),
        ('abcdef'),
    ('abcdef_g'), ('abcdefa'), ('abcdefg'), ('abcdefgh'), ('abcdefz'), ('abcdeg'), ('abcd_f'),
        ('b'), ('prd'),
    ('prda'), ('prd_a'), ('pre_fix'), ('prefix'), ('z'), ('z_z'), ('zz'), ('zzzzz'), ('zzzzzz'),
        ('zzzzzzz'),
    ('zzzzz_z'), (repeat('a', 62)), (repeat('a', 63)), (repeat('a', 62) || 'b'), ('a' || repeat('_',
        61) || 'a'),
    ('a' || repeat('_', 61) || 'b'), (repeat('z', 62)), (repeat('z', 63));

-- Bodies: the ends, neighbours that differ in the last bits only (in one half and across the
-- halves), and random ones.
CREATE TABLE body (u uuid);
INSERT INTO body VALUES
    ('00000000-0000-0000-0000-000000000000'), ('00000000-0000-0000-0000-000000000001'),
    ('ffffffff-ffff-ffff-ffff-ffffffffffff'), ('ffffffff-ffff-ffff-ffff-fffffffffffe'),
    ('7fffffff-ffff-ffff-ffff-ffffffffffff'), ('80000000-0000-0000-0000-000000000000'),
    ('01890a5d-ac96-774b-bcce-b302099a8057'), ('01890a5d-ac96-774b-bcce-b302099a8058'),
    ('01890a5d-ac96-774b-ffff-ffffffffffff'), ('01890a5d-ac96-774c-0000-000000000000'),
    ('01890a5d-ac96-774d-0000-000000000000'), ('01890a5d-ac96-774f-0000-000000000000'),
    ('01890a5d-ac96-7750-0000-000000000000'), ('01890a5d-0000-0000-0000-000000000000'),
    ('01890a5d-ffff-ffff-ffff-ffffffffffff'), ('01890a5e-0000-0000-0000-000000000000');
INSERT INTO body SELECT md5('body ' || i)::uuid FROM generate_series(1, 34) i;

-- 38 prefixes x 50 bodies in an order that has nothing to do with theirs.
CREATE TABLE few AS
SELECT pulid_from_uuid(p, u) AS id, n FROM prefix, body ORDER BY md5(p || u);
CREATE TABLE many AS
SELECT pulid_from_uuid(p, md5(i::text)::uuid) AS id, n
FROM generate_series(1, 60000) i JOIN prefix ON n = 1 + abs(hashint4(i) % 38);
CREATE TABLE one_prefix AS
SELECT pulid_from_uuid('prd', ('01890a5d' || right(md5(i::text), 24))::uuid) AS id
    FROM generate_series(1, 60000) i;
CREATE TABLE few_distinct AS
SELECT pulid_from_uuid(p, md5(p)::uuid) AS id
FROM generate_series(1, 60000) i JOIN prefix ON n = 1 + abs(hashint4(i) % 5);
CREATE TABLE late_variety AS
SELECT id FROM (SELECT pulid_min('prd') AS id FROM generate_series(1, 20000)) s UNION ALL SELECT id
    FROM many;
ANALYZE few, many, one_prefix, few_distinct, late_variety;

SELECT isnt_empty(
    $$SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id::text) AS local,
                             row_number() OVER (ORDER BY id::text COLLATE "C") AS bytewise
                                 FROM few) s
      WHERE local <> bytewise$$,
    'The default collation of this database sorts the same texts otherwise, so that it would show');
SELECT isnt(inversions('SELECT id FROM few ORDER BY id::text'), 0::bigint,
    'The measure of these tests sees a wrong order');
SELECT is(count(*)::int, 1900, 'There are ids of every prefix') FROM few;

-- Sorts

SELECT matches(plan_of('SELECT id FROM few ORDER BY id'), 'Sort', 'Few rows are sorted');
SELECT is(inversions('SELECT id FROM few ORDER BY id'), 0::bigint,
    'Few rows sort in byte order of the text');
SELECT is(inversions('SELECT id FROM few ORDER BY id LIMIT 500'), 0::bigint,
    'The first rows of a sort are in byte order of the text');
SELECT results_eq('SELECT id FROM few ORDER BY id LIMIT 500',
    'SELECT id FROM few ORDER BY id::text COLLATE "C" LIMIT 500',
    'The first rows of a sort are those of the text');
SELECT results_eq('SELECT id FROM few ORDER BY id DESC LIMIT 500',
    'SELECT id FROM few ORDER BY id::text COLLATE "C" DESC LIMIT 500',
    'The last rows of a sort are those of the text');
SELECT is(inversions('SELECT id FROM few ORDER BY n - n, id'), 0::bigint,
    'As the second key, which has no abbreviation, ids sort in byte order of the text');
SELECT is_empty(
    $$SELECT p FROM prefix WHERE 0 <> inversions(format(
        'SELECT id FROM (SELECT id FROM few ORDER BY (n = %s) DESC OFFSET 0) f ORDER BY id', n))$$,
    'The order holds whichever prefix a sort meets first');
SELECT is(inversions('SELECT id FROM many ORDER BY id'), 0::bigint,
    'Many rows of many prefixes sort in byte order of the text');
SELECT is_empty(
    $$SELECT p FROM prefix WHERE n % 4 = 0 AND 0 <> inversions(format(
        'SELECT id FROM (SELECT id FROM many ORDER BY (n = %s) DESC OFFSET 0) f ORDER BY id', n))$$,
    'The order of many rows holds whichever prefix a sort meets first');
SELECT is(inversions('SELECT id FROM one_prefix ORDER BY id'), 0::bigint,
    'Many rows of one prefix sort in byte order of the text');
SELECT is(inversions('SELECT id FROM few_distinct ORDER BY id'), 0::bigint,
    'Many rows of few ids, where abbreviation is given up, sort in byte order of the text');
SELECT is((SELECT count(DISTINCT id)::int FROM few_distinct), 5, 'Those were few ids');
SELECT is(inversions('SELECT id FROM late_variety ORDER BY id'), 0::bigint,
    'Rows that vary only after abbreviation was given up sort in byte order of the text');
SELECT
    is(inversions('SELECT id FROM (SELECT id FROM many UNION ALL SELECT id FROM few_distinct) u
        ORDER BY id'),
    0::bigint, 'Abbreviation that pays for a part only keeps the order');
SET LOCAL work_mem = '64kB';
SELECT is(inversions('SELECT id FROM many ORDER BY id'), 0::bigint,
    'A sort on disk keeps byte order of the text');
SET LOCAL work_mem = '64MB';
SELECT results_eq(
    $$SELECT id FROM (SELECT id FROM few UNION ALL SELECT NULL) u ORDER BY id NULLS FIRST LIMIT 2$$,
    $$VALUES (NULL::pulid), ('00000000000000000000000000')$$, 'NULLs sort first where asked');
SELECT results_eq(
    $$SELECT id FROM (SELECT id FROM few UNION ALL SELECT NULL) u ORDER BY id DESC LIMIT 2$$,
    $$VALUES (NULL::pulid), ((repeat('z', 63) || '_7' || repeat('z', 25))::pulid)$$,
    'NULLs sort as greater than every id');
SELECT is_empty(
    $$SELECT FROM (SELECT n, id, lag(id) OVER (PARTITION BY n ORDER BY id) AS previous FROM few) s
      WHERE (previous < id) IS DISTINCT FROM (pulid_uuid(previous) < pulid_uuid(id))$$,
    'Within a prefix the order is that of the uuid');
SELECT is_empty(
    $$SELECT p FROM prefix WHERE pulid_min(p) <> (SELECT min(id) FROM few WHERE few.n = prefix.n)
         OR pulid_max(p) <> (SELECT max(id) FROM few WHERE few.n = prefix.n)$$,
    'The smallest and the largest id of each prefix are pulid_min and pulid_max');

SET LOCAL min_parallel_table_scan_size = 0; SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0; SET LOCAL max_parallel_workers_per_gather = 2;
ALTER TABLE many SET (parallel_workers = 2);
SELECT matches(plan_of('SELECT id FROM many ORDER BY id'), 'Gather Merge.*Sort',
    'A sort can be parallel');
SELECT is(inversions('SELECT id FROM many ORDER BY id'), 0::bigint,
    'A parallel sort, where each process has its own anchor, keeps byte order of the text');
SELECT results_eq('SELECT min(id), max(id), count(DISTINCT id) FROM many',
    $$SELECT min(id::text COLLATE "C")::pulid, max(id::text COLLATE "C")::pulid,
        count(DISTINCT id::text) FROM many$$,
    'Parallel min and max are those of the text');
SET LOCAL max_parallel_workers_per_gather = 0;

-- Indexes

CREATE INDEX many_id ON many (id);
CREATE INDEX few_distinct_id ON few_distinct (id);
CREATE INDEX few_n ON few (n);
CREATE TABLE grown (id pulid);
CREATE INDEX grown_id ON grown (id);
INSERT INTO grown SELECT id FROM few;
ANALYZE grown;
SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
SELECT matches(plan_of('SELECT id FROM many ORDER BY id'), '^Index Only Scan using many_id',
    'The order can come from an index');
SELECT is(inversions('SELECT id FROM many ORDER BY id'), 0::bigint,
    'An index that was built by sorting is in byte order of the text');
SELECT is(inversions('SELECT id FROM grown ORDER BY id'), 0::bigint,
    'An index that grew by insertion is in byte order of the text');
SELECT matches(plan_of('SELECT id FROM many ORDER BY id DESC'), 'Index Only Scan Backward',
    'An index serves the reverse');
SELECT results_eq('SELECT id FROM many ORDER BY id DESC LIMIT 1000',
    'SELECT id FROM many ORDER BY id::text COLLATE "C" DESC LIMIT 1000',
    'An index read backward is in reverse order');
SELECT lives_ok($$SELECT bt_index_parent_check('many_id', true, true)$$,
    'amcheck finds the index that was built in parallel in order');
SELECT lives_ok($$SELECT bt_index_parent_check('grown_id', true, true)$$,
    'amcheck finds the index that grew in order');
SELECT lives_ok($$SELECT bt_index_parent_check('few_distinct_id', true, true)$$,
    'amcheck finds the index of repeated ids in order');

-- Incremental sort

SET LOCAL enable_sort = on; SET LOCAL enable_incremental_sort = on;
SELECT matches(plan_of('SELECT id FROM few ORDER BY n, id LIMIT 500'), 'Incremental Sort',
    'A sort can be incremental');
SELECT results_eq('SELECT n, id FROM few ORDER BY n, id LIMIT 500',
    'SELECT n, id FROM few ORDER BY n, id::text COLLATE "C" LIMIT 500',
    'An incremental sort keeps byte order of the text');
CREATE INDEX few_id ON few (id);
SELECT matches(plan_of('SELECT id, n FROM few ORDER BY id, n LIMIT 500'),
    'Incremental Sort.*few_id',
    'An incremental sort can begin with ids from the index');
SELECT results_eq('SELECT id, n FROM few ORDER BY id, n LIMIT 500',
    'SELECT id, n FROM few ORDER BY id::text COLLATE "C", n LIMIT 500',
    'An incremental sort behind ids from the index keeps their order');

-- Merge join

SET LOCAL enable_hashjoin = off; SET LOCAL enable_nestloop = off; SET LOCAL enable_seqscan = on;
CREATE TABLE half AS SELECT id, id::text AS t FROM many WHERE hashtext(id::text) % 2 = 0;
INSERT INTO half SELECT id, id::text FROM few;
ANALYZE half;
SELECT matches(plan_of('SELECT FROM many JOIN half USING (id)'), 'Merge Join', 'A join can merge');
SELECT is((SELECT count(*) FROM many JOIN half USING (id)),
    (SELECT count(*) FROM many JOIN half ON many.id::text COLLATE "C" = half.t COLLATE "C"),
    'A merge join finds what a join of the texts finds');
SELECT matches(plan_of('SELECT FROM many FULL JOIN half USING (id)'), 'Merge Full Join',
    'A full join can merge');
SELECT is((SELECT count(*) FROM many FULL JOIN half USING (id)),
    (SELECT count(*) FROM many FULL JOIN half ON many.id::text COLLATE "C" = half.t COLLATE "C"),
    'A full merge join finds what a full join of the texts finds');

-- Against text: ids, their fragments, and texts that are no ids

CREATE TABLE a_text (t text);
INSERT INTO a_text SELECT id::text FROM few WHERE pulid_uuid(id) IN (SELECT u FROM body LIMIT 4);
INSERT INTO a_text SELECT left(id::text, cut) FROM few, unnest('{1,2,7,27,-1}'::int[]) cut
WHERE pulid_uuid(id) = '01890a5d-ac96-774b-bcce-b302099a8057';
INSERT INTO a_text SELECT id::text || tail FROM few, unnest(ARRAY['0', ' ', '_', 'z', 'é', E'\x01',
    '~']) tail
WHERE pulid_uuid(id) = '01890a5d-ac96-774b-bcce-b302099a8057';
INSERT INTO a_text SELECT v FROM few, LATERAL (VALUES (upper(id::text)), (initcap(id::text)),
    (replace(id::text, '_', '-')), (replace(id::text, '0', 'o'))) AS w(v)
WHERE pulid_uuid(id) = '01890a5d-ac96-774b-bcce-b302099a8057';
INSERT INTO a_text VALUES (''), (' '), ('_'), ('a_'), ('__'), ('0'), ('7'), ('8'), ('é'),
    ('日本'),
    ('~'), (E'\x7f'),
    (repeat('z', 1000)), (repeat('0', 100000)), (repeat('0', 26)), (repeat('a', 62)), (repeat('a',
        90)), ('null');
CREATE TABLE an_id AS SELECT id FROM few
WHERE pulid_uuid(id) IN ('00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
                         '01890a5d-ac96-774b-bcce-b302099a8057',
                             '7fffffff-ffff-ffff-ffff-ffffffffffff');

SELECT cmp_ok(count(*), '>', 100000::bigint, 'Every id is compared with every text') FROM an_id,
    a_text;
SELECT is_empty(
    $$SELECT id, t FROM an_id, a_text, LATERAL (SELECT id::text COLLATE "C" AS i, t COLLATE "C"
        AS x) c
      WHERE (id < t, id <= t, id = t, id <> t, id >= t, id > t)
            <> (i < x, i <= x, i = x, i <> x, i >= x, i > x)$$,
    'An id compares with a text as its own text does in byte order');
SELECT is_empty(
    $$SELECT id, t FROM an_id, a_text, LATERAL (SELECT id::text COLLATE "C" AS i, t COLLATE "C"
        AS x) c
      WHERE (t < id, t <= id, t = id, t <> id, t >= id, t > id)
            <> (x < i, x <= i, x = i, x <> i, x >= i, x > i)
         OR pulid_cmp_text(id, t) <> sign(bttextcmp(i, x)) OR text_cmp_pulid(t,
             id) <> sign(bttextcmp(x, i))$$,
    'A text compares with an id as with its text in byte order');
SELECT is_empty(
    $$SELECT a.id, b.id FROM an_id a, an_id b,
          LATERAL (SELECT a.id::text COLLATE "C" AS x, b.id::text COLLATE "C" AS y) c
      WHERE (a.id < b.id, a.id <= b.id, a.id = b.id, a.id <> b.id, a.id >= b.id, a.id > b.id)
            <> (x < y, x <= y, x = y, x <> y, x >= y, x > y)
         OR pulid_cmp(a.id, b.id) <> sign(bttextcmp(x, y))$$,
    'Ids compare with each other as their texts do in byte order');

-- An index search remembers its text. Another text that differs in one character, wherever, is not
-- taken for it, be it an id or not.
SELECT is_empty(
    $$SELECT id, changed
      FROM (SELECT DISTINCT ON (n) id FROM few ORDER BY n, id) f
          CROSS JOIN generate_series(1, length(id::text)) AS at
          CROSS JOIN LATERAL (VALUES (overlay(id::text PLACING '!' FROM at)),
              (overlay(id::text PLACING translate(substr(id::text, at, 1), '0a_', '1b!') FROM at)))
              AS v (changed)
      WHERE pulid_cmp_text(id, id::text) <> 0
         OR (id = changed) IS DISTINCT FROM (id::text = changed)
         OR pulid_cmp_text(id, changed) IS DISTINCT FROM
            sign(bttextcmp(id::text COLLATE "C", changed))::int
         OR NOT id = id::text$$,
    'A text that differs in one character from the one before is another');
SELECT is_empty(
    $$SELECT written FROM few, (VALUES (''), ('prd'), (repeat('z', 200))) AS v (written)
      WHERE pulid_cmp_text(id, id::text) <> 0 OR id = written
         OR pulid_cmp_text(id, written) <> sign(bttextcmp(id::text COLLATE "C", written))::int$$,
    'Nor is one that is too short or too long');

SELECT * FROM finish();
ROLLBACK;
