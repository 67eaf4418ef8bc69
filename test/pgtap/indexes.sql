-- Indexes, joins, keys and partitions: which plans ids get, with ids and with strings as keys, and
-- that the rows are right.
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
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL jit = off;

SELECT plan(175);

CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; result text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        result := result || line || E'\n';
    END LOOP;
    RETURN result;
END $$;
CREATE FUNCTION n_of(query text) RETURNS int[] LANGUAGE plpgsql AS $$
DECLARE n int; result int[] := '{}';
BEGIN
    FOR n IN EXECUTE query LOOP result := result || n; END LOOP;
    RETURN (SELECT COALESCE(array_agg(i ORDER BY i), '{}') FROM unnest(result) i);
END $$;

-- Row n has an id of its own and a text that is the id of row n; every tenth text is no id.
CREATE TABLE t (id pulid PRIMARY KEY, n int, owner text DEFAULT 'postgres',
    filler text DEFAULT repeat('x', 40));
INSERT INTO t (id, n) SELECT pulid_from_uuid((ARRAY['prd', 'usr', 'a_b', ''])[1 + n % 4],
    md5(n::text)::uuid), n FROM generate_series(1, 20000) n;
CREATE TABLE s (t text, v varchar(100), n int);
INSERT INTO s SELECT CASE WHEN n % 10 = 0 THEN 'junk ' || n ELSE id::text END, id::text, n FROM t;
INSERT INTO s VALUES ('', '_', -1), (NULL, NULL, -2), (upper((SELECT id::text FROM t WHERE n = 1)),
    'é', -3);
CREATE INDEX s_t ON s (t);
ANALYZE t, s;
SELECT id::text AS id7 FROM t WHERE n = 7 \gset
SELECT id::text AS id8 FROM t WHERE n = 8 \gset
SELECT id::text AS id9 FROM t WHERE n = 9 \gset

-- The primary key with ids and strings as keys, in generic plans

SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE p1 AS SELECT n FROM t WHERE id = $1;
PREPARE p2(text) AS SELECT n FROM t WHERE id = $1;
PREPARE p3(varchar) AS SELECT n FROM t WHERE id = $1;
PREPARE p4(text) AS SELECT n FROM t WHERE $1 = id;
PREPARE p5(pulid) AS SELECT n FROM t WHERE id = $1;
PREPARE p6(text, text) AS SELECT n FROM t WHERE id IN ($1, $2);
PREPARE p7(text[]) AS SELECT n FROM t WHERE id = ANY ($1);
PREPARE p8(varchar[]) AS SELECT n FROM t WHERE id = ANY ($1);
PREPARE p9(pulid[]) AS SELECT n FROM t WHERE id = ANY ($1);
PREPARE p10 AS SELECT n FROM t WHERE id = ANY ($1);
PREPARE p11(text, text) AS SELECT n FROM t WHERE id BETWEEN $1 AND $2;
PREPARE p12(text[], text) AS SELECT n FROM t WHERE id = ANY ($1) AND id > $2;
PREPARE p13(text[], pulid) AS SELECT n FROM t WHERE id = ANY ($1) AND id >= $2;
PREPARE p14(text[], text[]) AS SELECT n FROM t WHERE id = ANY ($1) AND id = ANY ($2);
PREPARE p15(text, text) AS SELECT n FROM t WHERE id >= $1 AND id >= $2 AND id <= $1;
PREPARE p16(text, pulid) AS SELECT n FROM t WHERE id = $1 AND id = $2;
PREPARE p17(text[], pulid[]) AS SELECT n FROM t WHERE id = ANY ($1) AND id = ANY ($2);
SELECT matches(plan_of(format('EXECUTE %s', call)),
    E'(Scan on|Scan using) t_pkey.*\n +Index Cond: [^\n]*id',
    'A generic plan uses the primary key: ' || call)
FROM
    unnest('{"p1(NULL)","p2(NULL)","p3(NULL)","p4(NULL)","p5(NULL)","p6(NULL,NULL)","p7(NULL)",
        "p8(NULL)","p9(NULL)","p10(NULL)","p11(NULL,NULL)",
              "p12(NULL,NULL)","p13(NULL,NULL)","p14(NULL,NULL)","p15(NULL,NULL)",
                  "p16(NULL,NULL)","p17(NULL,NULL)"}'::text[]) call;
