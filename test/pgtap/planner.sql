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

SELECT plan(290);

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
CREATE FUNCTION one_line(query text) RETURNS text LANGUAGE sql
    AS $$SELECT regexp_replace(query, '\s+', ' ', 'g')$$;
CREATE FUNCTION same_rows(query text) RETURNS text LANGUAGE sql AS $$
    SELECT is(rows_of(written(query)), rows_of(plain(written(query))),
              'The rows are right: ' || one_line(query))
$$;
CREATE FUNCTION planned(name text, pattern text, query text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT matches(plan_of(query), pattern, name || ': ' || one_line(query))
    UNION ALL SELECT same_rows(query)
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
    $$SELECT n FROM t WHERE pulid_created_between(id, date '2025-02-02' - interval '1 d', now())$$,
    $$SELECT a.p, n FROM argument a LEFT JOIN m ON pulid_has_prefix(id, a.p)$$,
    $$SELECT a.p, n FROM argument a LEFT JOIN m ON id ^@ a.p$$,
    $$SELECT a.p, n FROM argument a LEFT JOIN t ON pulid_created_between(id, since, until)$$,
    $$SELECT v.* FROM argument a, LATERAL (SELECT count(*), max(n) FROM t
                                           WHERE pulid_created_between(id, since, until)) v$$
    ]) query;
SELECT planned('The index alone serves', :'only', query) FROM unnest(ARRAY[
    $$SELECT id FROM m WHERE pulid_has_prefix(id, 'prd')$$,
    $$SELECT id FROM m WHERE id ^@ 'prd_01jk'$$, $$SELECT id FROM t WHERE on_day(id)$$]) query;
