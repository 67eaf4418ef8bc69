-- Generators: order, clock, randomness, the bits of each kind of body, and what they refuse.
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
SET LOCAL work_mem = '256MB';
SET LOCAL timezone = 'Asia/Kathmandu';

SELECT plan(83);

CREATE FUNCTION bits(pulid) RETURNS bit(128) LANGUAGE sql IMMUTABLE AS
    $$SELECT ('x' || replace(pulid_uuid($1)::text, '-', ''))::bit(128)$$;

-- Order. A row makes its ids from left to right.

SELECT is((SELECT count(*) FROM (
        SELECT a, b, c, d, lag(d) OVER (ROWS UNBOUNDED PRECEDING) AS previous
        FROM (SELECT pulid_generate('prd') AS a, pulid_generate() AS b, pulid_generate('a__b') AS c,
                     pulid_generate(repeat('z', 63)) AS d FROM generate_series(1,
                         250000)) made) rows_
    WHERE COALESCE(pulid_strip_prefix(previous) < pulid_strip_prefix(a), true)
      AND pulid_strip_prefix(a) < b AND b < pulid_strip_prefix(c)
      AND pulid_strip_prefix(c) < pulid_strip_prefix(d)),
    250000::bigint, 'A million bodies in one session strictly rise, whatever their prefixes');

SELECT is((SELECT count(*) FROM (
        SELECT a, b, c, d, lag(d) OVER (ROWS UNBOUNDED PRECEDING) AS previous
        FROM (SELECT pulid_generate_v7('prd') AS a, pulid_generate_v7('') AS b,
            pulid_generate_v7('a__b') AS c,
                     pulid_generate_v7(repeat('z', 63)) AS d FROM generate_series(1,
                         250000)) made) rows_
    WHERE COALESCE(pulid_strip_prefix(previous) < pulid_strip_prefix(a), true)
      AND pulid_strip_prefix(a) < b AND b < pulid_strip_prefix(c)
      AND pulid_strip_prefix(c) < pulid_strip_prefix(d)),
    250000::bigint,
        'A million version 7 bodies in one session strictly rise, whatever their prefixes');

SELECT is((SELECT count(*) FROM (
        SELECT a, b, c, d, lag(c) OVER w AS last_c, lag(d) OVER w AS last_d
        FROM (SELECT pulid_generate('prd') AS a, pulid_generate_v7('prd') AS b,
            pulid_generate('prd') AS c,
                     pulid_generate_v7('prd') AS d, pulid_generate_v4('prd'), pulid_generate('prd',
                         '2999-01-01')
              FROM generate_series(1, 100000)) made
        WINDOW w AS (ROWS UNBOUNDED PRECEDING)) rows_
    WHERE COALESCE(last_c < a, true) AND a < c AND COALESCE(last_d < b, true) AND b < d),
    100000::bigint, 'Each kind of body keeps rising while other generators run between');

-- 20 ids a row. The clock is read before the first and after the last; the first must not be before
-- what it showed, the
-- last not more than a millisecond after. An id is floored to the millisecond.
CREATE FUNCTION twenty_million(OUT ids bigint, OUT rising bigint, OUT not_early bigint,
    OUT not_late bigint)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE (
        SELECT format(
            'SELECT 20 * count(*), count(*) FILTER (WHERE %s AND COALESCE(previous < id1, true)),
                    count(*) FILTER (WHERE pulid_timestamp(id1) > before - interval ''1 ms''),
                    count(*) FILTER (WHERE pulid_timestamp(id20) <= after + interval ''1 ms'')
             FROM (SELECT *, lag(id20) OVER (ROWS UNBOUNDED PRECEDING) AS previous
                   FROM (SELECT clock_timestamp() AS before, %s, clock_timestamp() AS after
                         FROM (SELECT generate_series(1, 1000000)) s) made) rows_',
            string_agg(format('id%s < id%s', i, i + 1), ' AND ') FILTER (WHERE i < 20),
            string_agg(format('pulid_generate(''prd'') AS id%s', i), ', '))
        FROM generate_series(1, 20) i) INTO ids, rising, not_early, not_late;
