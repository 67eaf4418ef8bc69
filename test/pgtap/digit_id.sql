-- Digit ids: form, uniformity, what is canonical, what tidying forgives, how many digits are
-- enough.
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

SELECT plan(42);

-- Form

SELECT is((SELECT count(*) FROM (
               SELECT digits, digit_id_generate('JOB', digits) AS id
               FROM generate_series(4, 36, 4) digits, generate_series(1, 500) OFFSET 0) made
           WHERE id ~ '^JOB(-[0-9]{4})+$' AND length(id) = 3 + digits / 4 * 5
             AND digit_id_is_canonical(id, 'JOB', digits) AND digit_id_tidy(id) = id),
    9 * 500::bigint, 'From 4 to 36 digits an id has its form, is canonical and tidy');
SELECT is((SELECT count(DISTINCT digit_id_generate('JOB', 20)) FROM generate_series(1, 100000)),
    100000::bigint, '100,000 ids of 20 digits are distinct');
SELECT is((SELECT count(*) FROM generate_series(1, 2000)
           WHERE digit_id_generate('AZQ', 8) ~ '^AZQ-'), 2000::bigint,
    'The prefix is the one asked for');

-- Uniform, leading zeros included. Each statistic has 9999 degrees of freedom, so it is 9999 +-
-- 141. A good source leaves the limits once in 500,000 times: one in a million on either side, as
-- too even is as wrong as too uneven. For a million groups the remainder of 14 or 16 random bits,
-- instead of a rejection, gives about 96,000 or 15,800.

CREATE TEMP TABLE sample AS
SELECT string_to_array(substr(digit_id_generate('ACC', 16), 5), '-')::int[] AS groups
FROM generate_series(1, 250000);

