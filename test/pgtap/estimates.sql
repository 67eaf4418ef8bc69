-- Row estimates for pulid_has_prefix, ^@ and pulid_created_between on a million rows: within a
-- factor of two of what is there. ANALYZE takes a random sample, so ranges hold enough rows of it.
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
SET LOCAL plan_cache_mode = force_custom_plan;

SELECT plan(84);

CREATE FUNCTION estimate(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    RETURN plan #>> '{0,Plan,Plan Rows}';
END $$;
CREATE FUNCTION rows_there(query text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE result bigint;
BEGIN
    EXECUTE replace(query, 'SELECT FROM', 'SELECT count(*) FROM') INTO result;
    RETURN result;
END $$;
-- Whether the estimate is within a factor of two; if there are fewer rows than that, of so many.
CREATE FUNCTION estimated(relation text, condition text, at_least int DEFAULT 1) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE
    query text := format('SELECT FROM %s WHERE %s', relation, condition);
    expected float := greatest(rows_there(query), at_least);
    guess float := greatest(estimate(query), at_least);
BEGIN
    RETURN ok(guess BETWEEN expected / 2 AND expected * 2,
              format('%s: %s rows are estimated as well as may be', relation, condition))
        || CASE WHEN guess BETWEEN expected / 2 AND expected * 2 THEN ''
                ELSE E'\n' || diag(format('estimate %s, rows %s', guess, expected)) END;
END $$;

-- A million rows, at even distances over 2025. mixed has eight prefixes, one of them '' (bare ids),
-- ordered one. customer is as a foreign key: half of the rows have one of five values.
CREATE TABLE event (n int, mixed pulid, ordered pulid('ord'), customer pulid('cus'),
                    sparse pulid('ord'));
INSERT INTO event
SELECT n, pulid_generate(CASE WHEN r < 400 THEN 'prd' WHEN r < 650 THEN 'usr' WHEN r < 800 THEN 'prd_x'
                              WHEN r < 900 THEN '' WHEN r < 950 THEN 'inv' WHEN r < 989 THEN 'b'
                              WHEN r < 999 THEN 'zone' ELSE 'abc' END, at),
       id, CASE WHEN n % 2 = 0 THEN pulid_lower_bound('cus', timestamptz '2024-01-01' + n / 2 % 5 * interval '1 day')
                ELSE pulid_lower_bound('cus', timestamptz '2024-01-01' + n % 49999 * interval '10 minutes') END,
       CASE WHEN n % 4 = 0 THEN id END
FROM generate_series(0, 999999) n, LATERAL (SELECT timestamptz '2025-01-01' + n * interval '31.536 s', n::bigint * 7919 % 1000) v(at, r),
     LATERAL (SELECT pulid_generate('ord', at)) w(id);

-- Never analyzed

SELECT ok(estimate('SELECT FROM event') > 100000, 'The planner knows that a new table is large');
SELECT ok(estimate('SELECT FROM event WHERE ' || condition) / estimate('SELECT FROM event')::float BETWEEN low AND high,
          format('Without statistics the estimate is sane for %s', condition))
FROM (VALUES ($$pulid_has_prefix(mixed, 'prd')$$, 0.0001, 0.5), ($$mixed ^@ 'prd_01'$$, 0.0001, 0.5),
             ($$pulid_created_between(ordered, '2025-02-01', '2025-02-02')$$, 0.0001, 0.5),
             ($$NOT pulid_has_prefix(mixed, 'prd')$$, 0.5, 1), ($$pulid_has_prefix(mixed, 'PRD')$$, 0, 0.5)) v(condition, low, high);

ANALYZE event;

SELECT estimated('event', format('%spulid_has_prefix(mixed, %L)', negation, prefix))
FROM unnest('{prd,usr,prd_x,"",inv,b,zone}'::text[]) prefix, unnest('{"","NOT "}'::text[]) negation;
SELECT estimated('event', condition, 1000) FROM unnest(ARRAY[
    $$pulid_has_prefix(mixed, 'none')$$, $$pulid_has_prefix(mixed, 'PRD')$$, $$pulid_has_prefix(mixed, 'x-y')$$,
    $$pulid_has_prefix(mixed, repeat('a', 100))$$, $$pulid_has_prefix(ordered, 'prd')$$, $$mixed ^@ 'none'$$, $$mixed ^@ 'PRD_'$$,
    $$pulid_created_between(ordered, '2026-02-01', '2026-03-01')$$, $$pulid_created_between(ordered, '2025-03-01', '2025-02-01')$$,
    $$pulid_created_between(ordered, 'infinity', 'infinity')$$, $$pulid_created_between(ordered, '-infinity', '2025-01-01')$$]) condition;
SELECT estimated('event', condition) FROM unnest(ARRAY[
    $$pulid_has_prefix(ordered, 'ord')$$, $$pulid_has_prefix(sparse, 'ord')$$, $$NOT pulid_has_prefix(sparse, 'ord')$$,
    $$pulid_has_prefix(mixed, 'prd') AND n < 500000$$, $$pulid_has_prefix(mixed, 'prd') OR pulid_has_prefix(mixed, 'zone')$$,
    $$pulid_has_prefix(mixed, 'usr') IS NOT TRUE$$, $$pulid_has_prefix(sparse, 'ord') IS NOT TRUE$$, $$mixed ^@ ''$$, $$mixed ^@ 'prd'$$,
    $$mixed ^@ 'prd_'$$, $$mixed ^@ 'zo'$$, $$mixed ^@ 'o'$$, $$NOT (mixed ^@ 'prd')$$, $$mixed ^@ 'prd_01'$$, $$mixed ^@ 'prd_01j'$$, $$mixed ^@ 'prd_01jk'$$,
    $$mixed ^@ 'usr_01jt'$$, $$mixed ^@ '01jz'$$, $$mixed ^@ 'prd_x_01k'$$, $$ordered ^@ 'ord_01jk'$$, $$ordered ^@ 'ord_01k1a'$$, $$ordered ^@ 'ord_01jq3v'$$,
    $$sparse ^@ 'ord_01jk'$$, $$NOT (ordered ^@ 'ord_01jk')$$]) condition;

-- The custom plan of a parameter, and instants that are known when the plan is made

SELECT estimated('event', format('%spulid_created_between(%s, %L, %L)', negation, id, since, since::timestamptz + length))
FROM unnest('{"","NOT "}'::text[]) negation, unnest('{ordered,sparse}'::text[]) id,
     (VALUES ('2025-01-10 13:00', interval '1 hour'), ('2025-03-31 00:00', '1 day'), ('2025-07-04 08:15', '90 minutes'),
             ('2025-06-01', '1 month'), ('2025-12-12', '1 week'), ('2025-12-01', '5 weeks'), ('2024-12-20', '1 month')) v(since, length);
SELECT estimated('event', $$pulid_created_between(ordered, '2025-07-01'::timestamp at time zone current_setting('timezone'), now() + interval '1000 years')$$);