END $$;
SELECT results_eq('SELECT * FROM twenty_million()',
    'VALUES (20000000::bigint, 1000000::bigint, 1000000::bigint, 1000000::bigint)',
    'Twenty million ids in one session strictly rise and stay within a millisecond of the clock');

-- Parallel plans

CREATE TABLE million AS SELECT generate_series(1, 1000000) AS n;
ALTER TABLE million SET (parallel_workers = 2);
ANALYZE million;
SET LOCAL max_parallel_workers_per_gather = 2; SET LOCAL parallel_setup_cost = 0; SET LOCAL
    parallel_tuple_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; result text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || query LOOP
        result := result || line || E'\n';
    END LOOP;
    RETURN result;
END $$;
SELECT matches(plan_of(format('SELECT %s(''prd'') FROM million', generator)),
    format('Gather.*Parallel Seq Scan.*Output: %s', generator), generator
        || ' runs in parallel workers')
FROM unnest('{pulid_generate,pulid_generate_v4,pulid_generate_v7}'::text[]) generator;
SELECT is(count(DISTINCT id), 1000000::bigint, 'A million ids of parallel workers are distinct')
FROM (SELECT pulid_generate('prd') AS id FROM million OFFSET 0) made;
SELECT is(count(DISTINCT id), 1000000::bigint,
    'A million version 7 ids of parallel workers are distinct')
FROM (SELECT pulid_generate_v7('prd') AS id FROM million OFFSET 0) made;
SELECT is(count(DISTINCT id), 1000000::bigint,
    'A million version 4 ids of parallel workers are distinct')
FROM (SELECT pulid_generate_v4('prd') AS id FROM million OFFSET 0) made;
SELECT is(count(DISTINCT pulid_generate('prd')), 1000000::bigint,
    'A generator inside an aggregate makes a new id for every row') FROM million;
SET LOCAL max_parallel_workers_per_gather = 0;

-- DEFAULT and direct calls

CREATE TABLE product (id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
    name text NOT NULL);
CREATE TABLE bare (id pulid('') PRIMARY KEY DEFAULT pulid_generate(), name text);
CREATE TABLE made (n int GENERATED ALWAYS AS IDENTITY, id pulid);
INSERT INTO made (id) VALUES (pulid_generate('prd'));
WITH new AS (INSERT INTO product (name) VALUES ('x') RETURNING id) INSERT INTO made (id) SELECT id
    FROM new;
INSERT INTO made (id) VALUES (pulid_generate('prd'));
WITH new AS (INSERT INTO product (name) VALUES ('y') RETURNING id) INSERT INTO made (id) SELECT id
    FROM new;
WITH new AS (INSERT INTO bare (name) VALUES ('z') RETURNING id) INSERT INTO made (id) SELECT
    pulid_with_prefix(id, 'prd') FROM new;
SELECT results_eq('SELECT n FROM made ORDER BY id', 'SELECT generate_series(1, 5)',
    'Ids of a DEFAULT and of direct calls are one rising sequence');
INSERT INTO product (name) SELECT n FROM million WHERE n <= 100000;
SELECT results_eq($$SELECT name::int FROM product WHERE name ~ '^\d' ORDER BY id$$,
    'SELECT generate_series(1, 100000)',
    'The ids of a bulk insert are in the order of its rows');
SELECT is_empty(
    $$SELECT id FROM product WHERE NOT pulid_has_prefix(id, 'prd')
         OR abs(extract(epoch FROM clock_timestamp() - pulid_timestamp(id))) > 60$$,
    'The ids of a DEFAULT have its prefix and the time of the insert');
UPDATE product SET id = pulid_generate('prd');
SELECT is((SELECT count(DISTINCT id)::int FROM product), 100002,
    'An UPDATE makes a new id for every row');
PREPARE one AS SELECT pulid_generate('prd') AS id;
SET LOCAL plan_cache_mode = force_generic_plan;
CREATE TABLE executed (id pulid);
INSERT INTO executed SELECT pulid_generate('prd');
CREATE FUNCTION two_of_a_generic_plan() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE a pulid; b pulid;
BEGIN
    EXECUTE 'EXECUTE one' INTO a; EXECUTE 'EXECUTE one' INTO b;
    RETURN a < b;