CREATE TEMP TABLE call (call text, expected int[]);
INSERT INTO call VALUES
    (format('p1(%L)', :'id7'), '{7}'), (format('p2(%L)', :'id7'), '{7}'), (format('p3(%L)', :'id7'),
        '{7}'),
    (format('p4(%L)', :'id7'), '{7}'), (format('p5(%L)', :'id7'), '{7}'), (format('p6(%L, %L)',
        :'id7', :'id8'), '{7,8}'),
    (format('p7(%L)', ARRAY[:'id9', 'junk', :'id7', '', :'id7', NULL]), '{7,9}'), (format('p8(%L)',
        ARRAY[:'id9', 'é', :'id7']), '{7,9}'),
    (format('p9(%L)', ARRAY[:'id9', :'id7', NULL]), '{7,9}'), (format('p10(%L)', ARRAY[:'id8',
        :'id7']), '{7,8}'),
    (format('p11(%L, %L)', least(:'id7' COLLATE "C", :'id8'), greatest(:'id7' COLLATE "C", :'id8')),
        (SELECT array_agg(n ORDER BY n) FROM t WHERE id::text COLLATE "C" BETWEEN least(:'id7'
            COLLATE "C", :'id8') AND greatest(:'id7' COLLATE "C", :'id8'))),
    (format('p12(%L, %L)', ARRAY[:'id9', 'zz', :'id7', '~', :'id8'], :'id8'),
        (SELECT COALESCE(array_agg(n ORDER BY n), '{}') FROM t WHERE n IN (7, 8, 9)
            AND id::text > :'id8' COLLATE "C")),
    (format('p13(%L, %L)', ARRAY[:'id9', 'zz', :'id7', '~', :'id8'], :'id8'),
        (SELECT COALESCE(array_agg(n ORDER BY n), '{}') FROM t WHERE n IN (7, 8, 9)
            AND id::text >= :'id8' COLLATE "C")),
    (format('p14(%L, %L)', ARRAY[:'id9', 'a', :'id7'], ARRAY['junk', 'a', :'id8', :'id7']), '{7}'),
    (format('p15(%L, %L)', :'id7', 'a'), (SELECT COALESCE(array_agg(n), '{}') FROM t WHERE n = 7
        AND id::text >= 'a' COLLATE "C")),
    (format('p16(%L, %L)', :'id7', :'id7'), '{7}'), (format('p16(%L, %L)', :'id7', :'id8'), '{}'),
    (format('p17(%L, %L)', ARRAY[:'id9', 'a', :'id7'], ARRAY[:'id8', :'id7']), '{7}'),
    (format('p2(%L)', upper(:'id7')), '{}'), ('p2('''')', '{}'), ('p2(''junk'')', '{}'),
        (format('p2(%L)', :'id7' || ' '), '{}'),
    ('p2(NULL)', '{}'), ('p3(''é'')', '{}'), ('p4(repeat(''x'', 100000))', '{}'), ('p7(''{}'')',
        '{}'), ('p7(''{NULL,junk}'')', '{}'),
    ('p11(''b'', ''a'')', '{}'), ('p11(''a'', ''a~'')', (SELECT array_agg(n ORDER BY n) FROM t
        WHERE pulid_has_prefix(id, 'a_b'))),
    ('p11('''', ''~'')', (SELECT array_agg(n ORDER BY n) FROM t));
SELECT is_empty($$SELECT call, n_of('EXECUTE ' || call), expected FROM call WHERE n_of('EXECUTE '
    || call) IS DISTINCT FROM expected$$,
    'Generic plans find the right rows, and none for junk');
SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_indexonlyscan
    = off;
DISCARD PLANS;
SELECT is_empty($$SELECT call, n_of('EXECUTE ' || call), expected FROM call WHERE n_of('EXECUTE '
    || call) IS DISTINCT FROM expected$$,
    'Without the index the same queries find the same rows');
RESET enable_indexscan; RESET enable_bitmapscan; RESET enable_indexonlyscan;
SET LOCAL plan_cache_mode = force_custom_plan;
SELECT is_empty($$SELECT call, n_of('EXECUTE ' || call), expected FROM call WHERE n_of('EXECUTE '
    || call) IS DISTINCT FROM expected$$,
    'Custom plans find the same rows');
RESET plan_cache_mode;

