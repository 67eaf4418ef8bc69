-- What the planner makes of pulid_has_prefix, ^@ and pulid_created_between: the plans that are
-- hoped for, and the rows that copies of the functions without planner support find.
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
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL jit = off;
SET LOCAL timezone = 'UTC';
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;

SELECT plan(PLAN);

CREATE FUNCTION plain_has_prefix(pulid, prefix text) RETURNS boolean
    AS '$libdir/prefixed_ulid', 'pulid_has_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION plain_starts_with(pulid, text) RETURNS boolean
    AS '$libdir/prefixed_ulid', 'pulid_starts_with' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION plain_created_between(pulid, since timestamptz, until timestamptz) RETURNS boolean
    AS '$libdir/prefixed_ulid', 'pulid_created_between' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE OPERATOR ~^@ (FUNCTION = plain_starts_with, LEFTARG = pulid, RIGHTARG = text);
CREATE FUNCTION plain(query text) RETURNS text LANGUAGE sql AS $$
    SELECT regexp_replace(replace(query, '^@', '~^@'),
                          'pulid_(has_prefix|created_between)\(', 'plain_\1(', 'g')
$$;
-- on_day(id) in a query below stands for id being created on 2025-02-01.
CREATE FUNCTION written(query text) RETURNS text LANGUAGE sql AS $$
    SELECT regexp_replace(query, '\mon_day\(((\([^()]*\)|[^()])*)\)',
        $r$pulid_created_between(\1, '2025-02-01', '2025-02-02')$r$, 'g')
$$;
CREATE FUNCTION plan_of(query text, options text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; result text := '';
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF %s) %s', options, written(query)) LOOP
        result := result || line || E'\n';
    END LOOP;
    RETURN result;
END $$;
CREATE FUNCTION rows_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE r record; result text[] := '{}';
BEGIN
    FOR r IN EXECUTE query LOOP result := result || r::text; END LOOP;
    RETURN (SELECT count(*) || ' ' || md5(string_agg(i, ',' ORDER BY i COLLATE "C"))
            FROM unnest(result) i);
END $$;
CREATE FUNCTION same_rows(query text) RETURNS text LANGUAGE sql AS $$
    SELECT is(rows_of(written(query)), rows_of(plain(written(query))), 'The rows are right: ' || query)
