-- Queries that know nothing of pulid: each statement of test/vectors/existing_queries.sql, and some
-- more on uuid, time
-- and NULL, has the same generic plan, or the same error, with the extension as without it.
\unset ECHO
\set QUIET 1
\pset format unaligned
\pset tuples_only true
\pset pager off
\set ON_ERROR_ROLLBACK 1
\set ON_ERROR_STOP true
\set vectors `cat test/vectors/existing_queries.sql`

BEGIN;
SET LOCAL client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtap;
DROP EXTENSION IF EXISTS prefixed_ulid;
SET LOCAL plan_cache_mode = force_generic_plan;

SELECT plan(12);

CREATE TABLE statement (
    n int PRIMARY KEY, origin text, query text, without_extension text, with_extension text);
INSERT INTO statement
SELECT row_number() OVER (), 'file', query
FROM regexp_split_to_table(regexp_replace(:'vectors', '^--[^\n]*\n', '', 'gn'), ';[ \t]*(?:\n|$)')
    AS query
WHERE query ~ '\S';
INSERT INTO statement
SELECT 1000 + row_number() OVER (), 'here', query
FROM unnest(ARRAY[
    'select from q where u = ''x''', 'select from q where u = $1', 'select from q where $1 = u',
    'select from q where u in ($1, $2)', 'select from q where u = any($1)',
        'select from q where u = v',
    'select from q where u = t', 'select from q where t = u', 'select from q where u::text = v',
    'select from q where u < $1 or u ^@ $1', 'select from q where u ^@ v',
        'select from q where v::uuid = u',
    'select from q where t ~<~ v and t ~>=~ ''x''', 'select from q where v ~<>~ t',
    'select from q where t ~<=~ $1', 'select from q where now() > $1',
        'select from q where now() = ''x''',
    'select from q where now() = t', 'select from q where t::timestamptz < now()',
        'select min(u), max(u) from q',
    'select null = null, null < null, ''x'' = null, $1 = null, null in (null), nullif(null, null)',
    'select min(null), max($1), greatest(null, ''x''), least($1, null)',
        'select from q where b = ''x'' and b = $1',
    'select from q where t like v and c like $1 and n ilike ''x'' and ''x'' not like $2',
    'select from q where $1 like $2 and b like $3 and dv not ilike v', 'select null like null',
    'select from q where u like ''x''', 'select from q where i::text like v and v like any(ta)',
    'select from q where j = ''1'' and j = $1',
        'select from q where i = ''1'' and d = $1 and i = t',
    'select from q where ta = ''{x}'' and ta < $1 and va = ta',
        'select from q where t = any(''{x}''::name[])',
    'select from q where (t, v) < ($1, $2) and (t, v) = (''x'', ''y'')',
        'select from q where row(t) = row(''x'')',
    'select from q a join q b on a.u = b.u where a.t > b.v',
        'select from q where t in (select u from q)',
    'select from q where t = (select $1)', 'select from q where not t = v and not v <> $1',
    'select distinct t, v, u from q order by t, v using <, u desc',
        'select t from q group by t having max(t) > ''x''',
    'select t from q union all select v from q except select null', 'values (''x''), (null), ($1)',
    'insert into q (t, v, u) values ($1, $2, ''x'')', 'insert into q (u) select t from q',
        'insert into q (t) select u from q',
    'update q set t = u', 'update q set u = $1, t = $2 where v = $1',
        'delete from q where t = $1 and u = $2']) AS query;

-- The plan of a statement, or its error.
CREATE FUNCTION planned(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    parameters int := (SELECT COALESCE(max(m[1]::int), 0) FROM regexp_matches(query, '\$([0-9]+)',
        'g') m);
    arguments text := CASE parameters WHEN 0 THEN '' ELSE format('(%s)', repeat('NULL,',
        parameters - 1) || 'NULL') END;
    line text;
    result text := '';
    detail text;
    hint text;
BEGIN
    EXECUTE 'PREPARE probe AS ' || query;
    FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) EXECUTE probe' || arguments LOOP
        result := result || line || E'\n';
    END LOOP;
    SELECT result || parameter_types::text INTO result FROM pg_prepared_statements
        WHERE name = 'probe';
    DEALLOCATE probe;
    RETURN result;
EXCEPTION WHEN others THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    IF EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'probe') THEN
        DEALLOCATE probe;
    END IF;
    RETURN format('ERROR %s: %s %s %s', SQLSTATE, SQLERRM, detail, hint);
END $$;

SELECT is((SELECT count(*)::int FROM pg_type WHERE typname IN ('pulid', '_pulid')), 0,
    'The first plans are made without the extension');

DO $$
DECLARE ddl text;
BEGIN
    FOR ddl IN SELECT query FROM statement WHERE query ~* '^\s*(create|alter)\s' ORDER BY n LOOP
        EXECUTE ddl;
    END LOOP;
    DELETE FROM statement WHERE query ~* '^\s*(create|alter)\s';
END $$;
SELECT has_table('q'::name, 'The table of the statements exists');
SELECT has_index('q', 'q_t_idx', 't', 'Its text column has an index');

UPDATE statement SET without_extension = planned(query);
UPDATE statement SET with_extension = planned(query);
SELECT is_empty(
    $$SELECT n, query, without_extension, with_extension FROM statement
      WHERE without_extension IS DISTINCT FROM with_extension$$,
    'Planned twice without the extension, every statement has the same plan');

CREATE EXTENSION prefixed_ulid;
UPDATE statement SET with_extension = planned(query);

SELECT is((SELECT format_type(oid, NULL) FROM pg_type WHERE typname = 'pulid'), 'pulid',
    'The second plans are made with the extension');
SELECT is(count(*)::int, 55, 'All statements of the file were planned') FROM statement
    WHERE origin = 'file';
SELECT is_empty(
    $$SELECT n, query, without_extension, with_extension FROM statement
      WHERE origin = 'file' AND without_extension IS DISTINCT FROM with_extension$$,
    'Every statement of the file has the same plan or error with the extension');
SELECT is(count(*)::int, 48, 'All further statements were planned') FROM statement
    WHERE origin = 'here';
SELECT is_empty(
    $$SELECT n, query, without_extension, with_extension FROM statement
      WHERE origin = 'here' AND without_extension IS DISTINCT FROM with_extension$$,
    'Every further statement has the same plan or error with the extension');
SELECT cmp_ok(count(*) FILTER (WHERE without_extension NOT LIKE 'ERROR%') * 2, '>', count(*),
    'Most of the statements have a plan') FROM statement;
SELECT cmp_ok(count(*) FILTER (WHERE without_extension LIKE 'ERROR%'), '>', 0::bigint,
    'Some of the statements are errors') FROM statement;
SELECT is_empty(
    $$SELECT n, query, with_extension FROM statement WHERE with_extension ~* 'pulid'$$,
    'No plan and no error of theirs mentions pulid');

SELECT * FROM finish();
ROLLBACK;