SELECT
    results_eq('SELECT parameter_types::text FROM pg_prepared_statements WHERE name IN (''p1'',
        ''p10'') ORDER BY name',
    $$VALUES ('{pulid}'), ('{pulid[]}')$$, 'A parameter without a type becomes a pulid');

CREATE FUNCTION estimate(query text) RETURNS numeric LANGUAGE plpgsql AS $$
DECLARE result json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO result;
    RETURN result #>> '{0,Plan,Plan Rows}';
END $$;
SELECT is(estimate(format('SELECT FROM t WHERE id = %L', :'id7')), 1::numeric,
    'An id is estimated at one row');
SELECT is(estimate(format('SELECT FROM t WHERE id = %L::text', :'id7')), 1::numeric,
    'A text is estimated at one row');
SELECT is(estimate(format('SELECT FROM t WHERE id IN (%L, %L)', :'id7', :'id8')), 2::numeric,
    'Two ids are estimated at two rows');

-- Constants and row comparisons

SELECT matches(plan_of(format('SELECT n FROM t WHERE id = %L::text', :'id7')), 'Index Cond',
    'A text constant uses the primary key');
SELECT matches(plan_of(format('SELECT n FROM t WHERE id IN (%L::text, %L::text)', :'id7', :'id8')),
    'on t_pkey', 'A list of texts uses the primary key');
SELECT
    matches(plan_of(format('SELECT n FROM t WHERE (id, n) > (%L::text, 5) ORDER BY id, n LIMIT 3',
    :'id7')), 'Index Cond: ',
    'A row comparison with a text uses the primary key');