$$;
CREATE FUNCTION planned(name text, pattern text, query text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT matches(plan_of(query), pattern, name || ': ' || query) UNION ALL SELECT same_rows(query)
$$;
CREATE FUNCTION calls_during(statement text, function text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE before bigint := COALESCE(pg_stat_get_xact_function_calls(function::regproc), 0);
BEGIN
    SET LOCAL track_functions = 'all';
    EXECUTE statement;
    SET LOCAL track_functions = 'none';
    RETURN COALESCE(pg_stat_get_xact_function_calls(function::regproc), 0) - before;
END $$;

-- Of m every fourth id, and of t each, has the prefix prd: one every 40 minutes from 2025-01-01 on.
CREATE TABLE m (id pulid UNIQUE, n int, p text);
INSERT INTO m SELECT pulid_generate(p, timestamptz '2025-01-01' + n * interval '10 minutes'), n, p
    FROM generate_series(1, 8000) n,
         LATERAL (SELECT ('{prd,usr,prd_x,""}'::text[])[1 + n % 4]) v(p);
INSERT INTO m SELECT NULL, -n, 'prd' FROM generate_series(1, 50) n;
CREATE TABLE t (id pulid('prd') PRIMARY KEY, n int);
INSERT INTO t SELECT id, n FROM m WHERE p = 'prd' AND n > 0;
CREATE TABLE argument (p text, since timestamptz, until timestamptz);
INSERT INTO argument VALUES ('prd', '2025-02-02', '2025-02-04'), ('', '2025-02-01', 'infinity'),
    ('PRD', '-infinity', '2025-01-02'), ('x-y', '2025-03-01', '2025-02-01'), (NULL, NULL, NULL);
ANALYZE m, t, argument;

-- Indexes, with constants and with what is known at the start or for each row

\set bounds 'Index Cond: [^\n]*id[^\n]* >= [^\n]* AND [^\n]*id[^\n]* < '
\set key 'Index Scan using (m_id_key|t_pkey) on [mt][^\n]*\n +' :bounds
\set only 'Index Only Scan using (m_id_key|t_pkey) on [mt]\n +' :bounds
SELECT planned('The index serves', :'key', query) FROM unnest(ARRAY[
    $$SELECT n FROM m WHERE pulid_has_prefix(id, 'prd')$$,
    $$SELECT n FROM m WHERE pulid_has_prefix(id, prefix => '')$$,
    $$SELECT n FROM m WHERE id ^@ 'prd_01jk'$$,
    $$SELECT n FROM m WHERE id ^@ ('prd' || '_')::varchar$$,
    $$SELECT n FROM m WHERE pulid_has_prefix(id, 'prd') = true$$,
    $$SELECT n FROM m WHERE true = (id ^@ 'prd_01jk')$$,
    $$SELECT n FROM m WHERE (id ^@ 'usr') <> false AND n < 100$$,
    $$SELECT n FROM m WHERE NOT (NOT pulid_has_prefix(id, 'prd') OR n > 500)$$,
    $$SELECT n FROM m WHERE pulid_has_prefix(id, current_setting('none.such', true))$$,
    $$SELECT n FROM t WHERE on_day(id)$$, $$SELECT n FROM t WHERE on_day((t).id)$$,
    $$SELECT n FROM t WHERE pulid_created_between(id, until => 'infinity', since => '2025-02-03')$$,
    $$SELECT n FROM t WHERE pulid_created_between(id::pulid, '-infinity', '2025-02-01')$$,
    $$SELECT n FROM t WHERE pulid_created_between(id, now() - interval '99 years', now())$$,
    $$SELECT n FROM t WHERE pulid_created_between(id, timestamptz '2025-02-01' - interval '1 day',
                                                  current_date)$$,
    $$SELECT a.p, n FROM argument a LEFT JOIN m ON pulid_has_prefix(id, a.p)$$,
    $$SELECT a.p, n FROM argument a LEFT JOIN m ON id ^@ a.p$$,
    $$SELECT a.p, n FROM argument a LEFT JOIN t ON pulid_created_between(id, since, until)$$,
    $$SELECT v.* FROM argument a, LATERAL (SELECT count(*), max(n) FROM t
                                           WHERE pulid_created_between(id, since, until)) v$$]) query;
SELECT planned('The index alone serves', :'only', query) FROM unnest(ARRAY[
    $$SELECT id FROM m WHERE pulid_has_prefix(id, 'prd')$$,
    $$SELECT id FROM m WHERE id ^@ 'prd_01jk'$$, $$SELECT id FROM t WHERE on_day(id)$$]) query;
SELECT matches(plan_of($$SELECT max(id) FROM m WHERE pulid_has_prefix(id, 'prd')$$),
    'Limit.*Index Only Scan Backward[^\n]*\n +' || :'bounds', 'The newest id of a prefix is one step');
SELECT same_rows($$SELECT max(id), min(id) FROM m WHERE pulid_has_prefix(id, 'prd')$$);
SET LOCAL enable_bitmapscan = on;
SELECT planned('Two ranges are two bitmaps', 'BitmapOr.*Bitmap Index.*Bitmap Index', query)
FROM unnest(ARRAY[$$SELECT n FROM m WHERE NOT pulid_has_prefix(id, 'prd')$$,
    $$SELECT n FROM m WHERE NOT id ^@ 'prd' AND n > 0$$,
    $$SELECT n FROM m WHERE pulid_has_prefix(id, 'usr') OR id ^@ '01jk'$$]) query;
SET LOCAL enable_bitmapscan = off;

SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE has(text) AS SELECT n FROM m WHERE pulid_has_prefix(id, $1);
PREPARE starts(text) AS SELECT n FROM m WHERE id ^@ $1;
PREPARE created(timestamptz, timestamptz) AS
    SELECT n FROM t WHERE pulid_created_between(id, $1, $2);
SELECT matches(plan_of('EXECUTE ' || call), :'key', 'The index serves the generic plan of ' || call)
FROM unnest('{has(''prd''),starts(''prd_01jk''),"created(now(), now())"}'::text[]) call;
SELECT is(rows_of('EXECUTE ' || call), rows_of(plain(query)), 'The generic plan is right: ' || call)
FROM unnest(ARRAY['prd', 'PRD', '', 'x-y', 'prd_', '_', 'é', 'prd_01jk', repeat('a', 100), NULL]) p,
    LATERAL (VALUES
        (format('has(%L)', p), format('SELECT n FROM m WHERE pulid_has_prefix(id, %L)', p)),
        (format('starts(%L)', p), format('SELECT n FROM m WHERE id ^@ %L', p))) v(call, query);
SELECT is(rows_of('EXECUTE ' || call), rows_of(plain(query)), 'The generic plan is right: ' || call)
FROM argument, LATERAL (SELECT format('created(%L, %L)', since, until),
    format('SELECT n FROM t WHERE pulid_created_between(id, %L, %L)', since, until)) v(call, query);
RESET plan_cache_mode;

-- Calls that are kept, for what they contain or because nothing vouches for the modifier

CREATE FUNCTION volatile_text(t text) RETURNS text LANGUAGE plpgsql VOLATILE
    AS 'BEGIN RETURN t; END';
CREATE FUNCTION costly_text(t text) RETURNS text LANGUAGE plpgsql IMMUTABLE COST 1000
    AS 'BEGIN RETURN t; END';
SELECT planned('The call is kept', 'Filter: [^\n]*(\mpulid_(has_prefix|created_between)\(|\^@)', query)
FROM unnest(ARRAY[$$SELECT n FROM m WHERE pulid_has_prefix(id, volatile_text('prd'))$$,
    $$SELECT n FROM m WHERE id ^@ volatile_text(p)$$, $$SELECT n FROM m WHERE id ^@ costly_text(p)$$,
    $$SELECT n FROM m WHERE id ^@ ANY ('{prd_01jk,usr}')$$,
    $$SELECT n FROM m WHERE id ^@ ALL (ARRAY['prd_01jk', NULL])$$,
    $$SELECT n FROM t WHERE pulid_created_between(id, '2025-02-01', clock_timestamp())$$,
    $$SELECT n FROM m WHERE pulid_has_prefix(id, (SELECT p FROM argument WHERE p = 'prd'))$$,
    $$SELECT n FROM m WHERE id ^@ (SELECT max(a.p) FROM argument a WHERE m.n > 0)$$,
    $$SELECT n FROM t WHERE pulid_created_between(id, (SELECT min(since) FROM argument), now())$$,
    $$SELECT n FROM m WHERE on_day(id)$$]) query;
SELECT is(calls_during('SELECT count(*) FROM m WHERE ' || condition, function), 8050,
          'Once for each row is called ' || condition)
FROM (VALUES ('pulid_has_prefix(id, volatile_text(p))', 'volatile_text'),
             ('id ^@ costly_text(p)', 'costly_text'),
             ('pulid_has_prefix(id, COALESCE(volatile_text(p), p))', 'volatile_text')
     ) v(condition, function);

CREATE VIEW claimed AS
    SELECT * FROM unnest(ARRAY[ROW(pulid_min('usr'), 0), ROW(pulid_lower_bound('usr', '2025-02-01'), 1)])
        AS f(id pulid('prd'), n int);
SELECT is((SELECT format_type(atttypid, atttypmod) FROM pg_attribute
           WHERE attrelid = 'claimed'::regclass AND attname = 'id'), 'pulid(''prd'')',
          'PostgreSQL believes a list of columns');
SELECT same_rows(query) FROM unnest(ARRAY['SELECT n, on_day(id) FROM claimed',
    'SELECT n FROM claimed WHERE on_day(id)', 'SELECT n FROM claimed c WHERE on_day((c).id)',
    'SELECT n FROM (SELECT * FROM claimed OFFSET 0) c WHERE on_day(id)',
    'WITH c AS MATERIALIZED (SELECT * FROM claimed) SELECT n FROM c WHERE on_day(id)',
    'SELECT n FROM (SELECT * FROM t UNION ALL SELECT * FROM claimed) c WHERE on_day(id)',
    'SELECT t.n FROM t LEFT JOIN claimed c ON t.n = 40 AND c.n = 1 WHERE on_day(c.id)',
    'SELECT n, (SELECT count(*) FROM t WHERE n < 99 AND on_day(c.id)) FROM claimed c',
    'SELECT v.n FROM claimed c, LATERAL (SELECT n FROM t WHERE on_day(c.id) LIMIT 1) v',
    'SELECT n FROM claimed c WHERE EXISTS (SELECT FROM t WHERE t.n = 40 AND on_day(c.id))',
    'SELECT max(id) FROM claimed HAVING on_day(max(id))']) query;

-- Meaning

CREATE DOMAIN prd AS pulid('prd') CHECK (VALUE <> 'prd_00000000000000000000000000');
CREATE DOMAIN any_id AS pulid;
CREATE TABLE domains (a prd UNIQUE, b any_id UNIQUE, n int);
INSERT INTO domains SELECT id, id, n FROM t;
SELECT planned('The index of a domain serves', :'bounds', 'SELECT n FROM domains WHERE ' || condition)
FROM unnest(ARRAY['on_day(a)', $$pulid_has_prefix(a, 'prd')$$, $$b ^@ 'prd_01jk'$$,
                  $$pulid_has_prefix(b::pulid, 'prd')$$]) condition;
SELECT planned('A domain without a modifier vouches for nothing', 'Filter: pulid_created_between',
               'SELECT n FROM domains WHERE on_day(b)');
CREATE FUNCTION on_some_day(pulid) RETURNS boolean IMMUTABLE LANGUAGE sql
    AS $$SELECT pulid_created_between($1, '2025-02-01+0', '2025-02-02+0')$$;
SELECT planned('A function is inlined', :'key', 'SELECT n FROM t WHERE on_some_day(id)');

SELECT same_rows(query) FROM unnest(ARRAY[
    $$SELECT n FROM m WHERE CASE WHEN n % 2 = 0 THEN pulid_has_prefix(id, 'prd') ELSE id ^@ '0' END$$,
    $$SELECT n, CASE pulid_has_prefix(id, p) WHEN true THEN 1 WHEN false THEN 2 ELSE 3 END FROM m$$,
    $$SELECT n FROM m WHERE pulid_has_prefix(id, 'prd') IS NOT TRUE$$,
    $$SELECT n FROM m WHERE (id ^@ 'prd') IS UNKNOWN$$,
    $$SELECT n FROM m WHERE pulid_has_prefix(id, NULL) IS NULL$$,
    $$SELECT n FROM m WHERE NOT pulid_has_prefix(id, NULL)$$,
    $$SELECT n FROM m WHERE COALESCE(pulid_has_prefix(id, 'prd'), true)$$,
    $$SELECT pulid_has_prefix(id, 'prd'), count(*) FROM m GROUP BY 1$$,
    $$SELECT pulid_has_prefix(id, 'prd'), count(*) FROM m GROUP BY ROLLUP (1)$$,
    $$SELECT p, max(id) FROM m GROUP BY p HAVING max(id) ^@ 'prd_0'$$,
    $$SELECT count(*) FILTER (WHERE id ^@ 'prd'), bool_or(id ^@ '0'), bool_and(id ^@ '0') FROM m$$,
    $$SELECT n, pulid_has_prefix(lag(id) OVER (ORDER BY n), p) FROM m$$,
    $$SELECT n, pulid_has_prefix(unnest(ARRAY[id, NULL]), 'usr'), unnest('{1,2,3}'::int[]) FROM m$$,
    $$SELECT n, id ^@ unnest('{prd,usr,"",0,NULL}'::text[]) FROM m$$,
    $$SELECT DISTINCT ON (id ^@ 'usr') id ^@ 'usr', n FROM m ORDER BY id ^@ 'usr', n$$,
    $$SELECT a.p, n FROM argument a LEFT JOIN m USING (p) WHERE NOT pulid_has_prefix(id, 'usr')$$,
    $$SELECT a.p, n FROM argument a LEFT JOIN m USING (p) WHERE (id ^@ 'usr') IS NOT TRUE$$,
    $$SELECT a.p, n, b FROM argument a LEFT JOIN (SELECT p, n, id ^@ 'prd' AS b FROM m) v USING (p)$$,
    $$SELECT m.n, t.n FROM m FULL JOIN t ON m.id = t.id AND m.id ^@ 'prd_01jk'$$,
    $$SELECT n FROM m WHERE id IN (SELECT id FROM t WHERE on_day(id))$$,
    $$SELECT n FROM m WHERE NOT EXISTS (SELECT FROM argument a WHERE pulid_has_prefix(id, a.p))$$,
    $$SELECT n FROM m WHERE id = ANY (SELECT id FROM t WHERE m.id ^@ 'prd' AND n < 300)$$,
    $$SELECT n FROM (SELECT * FROM t UNION ALL SELECT id, n FROM m) u WHERE on_day(id)$$,
    $$SELECT id FROM (SELECT DISTINCT id FROM t) u WHERE on_day(id)$$,
    $$SELECT n FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM t) u WHERE on_day(id)$$,
    $$SELECT count(*) FROM m a JOIN m b ON (a.id ^@ 'prd') = (b.id ^@ 'prd_') AND a.n = b.n$$]) query;