CREATE FUNCTION chi_square(name text, VARIADIC cells int[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    statistic numeric := sum((n - expected) ^ 2 / expected) FROM (
        SELECT count(c)::numeric AS n, cardinality(cells) / 10000.0 AS expected
        FROM generate_series(0,
            9999) cell LEFT JOIN unnest(cells) c ON c = cell GROUP BY cell) counts;
BEGIN
    RETURN ok(statistic BETWEEN 9339 AND 10686, name) || E'\n'
        || diag(format('chi-square %s of %s draws from 10,000 cells', round(statistic, 1),
            cardinality(cells)));
END $$;

SELECT chi_square('A million groups are uniform', VARIADIC array_agg(g))
FROM sample, unnest(groups) g;
SELECT chi_square(format('So are those in position %s', position),
    VARIADIC array_agg(groups[position]))
FROM sample, generate_series(1, 4) position GROUP BY position ORDER BY position;
SELECT chi_square('A group does not depend on the one before',
    VARIADIC array_agg(groups[i] % 100 * 100 + groups[i + 1] % 100))
FROM sample, generate_series(1, 3, 2) i;
SELECT chi_square('An id does not depend on the one before',
    VARIADIC array_agg((last % 100) * 100 + groups[1] % 100))
FROM (SELECT groups, lag(groups[4]) OVER () AS last FROM sample) s WHERE last IS NOT NULL;
SELECT is((SELECT array_agg(DISTINCT groups[1] / 1000 ORDER BY groups[1] / 1000) FROM sample),
    ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 'Leading zeros occur');

-- What generating refuses

SELECT throws_ok(format('SELECT digit_id_generate(%L, 8)', prefix), '22023', NULL,
    format('22023 for the prefix %L', prefix))
FROM unnest('{"",AC,ACCT,acc,AcC,A1C,"AC ",ÄCC}'::text[]) prefix;
SELECT throws_ok(format('SELECT digit_id_generate(''ACC'', %s)', digits), '22023', NULL,
    format('22023 for %s digits', digits))
FROM unnest(ARRAY[0, -4, 3, 6, 37, 40, 2147483644]) digits;
SELECT is((digit_id_generate(NULL, 8), digit_id_generate('ACC', NULL))::text, '(,)',
    'NULL for NULL');

-- Canonical

SELECT is((SELECT count(*) FROM unnest(ARRAY[
        '', 'ACC', 'ACC-', 'acc-4821-0937', 'ACC48210937', 'ACC 4821 0937', ' ACC-4821-0937',
        'ACC-4821-0937 ', E'ACC-4821-0937\n', 'ACC-4821-093', 'ACC-4821-09371', 'ACC-482-10937',
        'ACC-4821', 'ACC-4821-0937-1156', 'JOB-4821-0937', 'ACC-4821–0937', 'ACC-٤٨٢١-0937',
        repeat('ACC-4821-0937', 100000)]) t
    WHERE digit_id_is_canonical(t, 'ACC', 8)), 0::bigint, 'Anything else is not canonical');
SELECT ok(digit_id_is_canonical('ACC-4821-0937', 'ACC', 8), 'This is');
SELECT is((SELECT bool_or(digit_id_is_canonical('ACC-4821-0937', prefix, digits))
           FROM unnest('{"",acc,AC,ACC-,JOB,ACC}'::text[]) prefix,
                unnest(ARRAY[-2147483648, -8, 0, 4, 7, 9, 12, 40, 2147483647]) digits),
    false, 'For a malformed prefix or number of digits nothing is, and that is no error');
CREATE TEMP TABLE account (
    account_no text PRIMARY KEY DEFAULT digit_id_generate('ACC', 8)
               CHECK (digit_id_is_canonical(account_no, 'ACC', 8)));
SELECT lives_ok('INSERT INTO account DEFAULT VALUES', 'A CHECK accepts what the default makes');
SELECT throws_ok('INSERT INTO account VALUES (''JOB-4821-0937'')', '23514', NULL,
    'It refuses another prefix');
SELECT throws_ok('INSERT INTO account VALUES (''ACC-4821-0937-1156'')', '23514', NULL,
    'It refuses another number of digits');
SELECT throws_ok('INSERT INTO account VALUES (''acc-4821-0937'')', '23514', NULL,
    'It refuses what is not canonical');

-- Tidy

SELECT is((SELECT count(*) FROM unnest(ARRAY[
        'ACC-4821-0937', 'acc-4821-0937', 'acc48210937', 'Acc 4821 0937', '  acc-4821 0937',
            E'ACC\t4821\n0937',
        'ACC - 4821 - 0937 ', 'acc 48 21 09 37', 'ACC-48210937', 'a c c 4 8 2 1 0 9 3 7']) t
    WHERE digit_id_tidy(t) = 'ACC-4821-0937' AND digit_id_tidy(t, 'ACC') = 'ACC-4821-0937'
      AND digit_id_tidy(t, 'JOB') IS NULL),
    10::bigint, 'Case, blanks, hyphens and missing ones are forgiven, another prefix is not');
SELECT is((SELECT count(*) FROM unnest(ARRAY[
        '', '   ', 'ACC', 'ACC-', '4821-0937', 'ACC-4821-093', 'ACC-4821-09370', 'AC-4821-0937',
        'ACCT-4821-0937', 'ACC-4821-O937', 'ACC-482l-0937', 'ACC_4821_0937', 'ACC.4821.0937',
            'ACC-4821–0937',
        'ACC-4821-0937.', 'ÄCC-4821-0937', 'ACC-٤٨٢١-0937', 'ACC' || repeat('1', 40)]) t
    WHERE digit_id_tidy(t) IS NOT NULL OR digit_id_tidy(t, 'ACC') IS NOT NULL),
    0::bigint, 'A text with a digit too many or too few, or with anything else, is hopeless');
SELECT throws_ok('SELECT digit_id_tidy(''ACC-4821-0937'', ''acc'')', '22023', NULL,
    '22023 for a malformed prefix');
SELECT is(digit_id_tidy('acc 4821 0937 1156'), 'ACC-4821-0937-1156',
    'The number of groups is as typed');
SELECT is((digit_id_tidy(NULL), digit_id_tidy(NULL, 'ACC'), digit_id_tidy('ACC-4821',
    NULL))::text, '(,,)',
    'NULL for NULL');

-- Digits

SELECT results_eq(
    $$SELECT rows, digit_id_digits_for(rows)
      FROM unnest(ARRAY[0, 1, 999, 1000, 9999999, 10000000, 99999999999, 100000000000,
          999999999999999,
                        1000000000000000, 9223372036854775807]) rows$$,
    $$VALUES (0::bigint, 4), (1, 8), (999, 8), (1000, 12), (9999999, 12), (10000000, 16),
        (99999999999, 16),
             (100000000000, 20), (999999999999999, 20), (1000000000000000, 24),
                 (9223372036854775807, 24)$$,
    'The edges between numbers of digits');
SELECT is((SELECT count(*) FROM generate_series(0, 18) e, generate_series(-1, 1) d,
               LATERAL (SELECT (10::numeric ^ e + d)::bigint AS rows) r,
               LATERAL (SELECT digit_id_digits_for(rows) AS digits) x
           WHERE NOT (10 * rows::numeric / 10::numeric ^ digits < 0.0001)
              OR digits > 4 AND 10 * rows::numeric / 10::numeric ^ (digits - 4) < 0.0001),
    0::bigint, 'At ten times the rows fewer than one insert in 10,000 collides, with less not');
SELECT throws_ok('SELECT digit_id_digits_for(-1)', '22023', NULL,
    '22023 for a negative number of rows');

SELECT * FROM finish();
ROLLBACK;