SELECT matches(plan_of($$SELECT max(id) FROM m WHERE pulid_has_prefix(id, 'prd')$$),
    'Limit.*Index Only Scan Backward[^\n]*\n +' || :'bounds',
    'The newest id of a prefix is one step');
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
FROM unnest('{prd,PRD,"",x-y,prd_,_,é,prd_01jk,NULL}'::text[] || repeat('a', 100)) p,
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
SELECT planned('The call is kept', 'Filter: [^\n]*(pulid_has_prefix\(|pulid_created_between\(|\^@)',
               query) FROM unnest(ARRAY[
    $$SELECT n FROM m WHERE pulid_has_prefix(id, volatile_text('prd'))$$,
    'SELECT n FROM m WHERE id ^@ volatile_text(p)', 'SELECT n FROM m WHERE id ^@ costly_text(p)',
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
    SELECT * FROM unnest(ARRAY[ROW(pulid_lower_bound('usr', '2025-02-01'), 1),
                               ROW(pulid_min('usr'), 0)]) AS f(id pulid('prd'), n int);
SELECT is((SELECT format_type(atttypid, atttypmod) FROM pg_attribute
           WHERE attrelid = 'claimed'::regclass AND attname = 'id'), 'pulid(''prd'')',
          'PostgreSQL believes a list of columns');
-- An INSTEAD OF trigger may return rows that do not keep to the modifier either.
CREATE FUNCTION as_it_is() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
CREATE TRIGGER as_it_is INSTEAD OF UPDATE ON claimed FOR EACH ROW EXECUTE FUNCTION as_it_is();
SELECT pulid_created_between(pulid_min('usr'), '-infinity', 'infinity') AS outcome \gset
WITH updated AS (
    UPDATE claimed SET n = 5
    RETURNING pulid_created_between(id, '-infinity', 'infinity') AS outcome
)
SELECT is(bool_and(outcome), :'outcome'::boolean, 'RETURNING of a view is not simplified')
FROM updated;
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
SELECT planned('The index of a domain serves', :'bounds',
               'SELECT n FROM domains WHERE ' || condition)
FROM unnest(ARRAY['on_day(a)', $$pulid_has_prefix(a, 'prd')$$, $$b ^@ 'prd_01jk'$$,
                  $$pulid_has_prefix(b::pulid, 'prd')$$]) condition;
SELECT planned('A domain without a modifier vouches for nothing', 'Filter: pulid_created_between',
               'SELECT n FROM domains WHERE on_day(b)');
CREATE FUNCTION on_some_day(pulid) RETURNS boolean IMMUTABLE LANGUAGE sql
    AS $$SELECT pulid_created_between($1, '2025-02-01+0', '2025-02-02+0')$$;
SELECT planned('A function is inlined', :'key', 'SELECT n FROM t WHERE on_some_day(id)');

SELECT same_rows(query) FROM unnest(ARRAY[
    $$SELECT n FROM m WHERE CASE WHEN n % 2 = 0 THEN id ^@ 'prd' ELSE id ^@ '0' END$$,
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
    $$SELECT p, n, b FROM argument LEFT JOIN (SELECT p, n, id ^@ 'prd' AS b FROM m) v USING (p)$$,
    $$SELECT m.n, t.n FROM m FULL JOIN t ON m.id = t.id AND m.id ^@ 'prd_01jk'$$,
    $$SELECT n FROM m WHERE id IN (SELECT id FROM t WHERE on_day(id))$$,
    $$SELECT n FROM m WHERE NOT EXISTS (SELECT FROM argument a WHERE pulid_has_prefix(id, a.p))$$,
    $$SELECT n FROM m WHERE id = ANY (SELECT id FROM t WHERE m.id ^@ 'prd' AND n < 300)$$,
    $$SELECT n FROM (SELECT * FROM t UNION ALL SELECT id, n FROM m) u WHERE on_day(id)$$,
    $$SELECT id FROM (SELECT DISTINCT id FROM t) u WHERE on_day(id)$$,
    $$SELECT n FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM t) u WHERE on_day(id)$$,
    $$SELECT count(*) FROM m a JOIN m b ON (a.id ^@ 'prd') = (b.id ^@ 'prd_') AND a.n = b.n$$
    ]) query;

-- Partitions by prefix (of m) and by time (of t)

CREATE TABLE by_prefix (LIKE m, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE by_prefix_bare PARTITION OF by_prefix FOR VALUES FROM (MINVALUE) TO (pulid_min('a'));
CREATE TABLE by_prefix_prd PARTITION OF by_prefix
    FOR VALUES FROM (pulid_min('prd')) TO (pulid_min('prd_x'));
CREATE TABLE by_prefix_prd_x PARTITION OF by_prefix
    FOR VALUES FROM (pulid_min('prd_x')) TO (pulid_min('usr'));
CREATE TABLE by_prefix_usr PARTITION OF by_prefix FOR VALUES FROM (pulid_min('usr')) TO (MAXVALUE);
INSERT INTO by_prefix SELECT * FROM m WHERE id IS NOT NULL;
CREATE TABLE by_time (LIKE t, PRIMARY KEY (id)) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE by_time_%s PARTITION OF by_time FOR VALUES
                   FROM (pulid_lower_bound(''prd'', %L)) TO (pulid_lower_bound(''prd'', %L))',
              ordinality, since, lead(since, 1, '2025-03-01') OVER (ORDER BY since))
FROM unnest('{2025-01-01,2025-01-15,2025-02-01,2025-02-15}'::date[]) WITH ORDINALITY v(since) \gexec
INSERT INTO by_time SELECT * FROM t;
ANALYZE by_prefix, by_time;
CREATE FUNCTION partitions_of(query text) RETURNS text LANGUAGE sql AS $$
    SELECT COALESCE(string_agg(DISTINCT m[1], ' ' ORDER BY m[1]), '')
    FROM regexp_matches(plan_of(query), ' on by_(?:prefix|time)_(\w+?)(?:_pkey)?\s', 'g') m
$$;
CREATE FUNCTION only_read(expected text, query text) RETURNS SETOF text LANGUAGE sql AS $$
    SELECT is(partitions_of(query), expected, 'Only what is needed is read: ' || one_line(query))
    UNION ALL SELECT same_rows(query)
$$;
SELECT only_read(expected, query) FROM (VALUES
    ('prd', $$SELECT n FROM by_prefix WHERE pulid_has_prefix(id, 'prd')$$),
    ('prd_x', $$SELECT n FROM by_prefix WHERE pulid_has_prefix(id, 'prd_x')$$),
    ('usr', $$SELECT n FROM by_prefix WHERE pulid_has_prefix(id, 'usr')$$),
    ('bare', $$SELECT n FROM by_prefix WHERE pulid_has_prefix(id, '')$$),
    ('', $$SELECT n FROM by_prefix WHERE pulid_has_prefix(id, 'PRD')$$),
    ('usr', $$SELECT n FROM by_prefix WHERE id ^@ 'usr_01jk'$$),
    ('prd prd_x', $$SELECT n FROM by_prefix WHERE id ^@ 'prd'$$),
    ('bare', $$SELECT n FROM by_prefix WHERE id ^@ '01jk'$$),
    ('prd usr', $$SELECT n FROM by_prefix WHERE id ^@ 'prd_01jh' OR id ^@ 'usr_01jh'$$),
    ('3', $$SELECT n FROM by_time WHERE on_day(id)$$),
    ('3', $$SELECT n FROM by_time WHERE pulid_created_between(id, '2025-02-01', '2025-02-15')$$),
    ('2 3', $$SELECT n FROM by_time WHERE pulid_created_between(id, '2025-01-31', '2025-02-03')$$),
    ('1', $$SELECT n FROM by_time WHERE pulid_created_between(id, '-infinity', '2025-01-15')$$),
    ('4', $$SELECT n FROM by_time WHERE pulid_created_between(id, '2025-02-14 23:59:59.9991',
                                                              'infinity')$$),
    ('1 4', $$SELECT n FROM by_time
              WHERE NOT pulid_created_between(id, '2025-01-15', '2025-02-15')$$)
    ) v(expected, query);
SET LOCAL plan_cache_mode = force_generic_plan;
PREPARE has_in(text) AS SELECT n FROM by_prefix WHERE pulid_has_prefix(id, $1);
PREPARE starts_in(text) AS SELECT n FROM by_prefix WHERE id ^@ $1;
PREPARE created_in(timestamptz, timestamptz) AS
    SELECT n FROM by_time WHERE pulid_created_between(id, $1, $2);
SELECT matches(plan_of('EXECUTE ' || call), 'Subplans Removed: ' || removed,
               'A generic plan prunes at its start: ' || call) FROM (VALUES
    (3, 'has_in(''prd'')'), (3, 'starts_in(''usr_01'')'), (2, 'starts_in(''prd'')'),
    (3, 'created_in(''2025-02-01'', ''2025-02-02'')'),
    (2, 'created_in(''2025-01-31'', ''2025-02-02'')')) v(removed, call);
SELECT is(rows_of('EXECUTE ' || call), rows_of(query), 'And finds the rows: ' || call) FROM (VALUES
    ('has_in(''prd'')', 'SELECT n FROM t'), ('has_in(NULL)', 'SELECT n FROM t LIMIT 0'),
    ('starts_in(''prd'')', 'SELECT n FROM m WHERE p ~ ''prd'' AND n > 0'),
    ('created_in(''2025-01-31'', ''infinity'')',
     'SELECT n FROM t WHERE pulid_timestamp(id) >= ''2025-01-31''')) v(call, query);
RESET plan_cache_mode;
SELECT planned('What is stable prunes at the start', 'Subplans Removed: 3',
    $$SELECT n FROM by_time WHERE pulid_created_between(id, date '2025-02-20', 'infinity')$$);
\set run ', ANALYZE, TIMING OFF, SUMMARY OFF'
SELECT is((SELECT count(*)::int FROM regexp_matches(plan_of(query, :'run'), '\(never exec', 'g')),
          3, 'A nested loop prunes for each row: ' || query)
FROM unnest(ARRAY[
    $$SELECT FROM argument a JOIN by_prefix m ON pulid_has_prefix(id, a.p) WHERE a.p = 'prd'$$,
    $$SELECT FROM argument a JOIN by_prefix m ON id ^@ (a.p || '_01') WHERE a.p = 'prd'$$,
    $$SELECT FROM argument JOIN by_time ON pulid_created_between(id, since, until) WHERE p = 'prd'$$
    ]) query;
SELECT planned('A nested loop reads the partitions of each row', 'Nested Loop.*Append', query)
FROM unnest(ARRAY['SELECT a.p, n FROM argument a JOIN by_prefix m ON pulid_has_prefix(m.id, a.p)',
    'SELECT p, n FROM argument JOIN by_time ON pulid_created_between(id, since, until)']) query;

-- Partial indexes, conflicts, constraints

CREATE TABLE loose AS SELECT * FROM m;
CREATE INDEX loose_prd ON loose (n) WHERE pulid_has_prefix(id, 'prd');
CREATE TABLE loose_time (LIKE t);
INSERT INTO loose_time SELECT * FROM t;
CREATE INDEX loose_february ON loose_time (n)
    WHERE pulid_created_between(id, '2025-02-01', '2025-03-01');
ANALYZE loose, loose_time;
SELECT planned('A partial index serves', 'using loose_(prd|february)', query) FROM unnest(ARRAY[
    $$SELECT id FROM loose WHERE n > 4000 AND pulid_has_prefix(id, 'prd')$$,
    $$SELECT id FROM loose WHERE n > 4000 AND id ^@ 'prd_01'$$,
    $$SELECT id FROM loose WHERE n > 4000 AND id = 'prd_01jk0000000000000000000000'$$,
    $$SELECT id FROM loose WHERE n > 4000 AND id IN ('prd_01jk0000000000000000000000',
                                                     'prd_01jk0000000000000000000001')$$,
    $$SELECT n FROM loose_time
      WHERE n > 4000 AND pulid_created_between(id, '2025-02-01', '2025-03-01')$$,
    'SELECT n FROM loose_time WHERE n > 4000 AND on_day(id)']) query;
SELECT doesnt_match(plan_of('SELECT id FROM loose WHERE n = 4 AND ' || condition), 'loose_prd',
                    'The partial index is not for ' || condition)
FROM unnest(ARRAY[$$id ^@ 'prd'$$, $$pulid_has_prefix(id, 'usr')$$, 'pulid_has_prefix(id, p)',
    $$NOT pulid_has_prefix(id, 'prd')$$, $$pulid_has_prefix(id, 'prd') IS NOT TRUE$$, 'id IS NULL'
    ]) condition;
CREATE UNIQUE INDEX loose_unique ON loose (n, p) WHERE pulid_has_prefix(id, 'prd');
\set conflict 'INSERT INTO loose SELECT id, n, p FROM m WHERE n BETWEEN 4 AND 8 ON CONFLICT (n, p) '
SELECT matches(plan_of(:'conflict' || $$WHERE pulid_has_prefix(id, 'prd') DO NOTHING$$),
    'Conflict Arbiter Indexes: loose_unique\n', 'A partial index is the arbiter of its predicate');
SELECT lives_ok(:'conflict' || $$WHERE pulid_has_prefix(id, 'prd')
                                DO UPDATE SET n = -excluded.n WHERE excluded.id ^@ 'prd_'$$,
                'ON CONFLICT takes the predicate');
SELECT is((SELECT array_agg(n ORDER BY n) FROM loose WHERE p = 'prd' AND n < 0 AND id IS NOT NULL),
          '{-8,-4}', 'ON CONFLICT updates the rows that the partial index holds');
SELECT throws_ok(:'conflict' || $$WHERE pulid_has_prefix(id, 'usr') DO NOTHING$$, '42P10', NULL,
                 'An index of another prefix is no arbiter');
CREATE INDEX m_expression ON m (pulid_has_prefix(id, 'prd'), n);
SELECT planned('An index on the predicate serves', 'using m_expression',
               $$SELECT n FROM m WHERE pulid_has_prefix(id, 'prd') IS TRUE AND n < 90$$);
DROP INDEX m_expression;

SET LOCAL constraint_exclusion = on;
CREATE TABLE checked (id pulid CHECK (pulid_has_prefix(id, 'prd')), n int);
CREATE TABLE february (id pulid('prd'), n int,
                       CHECK (pulid_created_between(id, '2025-02-01', '2025-03-01')));
SELECT matches(plan_of('SELECT FROM ' || query), 'One-Time Filter: false',
               'A CHECK excludes ' || one_line(query))
FROM unnest(ARRAY[$$checked WHERE pulid_has_prefix(id, 'usr')$$, $$checked WHERE id ^@ 'usr_01'$$,
    $$checked WHERE id = 'usr_01jk0000000000000000000000'$$,
    $$checked WHERE id IN ('usr_01jk0000000000000000000000', '01jk0000000000000000000000')$$,
    $$checked WHERE NOT pulid_has_prefix(id, 'prd')$$, $$checked WHERE pulid_has_prefix(id, 'X')$$,
    $$m JOIN t USING (n) JOIN checked c USING (n) WHERE pulid_has_prefix(c.id, 'usr')$$,
    $$generate_series(1, 9) n JOIN checked c ON c.n = n.n WHERE c.id ^@ '01'$$,
    $$february WHERE pulid_created_between(id, '2025-03-01', 'infinity')$$,
    $$february WHERE id ^@ 'prd_02'$$,
    $$m JOIN february f USING (n) WHERE pulid_created_between(f.id, '2025-01-01', '2025-02-01')$$
    ]) query;
-- The last one could, and does from PostgreSQL 19 on: before, a CHECK is simplified as if its table
-- were the first of the query, and a modifier is believed of nothing but a table.
SELECT is(plan_of('SELECT FROM ' || query) ~ 'One-Time Filter: false',
          query LIKE 'generate_series%' AND current_setting('server_version_num')::int >= 190000,
          'No CHECK excludes ' || query)
FROM unnest(ARRAY[$$checked WHERE id ^@ 'prd'$$, 'checked WHERE id IS NULL',
    $$checked WHERE pulid_has_prefix(id, 'usr') IS NOT TRUE$$,
    $$february WHERE pulid_created_between(id, '2025-02-28 23:59:59.999', 'infinity')$$,
    $$generate_series(1, 9) s JOIN february f ON f.n = s
      WHERE pulid_created_between(f.id, '2025-01-01', '2025-02-01')$$]) query;
SET LOCAL constraint_exclusion = partition;
CREATE TABLE parent (id pulid, n int);
CREATE TABLE child_prd (CHECK (pulid_has_prefix(id, 'prd'))) INHERITS (parent);
CREATE TABLE child_usr (CHECK (pulid_has_prefix(id, 'usr'))) INHERITS (parent);
INSERT INTO child_prd SELECT id, n FROM t;
SELECT planned('Children are excluded', '^((?!child_usr).)*child_prd((?!child_usr).)*$', query)
FROM unnest(ARRAY[$$SELECT n FROM parent WHERE pulid_has_prefix(id, 'prd')$$,
    $$SELECT p.n FROM m JOIN parent p USING (id) WHERE p.id ^@ 'prd_01jk'$$]) query;
SELECT throws_ok('INSERT INTO checked SELECT pulid_generate(''usr'')', '23514', NULL,
                 'The CHECK refuses another prefix');
SELECT lives_ok('INSERT INTO checked VALUES (pulid_generate(''prd'')), (NULL)',
                'The CHECK admits its prefix and NULL');
CREATE TABLE generated (id pulid,
    is_prd boolean GENERATED ALWAYS AS (pulid_has_prefix(id, 'prd')) STORED);
INSERT INTO generated (id) SELECT id FROM m;
SELECT is_empty($$SELECT FROM generated WHERE is_prd IS DISTINCT FROM plain_has_prefix(id, 'prd')$$,
                'A generated column stores the predicate');

-- Row security and security barriers: the conditions leak nothing, so they may run first

CREATE ROLE pulid_test_planner;
CREATE FUNCTION leaky(int) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS 'BEGIN RETURN true; END';
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM m WHERE leaky(n);
CREATE TABLE secured (LIKE t, PRIMARY KEY (id));
INSERT INTO secured SELECT * FROM t;
ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE POLICY positive ON secured USING (leaky(n));
GRANT SELECT ON secured, barrier TO pulid_test_planner;
SET LOCAL ROLE pulid_test_planner;
SELECT planned('It runs before the policy', :'bounds' || '[^\n]*\n +Filter: [^\n]*leaky', query)
FROM unnest(ARRAY[$$SELECT n FROM barrier WHERE pulid_has_prefix(id, 'prd')$$,
    $$SELECT n FROM barrier WHERE id ^@ 'prd_01'$$, 'SELECT n FROM secured WHERE on_day(id)',
    $$SELECT n FROM secured WHERE pulid_has_prefix(id, 'prd')$$,
    $$SELECT n FROM secured WHERE id ^@ 'prd_01jk'$$,
    $$SELECT n FROM secured WHERE pulid_created_between(id, now() - interval '1 y', now())$$
    ]) query;
RESET ROLE;

-- Assignments call the coercion only where the prefix is in doubt

CREATE TABLE target (id pulid('prd') DEFAULT pulid_generate('prd'), n int);
SELECT is(calls_during(statement, 'pulid_coerce'), calls,
          format('The prefix is checked %s times: %s', calls, statement)) FROM (VALUES
    (0, 'INSERT INTO target SELECT id, n FROM t'), (0, 'INSERT INTO target (n) SELECT n FROM t'),
    (0, $$INSERT INTO target VALUES (pulid_generate('prd'), 1), (DEFAULT, 2)$$),
    (0, $$INSERT INTO target SELECT pulid_lower_bound('prd', now()), n FROM t$$),
    (0, $$INSERT INTO target SELECT pulid_generate('prd'), n FROM t$$),
    (0, $$UPDATE target SET id = pulid_generate('prd')$$), (0, 'UPDATE target SET id = DEFAULT'),
    (0, 'UPDATE target SET id = t.id FROM t WHERE t.n = target.n'),
    (2000, $$INSERT INTO target SELECT id, n FROM m WHERE p = 'prd' AND n > 0$$),
    (2000, $$INSERT INTO target SELECT pulid_generate(p), n FROM m WHERE p = 'prd' AND n > 0$$)
    ) v(calls, statement);
SELECT throws_ok(statement, '23514', NULL, 'Another prefix is refused: ' || statement)
FROM unnest(ARRAY[$$INSERT INTO target VALUES (pulid_generate('usr'))$$,
    $$UPDATE target SET id = pulid_generate('usr')$$, 'INSERT INTO target SELECT id FROM m',
    $$INSERT INTO target SELECT pulid_generate('usr') FROM m$$]) statement;

-- Foreign tables only claim their modifier, and their server must understand what it is sent

CREATE SERVER there FOREIGN DATA WRAPPER postgres_fdw OPTIONS (extensions 'prefixed_ulid');
CREATE FOREIGN TABLE far (id pulid('prd'), n int) SERVER there OPTIONS (table_name 't');
SELECT matches(plan_of('SELECT FROM far WHERE on_day(id)', ', VERBOSE'), 'pulid_created_between',
               'The modifier of a foreign table is not believed');
CREATE FUNCTION rows_sent(query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN rows_of(substring(plan_of(query, ', VERBOSE') FROM 'Remote SQL: ([^\n]*)'));
EXCEPTION WHEN others THEN
    RETURN SQLERRM;
END $$;
SELECT is(rows_sent('SELECT n FROM far WHERE ' || condition),
          rows_of(plain(written('SELECT n FROM t WHERE ' || condition))),
          'A foreign server understands ' || condition)
FROM unnest(ARRAY[$$pulid_has_prefix(id, 'prd')$$, $$id ^@ 'prd_01jk'$$, 'on_day(id)']) condition;

-- JIT and parallel plans

SET LOCAL jit = on; SET LOCAL jit_above_cost = 0;
SET LOCAL jit_inline_above_cost = 0; SET LOCAL jit_optimize_above_cost = 0;
SET LOCAL max_parallel_workers_per_gather = 2; SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL enable_seqscan = on;
SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off;
SELECT planned('Parallel and compiled', 'Workers Planned', query) FROM unnest(ARRAY[
    $$SELECT count(*) FROM m WHERE pulid_has_prefix(id, 'prd') OR id ^@ 'usr_01jk'$$,
    $$SELECT count(*), min(n) FROM t WHERE pulid_created_between(id, '2025-02-01', 'infinity')$$,
    $$SELECT count(*) FROM m WHERE NOT pulid_has_prefix(id, p) OR pulid_has_prefix(id, p) IS NULL$$
    ]) query;
SET LOCAL jit = off; SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL enable_indexscan = on; SET LOCAL enable_indexonlyscan = on;

-- Random predicates, and the same with arguments from a table

SELECT setseed(0.4711) \gset
CREATE FUNCTION one_of(VARIADIC choice text[]) RETURNS text LANGUAGE sql VOLATILE
    AS 'SELECT choice[1 + floor(random() * cardinality(choice))]';
CREATE TABLE d (id pulid UNIQUE, own pulid('prd') UNIQUE, bare pulid('') UNIQUE, n int UNIQUE);
INSERT INTO d (id, n)
SELECT pulid_generate(one_of('', 'a', 'a_a', 'a__a', 'aa', 'p', 'prd', 'prd_a', 'prda', 'pre', 'z',
                             repeat('z', 63), repeat('a', 63)),
                      timestamptz '2025-01-01' + random() ^ 4 * interval '70 days'), n
FROM generate_series(1, 2000) n;
INSERT INTO d (id, n) SELECT id, 2000 + row_number() OVER ()
FROM unnest('{"",a,aa,prd,prd_a,z}'::text[]) p,
     LATERAL (VALUES (pulid_min(p)), (pulid_max(p)), (pulid_lower_bound(p, '2025-01-01'))) v(id);
UPDATE d SET own = pulid_with_prefix(pulid_strip_prefix(id), 'prd'), bare = pulid_strip_prefix(id)
WHERE n <= 2000 OR pulid_prefix(id) = 'prd';
INSERT INTO d (n) SELECT -n FROM generate_series(1, 30) n;
ANALYZE d;
CREATE FUNCTION some_id() RETURNS pulid LANGUAGE plpgsql AS $$
DECLARE chosen int := 1 + floor(random() * 2000);
BEGIN
    RETURN (SELECT id FROM d WHERE n = chosen);
END $$;
CREATE FUNCTION random_prefix() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT one_of('', 'a', 'a_a', 'aa', 'prd', 'prd_', 'prd_a', 'prda', 'PRD', '_prd', 'x-y', 'é',
                  repeat('z', 63), repeat('z', 64), pulid_prefix(some_id()))
$$;
CREATE FUNCTION random_beginning() RETURNS text LANGUAGE plpgsql AS $$
DECLARE whole text := some_id();
BEGIN
    whole := left(whole, floor(random() * (length(whole) + 1))::int);
    RETURN one_of(whole, whole, upper(whole),
                  left(whole, -1) || one_of('0', '8', 'i', 'z', 'o', '_'),
                  whole || one_of('{', '`', '_', '0', '8', 'a', 'z', '/', ':', ' ', 'é', '%'));
END $$;
CREATE FUNCTION random_instant() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT one_of((timestamptz '2025-01-01' + random() * interval '70 days')::text,
        (pulid_timestamp(some_id())
         + one_of('0', '1 us', '-1 us', '1 ms', '-999 us', '3 d')::interval)::text,
        'infinity', '-infinity', '1970-01-01', '1970-01-01 00:00:00.000001',
        '1969-12-31 23:59:59.999999', '10889-08-02 05:31:50.655', '10889-08-02 05:31:50.655001',
        '10889-08-02 05:31:50.654', '4713-01-01 BC', '294276-12-31')
$$;
CREATE FUNCTION random_predicate() RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT CASE one_of('prefix', 'beginning', 'time')
        WHEN 'prefix' THEN format('pulid_has_prefix(%s, %L)', one_of('id', 'id', 'own', 'bare'),
                                  random_prefix())
        WHEN 'beginning' THEN format('%s ^@ %L', one_of('id', 'id', 'own', 'bare'),
                                     random_beginning())
        ELSE format('pulid_created_between(%s, %L, %L)', one_of('own', 'bare', 'id'),
                    random_instant(), random_instant())
    END
$$;
-- How many of so many queries differ in a value or in the number of rows; and the first.
CREATE FUNCTION differences(queries int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE a text; b text; whole text; first text := ''; number int := 0;
        differing bigint; expected bigint; found bigint;
BEGIN
    FOR i IN 1 .. queries LOOP
        a := random_predicate();
        b := random_predicate();
        whole := format(one_of('%s', 'NOT %s', '%s AND %s', '%s OR %s', '%s AND NOT %s',
            '(%s) IS NOT TRUE', 'CASE WHEN n %% 2 = 0 THEN %s ELSE %s END', 'NOT (%s OR %s)',
            '(%s) = (%s)'), a, b);
        EXECUTE format('SELECT count(*) FILTER (WHERE (%s) IS DISTINCT FROM (%s)),
                               count(*) FILTER (WHERE %2$s) FROM d', whole, plain(whole))
            INTO differing, expected;
        EXECUTE 'SELECT count(*) FROM d WHERE ' || whole INTO found;
        IF differing <> 0 OR found <> expected THEN
            number := number + 1;
            first := COALESCE(NULLIF(first, ''), format(': %s differs for %s rows, finds %s for %s',
                                                        whole, differing, found, expected));
        END IF;
    END LOOP;
    RETURN number || first;
END $$;
SELECT is(differences(2500), '0', 'Random predicates say what the calls say');
CREATE TABLE random_argument AS
SELECT random_prefix() AS p, random_beginning() AS b, random_instant()::timestamptz AS since,
       random_instant()::timestamptz AS until FROM generate_series(1, 100);
SELECT is_empty(format('SELECT * FROM d, random_argument WHERE %s IS DISTINCT FROM %s', predicate,
                       plain(predicate)),
                'Random arguments from a table make no difference to ' || predicate)
FROM unnest(ARRAY['pulid_has_prefix(id, p)', '(id ^@ b)',
                  'pulid_created_between(own, since, until)',
                  'pulid_created_between(bare, since, until)']) predicate;

SELECT * FROM finish();
ROLLBACK;