END $$;
SELECT ok(two_of_a_generic_plan(), 'A prepared statement makes a new id at each execution');
RESET plan_cache_mode;

-- A given instant

SELECT is(pulid_timestamp(pulid_generate('prd', made)), shown,
    'An instant is floored to the millisecond: ' || made)
FROM (VALUES ('2019-08-31 20:35:00+00'::timestamptz, '2019-08-31 20:35:00+00'::timestamptz),
             ('2019-08-31 20:35:00.123999+00', '2019-08-31 20:35:00.123+00'),
             ('1970-01-01 00:00:00+00', '1970-01-01 00:00:00+00'),
             ('1970-01-01 00:00:00.000999+00', '1970-01-01 00:00:00+00'),
             ('1999-12-31 23:59:59.999999+00', '1999-12-31 23:59:59.999+00'),
             ('10889-08-02 05:31:50.654999+00', '10889-08-02 05:31:50.654+00'),
             ('10889-08-02 05:31:50.655+00', '10889-08-02 05:31:50.655+00')) AS v(made, shown);
SELECT is((SELECT count(*)::int FROM (
        SELECT us, row_number() OVER (ORDER BY id) - 1 AS place
        FROM (SELECT us, pulid_generate('prd', timestamptz '2020-01-05 07:03:00.002+00' + us *
            interval '1 us') AS id
              FROM generate_series(0, 9999) us) made) placed
    WHERE us = place), 10000, 'Distinct microseconds stay distinct and in order');
SELECT is((SELECT count(DISTINCT right(left(bits(id)::text, 60), 12))::int
           FROM (SELECT pulid_generate('prd', timestamptz '2020-01-05 07:03:00.002+00' + us *
               interval '1 us') AS id
                 FROM generate_series(0, 999) us) made), 1000,
    'The 12 bits behind the milliseconds tell the microseconds of a millisecond apart');
SELECT is((SELECT right(left(bits(pulid_generate('prd', timestamptz
    '2020-01-05 07:03:00.002999+00'))::text, 60), 12)),
    (999 * 4096 / 1000)::bit(12)::text,
        'The 12 bits are the microseconds of the millisecond in 4096ths, floored');
SELECT is(count(DISTINCT id)::int, 10, 'Equal instants make distinct ids')
FROM (SELECT pulid_generate('prd', '2019-08-31 20:35:00+00') AS id FROM generate_series(1,
    10)) made;
SELECT throws_ok(format('SELECT pulid_generate(''prd'', %L)', instant), '22008',
    'timestamp out of range for type pulid',
    'An instant out of range is refused: ' || instant)
FROM
    unnest('{1969-12-31 23:59:59.999999+00,10889-08-02 05:31:50.655001+00,infinity,-infinity,
        4713-01-01 BC,294276-01-01}'::text[]) instant;
SELECT ok(abs(extract(epoch FROM clock_timestamp() - pulid_timestamp(after))) < 60,
    'An id of a given instant leaves the session''s clock alone')
FROM (SELECT pulid_generate('prd', '9999-01-01'), pulid_generate('prd') AS after) made;

-- The bits. Over 20,000 ids every random bit is 0 and 1, every fixed bit is what it must be.

CREATE TABLE drawn AS SELECT pulid_generate_v4('prd') AS v4, pulid_generate_v7('prd') AS v7,
                             pulid_generate('prd') AS ulid, pulid_generate('prd',
                                 '2019-08-31 20:35:00.5+00') AS given
                      FROM generate_series(1, 20000);
SELECT results_eq(
    $$SELECT bit_and(bits(v4)), bit_or(bits(v4)) FROM drawn$$,
    $$VALUES (x'00000000000040008000000000000000'::bit(128),
        x'ffffffffffff4fffbfffffffffffffff'::bit(128))$$,
    'A version 4 body has version 4, variant 10 and 122 random bits');
SELECT results_eq(
    $$SELECT bit_and(bits(v7)) << 64, bit_or(bits(v7)) << 64 FROM drawn$$,
    $$VALUES (x'80000000000000000000000000000000'::bit(128),
        x'bfffffffffffffff0000000000000000'::bit(128))$$,
    'A version 7 body has variant 10 and 62 random bits');
