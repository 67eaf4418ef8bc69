-- What the planner makes of pulid_has_prefix, ^@ and pulid_created_between: plans have the form that
-- is hoped for, and rows are those that copies of the functions without planner support find.
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

SELECT plan(246);

CREATE FUNCTION plain_has_prefix(pulid, prefix text) RETURNS boolean
    AS '$libdir/prefixed_ulid', 'pulid_has_prefix' LANGUAGE C IMMUTABLE STRICT LEAKPROOF;
CREATE FUNCTION plain_starts_with(pulid, text) RETURNS boolean
    AS '$libdir/prefixed_ulid', 'pulid_starts_with' LANGUAGE C IMMUTABLE STRICT LEAKPROOF;
CREATE FUNCTION plain_created_between(pulid, since timestamptz, until timestamptz) RETURNS boolean
    AS '$libdir/prefixed_ulid', 'pulid_created_between' LANGUAGE C IMMUTABLE STRICT LEAKPROOF;
CREATE OPERATOR ~^@ (FUNCTION = plain_starts_with, LEFTARG = pulid, RIGHTARG = text);
CREATE FUNCTION plain(query text) RETURNS text LANGUAGE sql AS $$
    SELECT regexp_replace(replace(query, '^@', '~^@'),
                          'pulid_(has_prefix|created_between)\(', 'plain_\1(', 'g')
$$;
CREATE FUNCTION plan_of(query text, options text DEFAULT '') RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; result text := '';
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (COSTS OFF %s) %s', options, query) LOOP
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
-- The plan of a query, and its rows.
CREATE FUNCTION planned(name text, pattern text, query text) RETURNS SETOF text LANGUAGE plpgsql
AS $$
BEGIN
    RETURN NEXT matches(plan_of(query), pattern, name);
    RETURN NEXT is(rows_of(query), rows_of(plain(query)), name || ', and the rows are right');
END $$;
CREATE FUNCTION calls_during(query text, function text) RETURNS int LANGUAGE plpgsql AS $$
DECLARE before bigint := COALESCE(pg_stat_get_xact_function_calls(function::regproc), 0);
BEGIN
    SET LOCAL track_functions = 'all';
    EXECUTE query;
    RESET track_functions;
    RETURN COALESCE(pg_stat_get_xact_function_calls(function::regproc), 0) - before;
END $$;

-- m holds ids of four prefixes and NULLs, t those of one: an id every 40 minutes from 2025-01-01 on.
CREATE TABLE m (id pulid UNIQUE, n int, p text);
INSERT INTO m SELECT pulid_generate(p, timestamptz '2025-01-01' + n * interval '10 minutes'), n, p
    FROM generate_series(1, 8000) n, LATERAL (SELECT ('{prd,usr,prd_x,""}'::text[])[1 + n % 4]) v(p);
INSERT INTO m SELECT NULL, -n, 'prd' FROM generate_series(1, 50) n;
CREATE TABLE t (id pulid('prd') PRIMARY KEY, n int);
INSERT INTO t SELECT id, n FROM m WHERE p = 'prd' AND n > 0;
CREATE TABLE argument (p text, since timestamptz, until timestamptz);
INSERT INTO argument VALUES ('prd', '2025-02-02', '2025-02-04'), ('', '2025-02-01', 'infinity'),
    ('PRD', '-infinity', '2025-01-02'), ('x-y', '2025-03-01', '2025-02-01'), (NULL, NULL, NULL);
ANALYZE m, t, argument;

-- Indexes, with constants and with what is known at the start or for each row

\set bounds 'id[^\n]* >= [^\n]* AND [^\n]*id[^\n]* < '
\set key 'Index Scan using (m_id_key|t_pkey) on [mt]\n +Index Cond: [^\n]*' :bounds
\set only 'Index Only Scan using (m_id_key|t_pkey) on [mt]\n +Index Cond: [^\n]*' :bounds
SELECT planned('An index serves WHERE ' || condition, :'key',
               format('SELECT n FROM %s WHERE %s', CASE WHEN condition ~ 'created' THEN 't' ELSE 'm' END,
                      condition))
