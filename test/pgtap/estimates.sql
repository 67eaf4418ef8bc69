-- Row estimates for pulid_has_prefix, ^@ and pulid_created_between on a million rows: within a
-- factor of two of what is there. ANALYZE samples at random, so all that is asked for is common
-- enough to be missed once in many thousand runs.
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
SET LOCAL jit = off;
SET LOCAL timezone = 'UTC';
SET LOCAL max_parallel_workers_per_gather = 0;

SELECT plan(115);

CREATE FUNCTION estimate(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    RETURN plan #>> '{0,Plan,Plan Rows}';
END $$;
CREATE FUNCTION actual(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE result bigint;
BEGIN
    EXECUTE replace(query, 'SELECT FROM', 'SELECT count(*) FROM') INTO result;
    RETURN result;
END $$;
-- Less than at_least counts as that.
CREATE FUNCTION estimated(relation text, condition text, at_least int DEFAULT 1) RETURNS SETOF text
LANGUAGE plpgsql AS $$
DECLARE
    query text := format('SELECT FROM %s WHERE %s', relation, condition);
    expected float := greatest(actual(query), at_least);
    guess float := greatest(estimate(query), at_least);
    good boolean := guess BETWEEN expected / 2 AND expected * 2;
BEGIN
    RETURN NEXT ok(good, 'The estimate is within a factor of two for ' || condition);
    IF NOT good THEN
        RETURN NEXT diag(format('estimate %s, rows %s', guess, expected));
    END IF;
END $$;

-- A million rows at even distances over 2025: mixed with eight prefixes, from 40 % to 0.1 %, one of
-- them ''; ordered with one; sparse mostly NULL; customer half of the time one of five values.
CREATE TABLE event (n int, mixed pulid, ordered pulid('ord'), sparse pulid('ord'),
                    customer pulid('cus'));
INSERT INTO event
SELECT n, pulid_generate(CASE WHEN r < 400 THEN 'prd' WHEN r < 650 THEN 'usr'
                              WHEN r < 800 THEN 'prd_x' WHEN r < 900 THEN '' WHEN r < 950 THEN 'inv'
                              WHEN r < 989 THEN 'b' WHEN r < 999 THEN 'zone' ELSE 'abc' END, at),
       id, CASE WHEN n % 4 = 0 THEN id END,
       pulid_lower_bound('cus', timestamptz '2024-01-01' + interval '10 minutes'
                                * CASE WHEN n % 2 = 0 THEN n / 2 % 5 * 144 ELSE n % 49999 END)
FROM generate_series(0, 999999) n,
     LATERAL (SELECT timestamptz '2025-01-01' + n * interval '31.536 s',
                     n::bigint * 7919 % 1000) v(at, r),
     LATERAL (SELECT pulid_generate('ord', at)) w(id);

-- Without statistics

SELECT cmp_ok(estimate('SELECT FROM event'), '>', 100000::bigint, 'The table is known to be large');
SELECT ok(estimate('SELECT FROM event WHERE ' || condition)
          BETWEEN low * estimate('SELECT FROM event') AND high * estimate('SELECT FROM event'),
          'Without statistics a range is neither nothing nor all: ' || condition)
FROM (VALUES ($$pulid_has_prefix(mixed, 'prd')$$, 0.001, 0.5), ($$mixed ^@ 'prd_01'$$, 0.001, 0.5),
    ($$pulid_created_between(ordered, '2025-02-01', '2025-02-02')$$, 0.001, 0.5),
    ($$NOT pulid_has_prefix(mixed, 'prd')$$, 0.5, 1),
    ($$NOT pulid_created_between(ordered, '2025-02-01', '2025-02-02')$$, 0.5, 1)
    ) v(condition, low, high);

CREATE INDEX ON event (mixed);
CREATE INDEX ON event (ordered);
ANALYZE event;

-- Prefixes

SELECT estimated('event', format('%spulid_has_prefix(mixed, %L)', negation, prefix))
FROM unnest('{prd,usr,prd_x,"",inv,b,zone}'::text[]) prefix, unnest('{"","NOT "}'::text[]) negation;
SELECT estimated('event', condition, 100) FROM unnest(ARRAY[
    $$pulid_has_prefix(mixed, 'none')$$, $$pulid_has_prefix(mixed, 'PRD')$$,
    $$pulid_has_prefix(mixed, 'x-y')$$, $$pulid_has_prefix(mixed, repeat('a', 100))$$,
    $$pulid_has_prefix(ordered, 'prd')$$, $$mixed ^@ 'none'$$, $$mixed ^@ 'PRD'$$, $$mixed ^@ 'o'$$,
    $$pulid_created_between(ordered, '2026-02-01', '2026-03-01')$$,
    $$pulid_created_between(ordered, '2025-03-01', '2025-02-01')$$,
    $$pulid_created_between(ordered, 'infinity', 'infinity')$$,
    $$pulid_created_between(ordered, '-infinity', '2025-01-01')$$,
    'pulid_has_prefix(mixed, NULL)']) condition;
SELECT estimated('event', condition) FROM unnest(ARRAY[
    $$pulid_has_prefix(ordered, 'ord')$$, $$pulid_has_prefix(sparse, 'ord')$$,
    $$NOT pulid_has_prefix(sparse, 'prd')$$, $$pulid_has_prefix(sparse, 'ord') IS NOT TRUE$$,
    $$pulid_has_prefix(mixed, 'usr') IS NOT TRUE$$,
    $$pulid_has_prefix(mixed, 'prd') AND n < 500000$$,
    $$pulid_has_prefix(mixed, 'prd') OR pulid_has_prefix(mixed, 'zone')$$]) condition;
SELECT ok(estimate($$SELECT FROM event WHERE NOT pulid_has_prefix(sparse, 'ord')$$) <= 10000,
          'NULLs are not counted as another prefix');

-- Beginnings; the character that follows k, t or z is none of base32

SELECT estimated('event', condition) FROM unnest(ARRAY[
    $$mixed ^@ ''$$, $$mixed ^@ 'prd'$$, $$mixed ^@ 'prd_'$$, $$mixed ^@ 'zo'$$,
    $$NOT (mixed ^@ 'prd')$$, $$mixed ^@ 'prd_01'$$, $$mixed ^@ 'prd_01j'$$,
    $$mixed ^@ 'prd_01jm'$$, $$mixed ^@ 'prd_01jk'$$, $$mixed ^@ 'usr_01jr'$$,
    $$mixed ^@ 'usr_01jt'$$, $$mixed ^@ '01jy'$$,
    $$mixed ^@ '01jz'$$, $$mixed ^@ 'prd_x_01k'$$, $$ordered ^@ 'ord_01jk'$$,
    $$ordered ^@ 'ord_01k1a'$$, $$sparse ^@ 'ord_01jk'$$, $$sparse ^@ 'ord_01jm'$$,
    $$NOT (ordered ^@ 'ord_01jk')$$]) condition;
-- The oldest and the newest ids of a prefix lie outside its part of the histogram.
SELECT estimated('event', format('mixed ^@ %L', beginning))
FROM unnest('{prd_01jg,prd_01kd,usr_01jg,usr_01kd,inv_01kb}'::text[]) beginning;

-- Time

SELECT estimated('event', format('%spulid_created_between(%s, %L, %L)', negation, id, since,
                                 since::timestamptz + length))
FROM unnest('{"","NOT "}'::text[]) negation, unnest('{ordered,sparse}'::text[]) id, (VALUES
    ('2025-01-10 13:00', interval '1 hour'), ('2025-03-31', '1 day'), ('2025-06-01', '1 month'),
    ('2025-07-04 08:15', '90 minutes'), ('2025-12-12', '1 week'), ('2025-12-01', '5 weeks'),
    ('2024-12-20', '1 month')) v(since, length);
SELECT estimated('event', $$pulid_created_between(ordered, '2025-07-01'::date, 'infinity')$$);
SELECT estimated('event', format('pulid_created_between(customer, %L, %L)', since, until))
FROM (VALUES ('2024-01-02', '2024-01-03'), ('2024-01-01', '2024-01-01 00:00:01'),
             ('2024-01-01', '2024-01-06'), ('2024-02-01', '2024-03-01')) v(since, until);
PREPARE month(timestamptz) AS
    SELECT FROM event WHERE pulid_created_between(ordered, $1, $1 + interval '1 month');
SET LOCAL plan_cache_mode = force_custom_plan;
SELECT ok(estimate('EXECUTE month(''2025-06-01'')') BETWEEN 41000 AND 165000,
          'A custom plan estimates by its parameter');
SET LOCAL plan_cache_mode = force_generic_plan;
SELECT ok(estimate('EXECUTE month(''2025-06-01'')') BETWEEN 1000 AND 500000,
          'A generic plan has a sane estimate');
RESET plan_cache_mode;

-- A prefix of a thousandth needs a larger sample to be met for certain.
ALTER TABLE event ALTER mixed SET STATISTICS 300;
ANALYZE event (mixed);
SELECT estimated('event', $$pulid_has_prefix(mixed, 'abc')$$);

-- More prefixes than statistics keep

CREATE TABLE diverse AS SELECT pulid_generate(
    translate(to_char(n % 520, 'FM000'), '0123456789', 'abcdefghij')) AS id
FROM generate_series(1, 20800) n;
ANALYZE diverse;
SELECT estimated('diverse', format('pulid_has_prefix(id, %L)', prefix))
FROM unnest('{aaa,bcd,fbj}'::text[]) prefix;
SELECT estimated('diverse', 'pulid_has_prefix(id, ''none'')', 100);

-- Every value a common one, as in a column that references a small table.

CREATE TABLE reference AS
SELECT pulid_lower_bound(CASE WHEN n % 4 = 0 THEN 'usr' ELSE 'prd' END,
                         timestamptz '2025-01-01' + n % 40 * interval '1 day') AS id
FROM generate_series(1, 20000) n;
ANALYZE reference;
SELECT estimated('reference', condition) FROM unnest(ARRAY[$$id ^@ 'prd_01jh'$$,
    $$id ^@ 'usr_01jj'$$, $$pulid_has_prefix(id, 'usr')$$]) condition;

-- A prefix so rare that the histogram has no id of it.

CREATE TABLE rare AS
SELECT pulid_lower_bound(CASE WHEN n % 500 = 7 THEN 'mno' WHEN n % 2 = 0 THEN 'abc' ELSE 'xyz' END,
                         timestamptz '2025-01-01' + n * interval '10 minutes') AS id
FROM generate_series(1, 20000) n;
ANALYZE rare;
SELECT estimated('rare', condition, 10)
FROM unnest(ARRAY[$$id ^@ 'mno_01jj'$$, $$id ^@ 'mno_01'$$]) condition;

CREATE TABLE nothing AS SELECT NULL::pulid AS id FROM generate_series(1, 1000);
ANALYZE nothing;
SELECT estimated('nothing', condition)
FROM unnest(ARRAY['id ^@ ''''', 'NOT pulid_has_prefix(id, ''prd'')']) condition;

-- Anyone may name our estimators for an operator on other types.

CREATE FUNCTION below(pulid, bigint) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
    AS 'BEGIN RETURN false; END';
CREATE OPERATOR <<<< (FUNCTION = below, LEFTARG = pulid, RIGHTARG = bigint,
                      RESTRICT = pulid_below_bound_sel);
CREATE FUNCTION below(bigint, pulid_bound) RETURNS boolean LANGUAGE plpgsql IMMUTABLE
    AS 'BEGIN RETURN false; END';
CREATE OPERATOR <<<< (FUNCTION = below, LEFTARG = bigint, RIGHTARG = pulid_bound,
                      RESTRICT = pulid_above_bound_sel);
CREATE TABLE numbers AS SELECT n::bigint FROM generate_series(1, 1000) n;
ANALYZE numbers;
SELECT ok(estimate('SELECT FROM event WHERE mixed <<<< 4294967296') > 0,
          'An operator with another type of constant');
SELECT ok(estimate('SELECT FROM numbers WHERE n <<<< ''prd_8''::pulid_bound') > 0,
          'An operator with another type of column');

SELECT is(estimate($$SELECT FROM event WHERE 'prd_01jk'::pulid_bound > mixed$$),
          estimate($$SELECT FROM event WHERE mixed < 'prd_01jk'::pulid_bound$$),
          'On which side the column stands makes no difference');

SELECT * FROM finish();
ROLLBACK;
