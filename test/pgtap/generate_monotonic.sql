-- The generator whose ids increase over all sessions, as one session sees it. Two situations: the
-- server has the shared memory for it (from PostgreSQL 17 on, or preloaded), or says what to set.
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

SELECT current_setting('server_version_num')::int >= 170000
    OR current_setting('shared_preload_libraries') ~ '\mprefixed_ulid\M' AS available \gset
SELECT plan(CASE WHEN :'available' THEN 24 ELSE 10 END);

-- What does not depend on it

SELECT lives_ok($$LOAD 'prefixed_ulid'$$, 'LOAD succeeds');

SELECT is(pulid_generate_monotonic(NULL), NULL, 'No prefix, no id');

SELECT throws_ok(format('SELECT pulid_generate_monotonic(%L)', prefix), '22023', NULL,
    format('The prefix %L is refused', prefix))
FROM unnest(ARRAY['PRD', '_prd', 'p1', repeat('a', 64)]) AS prefix;

SELECT lives_ok($$CREATE TEMP TABLE product (
        n int, id pulid('prd') PRIMARY KEY DEFAULT pulid_generate_monotonic('prd'))$$,
    'It can be a default');

CREATE FUNCTION plan_of(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query;
END $$;
SELECT is_empty($$SELECT line FROM plan_of('INSERT INTO product (n) VALUES (1)') AS line
                  WHERE line ~ 'pulid_coerce'$$,
    'A default of the right prefix costs no coercion');

\if :available

SELECT is(pulid_prefix(pulid_generate_monotonic(prefix)), prefix,
    format('A prefix of %s characters', length(prefix)))
FROM unnest(ARRAY['', 'a', 'pre_fix', repeat('z', 63)]) AS prefix;

SELECT is(pg_column_size(pulid_generate_monotonic('prd')), 20, 'It returns the short header');

SELECT throws_ok($$INSERT INTO product VALUES (0, pulid_generate_monotonic('usr'))$$,
    '23514', NULL, 'The prefix of another table is refused');

-- Order, and the parts of a body: a word that is shared, and random bits

CREATE FUNCTION word(pulid) RETURNS text LANGUAGE sql IMMUTABLE AS
    $$SELECT left(replace(pulid_uuid($1)::text, '-', ''), 16)$$;
CREATE FUNCTION random_bits(pulid) RETURNS bytea LANGUAGE sql IMMUTABLE AS
    $$SELECT decode(right(replace(pulid_uuid($1)::text, '-', ''), 16), 'hex')$$;

SELECT clock_timestamp() AS since \gset
INSERT INTO product (n) SELECT generate_series(1, 20000);
SELECT clock_timestamp() AS until \gset

SELECT is_empty(
    $$SELECT * FROM (SELECT n, id, lag(id) OVER (ORDER BY n) AS before FROM product) AS p
      WHERE id <= before$$,
    'Ids increase as rows are inserted');
SELECT is((SELECT count(DISTINCT word(id)) FROM product), 20000::bigint,
    'Already the shared words are distinct');
SELECT is((SELECT count(DISTINCT random_bits(id)) FROM product), 20000::bigint,
    'The random bits are distinct');
SELECT is_empty(
    $$SELECT bit, avg(get_bit(random_bits(id), bit)) FROM product, generate_series(0, 63) AS bit
      GROUP BY bit HAVING avg(get_bit(random_bits(id), bit)) NOT BETWEEN 0.47 AND 0.53$$,
    'Each of the 64 random bits is one in half of the ids');
SELECT ok(min(pulid_timestamp(id)) >= date_trunc('milliseconds', :'since'::timestamptz),
    'No id is before the clock') FROM product;
SELECT ok(max(pulid_timestamp(id)) <= :'until', 'nor after it') FROM product;

CREATE TEMP TABLE mixed AS
SELECT n, pulid_generate_monotonic((ARRAY['prd', 'usr', ''])[n % 3 + 1]) AS id
FROM generate_series(1, 3000) AS n;
SELECT is_empty(
    $$SELECT * FROM (SELECT n, word(id), lag(word(id)) OVER (ORDER BY n) AS before FROM mixed) AS m
      WHERE word COLLATE "C" <= before$$,
    'Prefixes share one sequence');

CREATE TEMP TABLE kept (id pulid);
INSERT INTO kept VALUES (pulid_generate_monotonic('prd'));
SAVEPOINT before;
SELECT pulid_generate_monotonic('prd') AS lost \gset
ROLLBACK TO before;
SELECT ok(pulid_generate_monotonic('prd') > :'lost' AND :'lost' > id,
    'An id that is rolled back is not handed out again') FROM kept;

SELECT ok(pulid_generate_monotonic('prd') < pulid_generate_monotonic('prd'),
    'Two calls in one expression');

-- Compiled with inlining it is the same function

SET LOCAL jit = on;
SET LOCAL jit_above_cost = 0;
SET LOCAL jit_inline_above_cost = 0;
SELECT is(
    (SELECT count(DISTINCT word(pulid_generate_monotonic(pulid_prefix(id)))) FROM product),
    20000::bigint,
    'It works in compiled expressions');

\else

SELECT throws_ok($$SELECT pulid_generate_monotonic('prd')$$, '55000',
    'pulid_generate_monotonic needs shared memory, which this server has not reserved for it',
    'Before PostgreSQL 17 it needs preloading');

CREATE FUNCTION hint_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE hint text;
BEGIN
    EXECUTE statement;
    RETURN NULL;
EXCEPTION WHEN object_not_in_prerequisite_state THEN
    GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
    RETURN hint;
END $$;
SELECT is(hint_of($$SELECT pulid_generate_monotonic('prd')$$),
    'Add prefixed_ulid to shared_preload_libraries and restart the server.',
    'The hint says what to set');

\endif

SELECT * FROM finish();
ROLLBACK;