FROM unnest(ARRAY[
    $$pulid_has_prefix(id, 'prd')$$, $$pulid_has_prefix(id, '')$$, $$id ^@ 'prd_01jk'$$,
    $$pulid_has_prefix(id, prefix => 'prd')$$, $$id ^@ ('prd' || '_')::varchar$$,
    $$pulid_has_prefix(id, 'prd') = true$$, $$true = (id ^@ 'prd_01jk')$$,
    $$(id ^@ 'usr') <> false AND n < 100$$, $$NOT (NOT pulid_has_prefix(id, 'prd') OR n > 500)$$,
    $$pulid_created_between(id, '2025-02-01', '2025-02-02')$$,
    $$pulid_created_between(id, until => '2025-02-02', since => '2025-02-01')$$,
    $$pulid_created_between(id::pulid, '2025-02-01', 'infinity')$$,
    $$pulid_created_between((t).id, '-infinity', '2025-02-02')$$,
    $$pulid_created_between(id, timestamptz '2025-02-11' - interval '1 day', current_date)$$,
    $$pulid_created_between(id, now() - interval '1 hour', now())$$,
    $$pulid_has_prefix(id, current_setting('none.such', true))$$]) condition;
SELECT planned('An index alone serves WHERE ' || condition, :'only',
               format('SELECT id FROM %s WHERE %s', CASE WHEN condition ~ 'created' THEN 't' ELSE 'm' END,
                      condition))
FROM unnest(ARRAY[$$pulid_has_prefix(id, 'prd')$$, $$id ^@ 'prd_01jk'$$,
                  $$pulid_created_between(id, '2025-02-01', '2025-02-02')$$]) condition;
SELECT planned('An index serves a join ' || condition, :'key',
               format('SELECT a.p, n FROM argument a LEFT JOIN %s ON %s',
                      CASE WHEN condition ~ 'created' THEN 't' ELSE 'm' END, condition))
FROM unnest(ARRAY['pulid_has_prefix(id, a.p)', 'id ^@ a.p',
                  'pulid_created_between(id, a.since, a.until)']) condition;
SELECT planned('An index serves a LATERAL subquery', 'Index Cond: [^\n]*' || :'bounds',
    'SELECT * FROM argument a, LATERAL (SELECT count(*), max(n) FROM t
     WHERE pulid_created_between(id, a.since, a.until)) v');
SET LOCAL enable_bitmapscan = on;
SELECT planned('Two ranges are two bitmaps for WHERE ' || condition, 'BitmapOr.*Bitmap Index.*Bitmap Index',
               'SELECT n FROM m WHERE ' || condition)
FROM unnest(ARRAY[$$NOT pulid_has_prefix(id, 'prd')$$, $$NOT id ^@ 'prd' AND n > 0$$,
                  $$pulid_has_prefix(id, 'usr') OR id ^@ '01jk'$$]) condition;
SET LOCAL enable_bitmapscan = off;
SELECT matches(plan_of($$SELECT max(id) FROM m WHERE pulid_has_prefix(id, 'prd')$$),
    'Limit.*Index Only Scan Backward[^\n]*\n[^\n]*' || :'bounds', 'The newest id of a prefix is one step in the index');
SELECT is((SELECT max(id) FROM m WHERE pulid_has_prefix(id, 'prd')), (SELECT max(id) FROM t), 'And it is that');

SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE has_prefix(text) AS SELECT n FROM m WHERE pulid_has_prefix(id, $1);
PREPARE starts_with(text) AS SELECT n FROM m WHERE id ^@ $1;
PREPARE created(timestamptz, timestamptz) AS SELECT n FROM t WHERE pulid_created_between(id, $1, $2);
SELECT matches(plan_of('EXECUTE ' || call), :'key', 'An index serves the generic plan of ' || call)
FROM unnest('{"has_prefix(''prd'')","starts_with(''prd_01jk'')","created(now(), now())"}'::text[]) call;
CREATE TABLE parameter (value text);
INSERT INTO parameter VALUES ('prd'), ('PRD'), (''), ('x-y'), ('prd_'), ('_'), ('é'), (repeat('a', 100)),
    ('prd_01jk'), (NULL);
SELECT is(rows_of(format('EXECUTE has_prefix(%L)', value)),
          rows_of(format('SELECT n FROM m WHERE plain_has_prefix(id, %L)', value)),
          format('A generic plan finds what pulid_has_prefix(id, %L) says', value)) FROM parameter;
SELECT is(rows_of(format('EXECUTE starts_with(%L)', value)),
          rows_of(format('SELECT n FROM m WHERE plain_starts_with(id, %L)', value)),
          format('A generic plan finds what id ^@ %L says', value)) FROM parameter;
SELECT is(rows_of(format('EXECUTE created(%L, %L)', since, until)),
          rows_of(format('SELECT n FROM t WHERE plain_created_between(id, %L, %L)', since, until)),
          format('A generic plan finds what was created from %s to %s', since, until)) FROM argument;
RESET plan_cache_mode;