SELECT is(n_of(format('SELECT n FROM t WHERE (id, n) > (%L::text, 0) ORDER BY id LIMIT 2', :'id7')),
    n_of(format('SELECT n FROM t WHERE id::text >= %L COLLATE "C" ORDER BY id::text COLLATE "C"
        LIMIT 2', :'id7')), 'And finds the right rows');

-- Kinds of index

SET LOCAL enable_seqscan = off;
CREATE TABLE k AS SELECT * FROM t;
CREATE UNIQUE INDEX k_unique ON k (id) INCLUDE (n);
ANALYZE k;
SET LOCAL enable_bitmapscan = off;
SELECT matches(plan_of('SELECT id, n FROM k WHERE id > pulid_min(''usr'')'),
    'Index Only Scan using k_unique', 'An index that includes a column is enough alone');
SELECT is((SELECT count(*)::int FROM k WHERE id > pulid_min('usr')), 5000,
    'And has the right rows');
SELECT throws_ok('INSERT INTO k SELECT * FROM t WHERE n = 7', '23505', NULL,
    'A unique index refuses a duplicate');
SELECT matches(plan_of('SELECT max(id) FROM k'), 'Index Only Scan Backward using k_unique',
    'max comes from the index');
SELECT matches(plan_of('SELECT min(id) FROM k'), 'Index Only Scan using k_unique',
    'min comes from the index');
SELECT results_eq('SELECT min(id), max(id) FROM k',
    'SELECT min(id::text COLLATE "C")::pulid, max(id::text COLLATE "C")::pulid FROM k',
    'And they are right');
DROP INDEX k_unique;
CREATE INDEX k_partial ON k (id) WHERE n < 100;
SELECT matches(plan_of(format('SELECT n FROM k WHERE id = %L::text AND n < 100', :'id7')),
    'using k_partial', 'A partial index serves a text');
SELECT is(n_of(format('SELECT n FROM k WHERE id = %L::text AND n < 100', :'id7')), '{7}',
    'And has the right row');
DROP INDEX k_partial;
CREATE INDEX k_prefix ON k (id) WHERE id >= 'prd_00000000000000000000000000'
    AND id <= 'prd_7zzzzzzzzzzzzzzzzzzzzzzzzz';
SELECT
    matches(plan_of('SELECT n FROM k WHERE id BETWEEN pulid_min(''prd'') AND pulid_max(''prd'')'),
    'k_prefix', 'A partial index of a prefix matches its bounds');
DROP INDEX k_prefix;
CREATE INDEX k_expression ON k (pulid_prefix(id), pulid_timestamp(id));
SELECT
    matches(plan_of('SELECT n FROM k WHERE pulid_prefix(id) = ''prd''
        AND pulid_timestamp(id) < ''1980-01-01'''), 'k_expression', 'The accessors can be indexed');
DROP INDEX k_expression;
CREATE INDEX k_hash ON k USING hash (id);
SELECT matches(plan_of(format('SELECT n FROM k WHERE id = %L', :'id7')), 'using k_hash',
    'A hash index serves an id');
SELECT matches(plan_of(format('SELECT n FROM k WHERE id = %L::text', :'id7')), 'using k_hash',
    'A hash index serves a text');
SELECT
    is(n_of(format('SELECT n FROM k WHERE id = %L::text UNION ALL SELECT n FROM k WHERE id = %L
        UNION ALL SELECT n FROM k WHERE id = ''junk''::text', :'id7', :'id8')),
    '{7,8}', 'And has the right rows');
SELECT is((SELECT count(*)::int FROM s WHERE (SELECT k.n FROM k WHERE k.id = s.t) = s.n), 18000,
    'It finds every text that is an id');
DROP INDEX k_hash;
RESET enable_bitmapscan;

CREATE TABLE blocks (id pulid, n int, filler text DEFAULT repeat('x', 200));
INSERT INTO blocks SELECT pulid_generate('prd', timestamptz '2025-01-01' + n * interval '1 minute'),
    n FROM generate_series(1, 20000) n;
CREATE VIEW unindexed AS SELECT id, n FROM blocks OFFSET 0;
CREATE FUNCTION brin_is_right(opclass text, equality_only boolean) RETURNS SETOF text LANGUAGE
    plpgsql AS $$
DECLARE
    key pulid; key_n int; range_query text;
BEGIN
    EXECUTE
        format('CREATE INDEX blocks_brin ON blocks USING brin (id %s) WITH (pages_per_range = 2)',
        opclass);
    INSERT INTO blocks SELECT pulid_generate('prd', timestamptz '2025-02-01' + n * interval
        '1 minute'), n FROM generate_series(20001, 22000) n;
    INSERT INTO blocks SELECT pulid_generate('usr', timestamptz '2025-01-01' + n * interval
        '1 minute'), n FROM generate_series(22001, 24000) n;
    INSERT INTO blocks VALUES (NULL, 24001), ('00000000000000000000000000', 24002),
        (pulid_max(repeat('z', 63)), 24003);
    PERFORM brin_summarize_new_values('blocks_brin');
    FOR key, key_n IN SELECT id, n FROM blocks WHERE n % 1000 = 3 OR n > 24001 LOOP
        RETURN NEXT matches(plan_of(format('SELECT n FROM blocks WHERE id = %L', key)),
            'Bitmap Index Scan on blocks_brin', format('%s serves = for row %s', opclass, key_n));
        EXIT;
    END LOOP;
    RETURN NEXT is((SELECT count(*)::int FROM blocks a WHERE (n % 100 = 3 OR n > 24001)
        AND NOT EXISTS (SELECT FROM unnest(n_of(format('SELECT n FROM blocks WHERE id = %L',
        a.id))) n WHERE n = a.n)),
        0, opclass || ' finds every row');
    RETURN NEXT is(n_of($q$SELECT n FROM blocks WHERE id = 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j'$q$),
        '{}', opclass || ' finds no row that is not there');
    IF NOT equality_only THEN
        range_query := $q$SELECT n FROM blocks WHERE id BETWEEN pulid_lower_bound('prd',
            '2025-01-05') AND pulid_upper_bound('prd', '2025-01-06')$q$;
        RETURN NEXT matches(plan_of(range_query), 'Bitmap Index Scan on blocks_brin', opclass
            || ' serves a range');
        RETURN NEXT is(array_length(n_of(range_query), 1),
            (SELECT count(*)::int FROM blocks WHERE pulid_prefix(id) = 'prd'
                AND pulid_timestamp(id) BETWEEN '2025-01-05' AND '2025-01-06'), opclass
                || ' finds the rows of a range');
        RETURN NEXT is(array_length(n_of($q$SELECT n FROM blocks
            WHERE id > 'prd_7zzzzzzzzzzzzzzzzzzzzzzzzz'$q$), 1), 2001, opclass
            || ' finds the rows of other prefixes');
        FOREACH range_query IN ARRAY ARRAY[
            $q$SELECT n FROM blocks WHERE id ^@ 'usr_01jgp'$q$,
            $q$SELECT n FROM blocks WHERE pulid_has_prefix(id, 'usr') AND n < 22100$q$,
            $q$SELECT n FROM blocks WHERE id > 'prd_7zzzzzzzzzzzzzzzzzzzzzzzzz'::text::pulid
                AND id < 'usr_01jgp000000000000000000000'::text::pulid$q$]
        LOOP
            RETURN NEXT matches(plan_of(range_query), 'Bitmap Index Scan on blocks_brin',
                opclass || ' serves ' || range_query);
            RETURN NEXT is(n_of(range_query), n_of(replace(range_query, 'blocks', 'unindexed')),
                opclass || ' finds the rows of ' || range_query);
        END LOOP;
    END IF;
    DELETE FROM blocks WHERE n > 20000;
    DROP INDEX blocks_brin;
END $$;
ANALYZE blocks;
SELECT * FROM brin_is_right('pulid_minmax_ops', false);
SELECT * FROM brin_is_right('pulid_minmax_multi_ops', false);
SELECT * FROM brin_is_right('pulid_minmax_multi_ops(values_per_range = 8)', false);
SELECT * FROM brin_is_right('pulid_bloom_ops', true);
SELECT * FROM brin_is_right('', false);
CREATE INDEX blocks_brin ON blocks USING brin (id);
SELECT doesnt_match(plan_of($$SELECT n FROM blocks WHERE id = 'prd_x'::text$$), 'blocks_brin',
    'BRIN does not serve a text, whose collation is not that of the index');
DROP INDEX blocks_brin;

CREATE TABLE lists AS SELECT n / 5 AS n, array_agg(id ORDER BY n) AS ids FROM t GROUP BY 1;
CREATE INDEX lists_gin ON lists USING gin (ids);
ANALYZE lists;
SELECT matches(plan_of(format('SELECT n FROM lists WHERE ids @> %L', ARRAY[:'id7'])), 'lists_gin',
    'GIN serves @> on arrays of ids');
SELECT matches(plan_of(format('SELECT n FROM lists WHERE ids && %L', ARRAY[:'id7', :'id9'])),
    'lists_gin', 'GIN serves && on arrays of ids');
SELECT is(n_of(format('SELECT n FROM lists WHERE ids @> %L', ARRAY[:'id7', :'id8'])), '{1}',
    'GIN finds the array that contains two ids');
SELECT is((SELECT count(*)::int FROM t, lists WHERE t.n % 500 = 0 AND ids && ARRAY[t.id]
    AND lists.n = t.n / 5), 40, 'GIN finds the array of each id');
RESET enable_seqscan;

-- Joins with a text column

CREATE FUNCTION join_is_right(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE result boolean;
BEGIN
    EXECUTE format('SELECT count(*) = 18000 AND bool_and(t_n = s_n) FROM (%s) j(t_n, s_n)',
        query) INTO result;
    RETURN result;
END $$;
SET LOCAL enable_mergejoin = off; SET LOCAL enable_nestloop = off;
SELECT matches(plan_of('SELECT t.n, s.n FROM t JOIN s ON t.id = s.t'), 'Hash Join',
    'Ids join texts by hash');
SELECT ok(join_is_right('SELECT t.n, s.n FROM t JOIN s ON t.id = s.t'),
    'A hash join with texts finds the right rows');
SELECT ok(join_is_right('SELECT t.n, s.n FROM s JOIN t ON s.t = t.id'), 'So does the reverse');
SELECT ok(join_is_right('SELECT t.n, s.n FROM t JOIN s ON t.id = s.v WHERE s.t !~ ''^junk'''),
    'So does a varchar column');
SELECT is((SELECT count(*)::int FROM t LEFT JOIN s ON t.id = s.t WHERE s.t IS NULL), 2000,
    'A left hash join keeps what has no text');
SELECT is((SELECT count(*)::int FROM s LEFT JOIN t ON t.id = s.t WHERE t.id IS NULL), 2003,
    'A right hash join keeps texts that are no ids');
SELECT is((SELECT count(*)::int FROM s FULL JOIN t ON t.id = s.t), 22003,
    'A full hash join keeps both');
SET LOCAL work_mem = '64kB';
SELECT matches(plan_of('SELECT t.n, s.n FROM t JOIN s ON t.id = s.t'), 'Hash Join',
    'Ids join texts by hash with little memory');
SELECT ok(join_is_right('SELECT t.n, s.n FROM t JOIN s ON t.id = s.t'),
    'A hash join in batches finds the right rows');
RESET work_mem;
SET LOCAL enable_mergejoin = on; SET LOCAL enable_hashjoin = off;
SELECT doesnt_match(plan_of('SELECT t.n, s.n FROM t JOIN s ON t.id = s.t WHERE s.n < 100'),
    'Merge Join', 'Ids do not join texts by merging, which the families do not allow');
SELECT
    ok(join_is_right('SELECT t.n, s.n FROM t JOIN s ON t.id = s.t::pulid WHERE s.n > 0
        AND s.t !~ ''^junk'''), 'A merge join with parsed texts finds the right rows');
SET LOCAL enable_mergejoin = off; SET LOCAL enable_nestloop = on;
SELECT matches(plan_of('SELECT t.n, s.n FROM t JOIN s ON t.id = s.t'),
    'Nested Loop.*Index (Only )?Scan using t_pkey.*Index Cond: \(id = s.t\)',
    'A nested loop looks a text up in the primary key');
SELECT ok(join_is_right('SELECT t.n, s.n FROM t JOIN s ON t.id = s.t'),
    'A nested loop with texts finds the right rows');
RESET enable_mergejoin; RESET enable_hashjoin; RESET enable_nestloop;

SELECT matches(plan_of('SELECT n FROM t WHERE id NOT IN (SELECT t FROM s WHERE n > 0)'),
    'hashed SubPlan', 'NOT IN over texts hashes');
SELECT is((SELECT
    array_length(n_of('SELECT n FROM t WHERE id NOT IN (SELECT t FROM s WHERE n > 0)'), 1)), 2000,
    'NOT IN over texts finds the right rows');
SELECT is(n_of('SELECT n FROM t WHERE id NOT IN (SELECT t FROM s)'), '{}',
    'NOT IN over texts and a NULL finds nothing');
SELECT matches(plan_of('SELECT n FROM s WHERE t NOT IN (SELECT id FROM t)'), 'hashed SubPlan',
    'NOT IN of texts over ids hashes');
SELECT is((SELECT array_length(n_of('SELECT n FROM s WHERE t NOT IN (SELECT id FROM t)'), 1)), 2002,
    'NOT IN of texts over ids finds the right rows');
SELECT is((SELECT count(*)::int FROM t WHERE id IN (SELECT t FROM s)), 18000,
    'IN over texts finds the right rows');
SELECT is((SELECT count(*)::int FROM t WHERE (id, n) NOT IN (SELECT t, n FROM s
    WHERE t IS NOT NULL)), 2000, 'NOT IN over rows with texts finds the right rows');
SELECT is((SELECT count(*)::int FROM t WHERE NOT EXISTS (SELECT FROM s WHERE s.t = t.id)), 2000,
    'An anti-join with texts finds the right rows');
SELECT is((SELECT count(*)::int FROM t WHERE id > ALL (SELECT t FROM s WHERE n < 0)), 0,
    'ALL over texts and a NULL finds nothing');

-- Limits: a text column's own index

SET LOCAL enable_seqscan = off;
SELECT doesnt_match(plan_of('SELECT n FROM s WHERE t = pulid_max(''prd'')'), 'Index Cond',
    'A text column''s own index does not serve an id');
SELECT matches(plan_of('SELECT n FROM s WHERE t = pulid_max(''prd'')::text'), 'Index Cond',
    'It serves the id''s text');
SELECT is(n_of(format('SELECT n FROM s WHERE t = %L::pulid', :'id7')), '{7}',
    'A text column compares with an id all the same');
RESET enable_seqscan;

-- Row security

CREATE ROLE pulid_test_reader;
GRANT SELECT ON t, s TO pulid_test_reader;
GRANT USAGE ON SCHEMA public TO pulid_test_reader;
ALTER TABLE t ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON t FOR SELECT TO PUBLIC USING (owner = current_user);
UPDATE t SET owner = 'pulid_test_reader' WHERE n = 7;
CREATE FUNCTION as_reader(query text, explain boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    SET LOCAL ROLE pulid_test_reader;
    result := CASE WHEN explain THEN plan_of(query) ELSE n_of(query)::text END;
    RESET ROLE;
    RETURN result;
END $$;
SELECT matches(as_reader(query, true), 'Index Cond: \([^\n]*id',
    'Under row security the primary key serves ' || query)
FROM unnest(ARRAY[format('SELECT n FROM t WHERE id = %L', :'id7'),
    format('SELECT n FROM t WHERE id = %L::text', :'id7'),
                  format('SELECT n FROM t WHERE %L::text = id', :'id7'),
                      format('SELECT n FROM t WHERE id IN (%L, %L)', :'id7', :'id8'),
                  format('SELECT n FROM t WHERE id BETWEEN %L AND %1$L', :'id7'),
                  'SELECT t.n FROM s JOIN t ON t.id = s.t WHERE s.n = 7']) query;
SELECT is(as_reader(format('SELECT n FROM t WHERE id IN (%L, %L)', :'id7', :'id8'), false), '{7}',
    'Under row security only the permitted row is found');
ALTER TABLE t DISABLE ROW LEVEL SECURITY;

-- Foreign keys

CREATE TABLE parent (id pulid('prd') PRIMARY KEY, n int);
CREATE TABLE child (id pulid PRIMARY KEY DEFAULT pulid_generate('chd'),
    parent pulid('prd') REFERENCES parent ON DELETE CASCADE ON UPDATE CASCADE);
INSERT INTO parent SELECT id, n FROM t WHERE n % 4 = 0 AND n < 400;
INSERT INTO parent SELECT id, n FROM t WHERE pulid_has_prefix(id, 'prd')
    AND n < 400 ON CONFLICT DO NOTHING;
INSERT INTO child (parent) SELECT id FROM parent, generate_series(1, 3);
SELECT throws_ok($$INSERT INTO child (parent) VALUES ('prd_00000000000000000000000000')$$, '23503',
    NULL, 'A foreign key refuses an id that is not there');
DELETE FROM parent WHERE n = 4;
SELECT is((SELECT count(*)::int FROM child), (SELECT 3 * count(*)::int FROM parent),
    'A deleted row takes the rows that refer to it along');
UPDATE parent SET id = 'prd_00000000000000000000000000' WHERE n = 8;
SELECT is((SELECT count(*)::int FROM child WHERE parent = 'prd_00000000000000000000000000'), 3,
    'A changed id changes in the rows that refer to it');
CREATE TABLE plain_child (parent pulid REFERENCES parent);
INSERT INTO plain_child SELECT (ARRAY[id])[1] FROM parent;
SELECT throws_ok('DELETE FROM parent', '23503', NULL,
    'A reference without a modifier holds as well');
SELECT throws_ok('CREATE TABLE text_child (parent text REFERENCES parent)', '42804',
    'foreign key constraint "text_child_parent_fkey" cannot be implemented',
        'A foreign key from text to ids is refused at once');
SELECT throws_ok('CREATE TABLE varchar_child (parent varchar REFERENCES parent)', '42804',
    'foreign key constraint "varchar_child_parent_fkey" cannot be implemented',
        'A foreign key from varchar to ids is refused at once');
CREATE TABLE text_parent (id text PRIMARY KEY);
SELECT throws_ok('CREATE TABLE pulid_child (parent pulid REFERENCES text_parent)', '42804',
    'foreign key constraint "pulid_child_parent_fkey" cannot be implemented',
        'A foreign key from ids to text is refused at once');

-- Partitions

CREATE TABLE h (id pulid PRIMARY KEY, n int) PARTITION BY HASH (id);
CREATE TABLE h0 PARTITION OF h FOR VALUES WITH (MODULUS 3, REMAINDER 0);
CREATE TABLE h1 PARTITION OF h FOR VALUES WITH (MODULUS 3, REMAINDER 1);
CREATE TABLE h2 PARTITION OF h FOR VALUES WITH (MODULUS 3, REMAINDER 2);
INSERT INTO h SELECT id, n FROM t WHERE n <= 3000;
CREATE TABLE r (id pulid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE r_bare PARTITION OF r FOR VALUES FROM (MINVALUE) TO ('a_00000000000000000000000000');
CREATE TABLE r_prd_old PARTITION OF r FOR VALUES FROM ('prd_00000000000000000000000000') TO
    ('prd_3zzzzzzzzzzzzzzzzzzzzzzzzz');
CREATE TABLE r_prd_new PARTITION OF r FOR VALUES FROM ('prd_3zzzzzzzzzzzzzzzzzzzzzzzzz') TO
    ('prd_7zzzzzzzzzzzzzzzzzzzzzzzzz');
CREATE TABLE r_rest PARTITION OF r DEFAULT;
INSERT INTO r SELECT id, n FROM t WHERE n <= 3000;
CREATE TABLE l (id pulid, n int) PARTITION BY LIST (id);
CREATE TABLE l_7 PARTITION OF l FOR VALUES IN (:'id7');
CREATE TABLE l_rest PARTITION OF l DEFAULT;
INSERT INTO l SELECT id, n FROM t WHERE n <= 3000;
ANALYZE h, r, l;
CREATE FUNCTION partitions_in(plan text, partition text) RETURNS int LANGUAGE sql AS
    $$SELECT count(DISTINCT m[1])::int FROM regexp_matches(plan, ' on (?!\w*_pkey)(' || partition
        || ')[ \n]', 'g') m$$;
PREPARE h_text(text) AS SELECT n FROM h WHERE id = $1;
PREPARE h_varchar(varchar) AS SELECT n FROM h WHERE id = $1;
PREPARE h_id(pulid) AS SELECT n FROM h WHERE id = $1;
PREPARE r_text(text) AS SELECT n FROM r WHERE id = $1;
PREPARE r_id(pulid) AS SELECT n FROM r WHERE id = $1;
PREPARE r_range(text, text) AS SELECT n FROM r WHERE id BETWEEN $1 AND $2;
PREPARE l_text(text) AS SELECT n FROM l WHERE id = $1;
SELECT is(partitions_in(plan_of(format('SELECT n FROM %s WHERE id = %L%s', relation, :'id7', type)),
    relation || '_?\w+'), 1,
    format('= %s reads one partition of %s', type, relation))
FROM unnest('{h,r,l}'::text[]) relation, unnest('{"",::text,::varchar}'::text[]) type;
SELECT is(n_of(format('SELECT n FROM %s WHERE id = %L::text', relation, :'id7')), '{7}',
    'And finds the row in ' || relation)
FROM unnest('{h,r,l}'::text[]) relation;
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT matches(plan_of(format('EXECUTE %s(%L)', statement, :'id7')), E'Subplans Removed: '
    || removed, 'A generic plan prunes at run time: ' || statement)
FROM (VALUES ('h_text', 2), ('h_varchar', 2), ('h_id', 2), ('r_text', 3), ('r_id', 3), ('l_text',
    1)) AS v(statement, removed);
SELECT is(n_of(format('EXECUTE %s(%L)', statement, :'id7')), '{7}', 'And finds the row: '
    || statement)
FROM unnest('{h_text,h_varchar,h_id,r_text,r_id,l_text}'::text[]) statement;
SELECT lives_ok(format('EXECUTE %s(%L)', statement, junk),
    format('Junk prunes without an error: %s(''%s'')', statement, junk))
FROM unnest('{h_text,r_text,l_text}'::text[]) statement, unnest('{"",junk,é}'::text[]) junk;
RESET plan_cache_mode;
SELECT is_empty(
    $$SELECT n FROM t WHERE n <= 3000 AND (n_of(format('SELECT n FROM h WHERE id = %L::text',
        id)) <> ARRAY[n]
         OR n_of(format('SELECT n FROM h WHERE id = %L', id)) <> ARRAY[n]
         OR n_of(format('SELECT n FROM r WHERE id = %L::text', id)) <> ARRAY[n]) AND n % 10 = 0$$,
    'Pruning never loses a row');
SELECT is(partitions_in(plan_of($$SELECT n FROM r WHERE id BETWEEN pulid_min('prd')
    AND pulid_lower_bound('prd', '2030-01-01')$$), 'r_\w+'), 1,
    'A range of time reads the partition of the time');
SELECT is(partitions_in(plan_of('SELECT FROM h a JOIN h b USING (id)'), 'h\d'), 3,
    'Partitioned tables join');
SET LOCAL enable_partitionwise_join = on;
SET LOCAL work_mem = '64kB'; -- so that it pays
SELECT matches(plan_of('SELECT FROM h a JOIN h b USING (id)'), '^Append',
    'Partitioned tables join partition by partition');
SELECT is((SELECT count(*)::int FROM h a JOIN h b USING (id)), 3000, 'And the join is whole');

SELECT * FROM finish();
ROLLBACK;