SELECT is_empty($$SELECT v7 FROM drawn WHERE substr(pulid_uuid(v7)::text, 15, 1) <> '7'$$,
    'A version 7 body has version 7');
SELECT results_eq(
    $$SELECT bit_and(bits(ulid)) << 60, bit_or(bits(ulid)) << 60 FROM drawn$$,
    $$VALUES (x'00000000000000000000000000000000'::bit(128),
        x'fffffffffffffffff000000000000000'::bit(128))$$,
    'A ULID has 68 random bits');
SELECT results_eq(
    $$SELECT bit_and(bits(given)) << 60, bit_or(bits(given)) << 60 FROM drawn$$,
    $$VALUES (x'00000000000000000000000000000000'::bit(128),
        x'fffffffffffffffff000000000000000'::bit(128))$$,
    'A ULID of a given instant has 68 random bits');
SELECT results_eq(
    $$SELECT count(DISTINCT v4)::int, count(DISTINCT v7)::int, count(DISTINCT ulid)::int,
        count(DISTINCT given)::int FROM drawn$$,
    $$VALUES (20000, 20000, 20000, 20000)$$, 'All of them are distinct');
SELECT cmp_ok((SELECT count(*) FROM (SELECT v4, lag(v4) OVER (ROWS UNBOUNDED PRECEDING) AS previous
    FROM drawn) s WHERE previous > v4),
    '>', 9000::bigint, 'Version 4 ids have no order');
SELECT is_empty(
    $$SELECT v7 FROM drawn WHERE pulid_timestamp(v7) NOT BETWEEN now() - interval '1 ms'
        AND clock_timestamp() + interval '1 ms'$$,
    'A version 7 id has the time at which it was made');
SELECT is_empty(
    $$SELECT id FROM (SELECT clock_timestamp() AS before, pulid_generate_v7('prd') AS id,
        clock_timestamp() AS after
                      FROM generate_series(1, 100000)) made
      WHERE pulid_timestamp(id) NOT BETWEEN before - interval '1 ms' AND after + interval '1 ms'$$,
    'A hundred thousand version 7 ids stay within a millisecond of the clock');

-- Prefixes

SELECT is(pulid_prefix(pulid_generate(p)) || pulid_prefix(pulid_generate_v4(p))
    || pulid_prefix(pulid_generate_v7(p))
          || pulid_prefix(pulid_generate(p, now())), repeat(p, 4),
              format('Generators take the prefix "%s"', p))
FROM unnest(ARRAY['', 'a', 'prd', 'pre_fix', 'a__b', repeat('z', 63)]) p;
SELECT is(pulid_prefix(pulid_generate()), '', 'pulid_generate() makes bare ULIDs');
SELECT throws_ok(format('SELECT %s(%L)', generator, p), '22023', format('invalid prefix: "%s"',
    shown),
    format('%s refuses the prefix "%s"', generator, shown))
FROM unnest('{pulid_generate,pulid_generate_v4,pulid_generate_v7}'::text[]) generator,
     (VALUES ('PRD', 'PRD'), ('p1', 'p1'), ('_a', '_a'), ('a_', 'a_'), ('_', '_'), ('a-b', 'a-b'),
         (' prd', ' prd'),
             ('é', '\xc3\xa9'), (repeat('a', 64), repeat('a', 64)), (repeat('a', 100000),
                 repeat('a', 100) || '...')) AS v(p, shown);
SELECT throws_ok($$SELECT pulid_generate('PRD', now())$$, '22023', 'invalid prefix: "PRD"',
    'pulid_generate with an instant refuses the prefix "PRD"');
SELECT throws_ok($$SELECT pulid_generate('PRD', 'infinity')$$, '22023', 'invalid prefix: "PRD"',
    'A malformed prefix is reported before an instant out of range');
SELECT ok(pulid_generate(NULL) IS NULL AND pulid_generate(NULL, now()) IS NULL
    AND pulid_generate('prd', NULL) IS NULL
          AND pulid_generate_v4(NULL) IS NULL AND pulid_generate_v7(NULL) IS NULL,
              'NULL makes NULL');

SELECT * FROM finish();
ROLLBACK;
