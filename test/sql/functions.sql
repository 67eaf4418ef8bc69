-- The functions on ids and on text, with fixed vectors: what they return, what they refuse and in
-- which words.
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
-- take apart
SELECT id, pulid_prefix(id), pulid_ulid(id), pulid_timestamp(id), pulid_uuid(id)
FROM (VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid), ('01arz3ndektsv4rrffq69g5fav'),
    ('a__b_00000000000000000000000000'), ('prd_7zzzzzzzzzzzzzzzzzzzzzzzzz')) v(id);
SELECT * FROM pulid_inspect('PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J');
SELECT (pulid_inspect('00000000010000000000000001')).*;
SELECT pulid_inspect(NULL) IS NULL AS null_row,
       pulid_prefix('00000000000000000000000000') = '' AS bare;
-- whole milliseconds, the same instant in every time zone
SELECT pulid_timestamp('00000000010000000000000000'), pulid_timestamp('0000000001zzzzzzzzzzzzzzzz');
SET TimeZone = 'Asia/Dubai';
SELECT pulid_timestamp('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
       extract(epoch FROM pulid_timestamp('prd_01jq3v8f6a7b2c8d9e0f1g2h3j')),
       pulid_lower_bound('prd', '2023-11-16 19:30:15+00');
SET TimeZone = 'America/New_York';
SELECT pulid_timestamp('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
       extract(epoch FROM pulid_timestamp('prd_01jq3v8f6a7b2c8d9e0f1g2h3j')),
       pulid_lower_bound('prd', '2023-11-16 19:30:15+00');
SET TimeZone = 'UTC';
-- put together: bit for bit, no version bits touched
SELECT pulid_from_uuid('tx', '0190b7f8-bb85-82b5-c942-8533325b988a');
SELECT pulid_uuid('tx_01j2vzhew5gatwjgm56cs5q64a');
SELECT u, pulid_from_uuid('prd', u), pulid_from_uuid(u), pulid_from_uuid('', u),
       pulid_from_uuid('prd', u)::uuid = u AND u::pulid::uuid = u AS back
FROM (VALUES ('00000000-0000-0000-0000-000000000000'::uuid),
    ('ffffffff-ffff-ffff-ffff-ffffffffffff'), ('6ba7b810-9dad-11d1-80b4-00c04fd430c8'),
    ('f47ac10b-58cc-4372-a567-0e02b2c3d479'), ('0195c7b4-3cca-3ac4-c435-2e03c3014472')) v(u);
SELECT pulid_with_prefix('01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd'),
       pulid_with_prefix('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd') AS same,
       pulid_with_prefix('01jq3v8f6a7b2c8d9e0f1g2h3j', '') AS bare;
SELECT pulid_with_prefix('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd');
SELECT pulid_with_prefix('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', '');
SELECT pulid_strip_prefix('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
       pulid_strip_prefix('01jq3v8f6a7b2c8d9e0f1g2h3j');
-- a malformed prefix: one rule, one error, in every function that takes one
SELECT pulid_generate('Bad-Prefix');
SELECT pulid_min('prd_');
SELECT pulid_max(repeat('a', 64));
SELECT pulid_max('prd') > pulid_max(repeat('a', 63)) AS longest_prefix;
\set VERBOSITY sqlstate
SELECT pulid_generate('PRD');
SELECT pulid_generate('PRD', now());
SELECT pulid_generate_v4('PRD');
SELECT pulid_generate_v7('PRD');
SELECT pulid_from_uuid('PRD', '00000000-0000-0000-0000-000000000000');
SELECT pulid_with_prefix('01jq3v8f6a7b2c8d9e0f1g2h3j', 'PRD');
SELECT pulid_with_prefix('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'PRD');
SELECT pulid_min('PRD');
SELECT pulid_max('PRD');
SELECT pulid_lower_bound('PRD', now());
SELECT pulid_upper_bound('PRD', now());
SELECT pulid_parse('foo', 'PRD');
SELECT pulid_try_parse('foo', 'PRD');
SELECT pulid_tidy('foo', 'PRD');
SELECT pulid_with_prefix('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd'); -- wrong, not malformed
\set VERBOSITY default
-- ... and false, without an error, in the predicates
SELECT p, pulid_has_prefix('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', p) AS has,
       pulid_is_canonical('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', p) AS canonical,
       pulid_is_valid('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', p) AS valid
FROM (VALUES ('prd'), ('PRD'), ('pr'), ('prda'), ('prd_'), (''), (' prd'), ('p-d'),
    (repeat('a', 64)), (NULL)) v(p);
SELECT pulid_has_prefix('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', E'pr\u00e9') AS not_ascii,
       pulid_is_valid('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', E'pr\u00e9') AS not_ascii;
SELECT pulid_has_prefix('01jq3v8f6a7b2c8d9e0f1g2h3j', '') AS bare,
       pulid_has_prefix('a_b_01jq3v8f6a7b2c8d9e0f1g2h3j', 'a') AS part,
       pulid_has_prefix('a_b_01jq3v8f6a7b2c8d9e0f1g2h3j', 'a_b') AS whole;
-- canonical: these bytes; valid: the parser says yes
SELECT t, pulid_is_canonical(t) AS canonical, pulid_is_canonical(t, 'prd') AS canonical_prd,
       pulid_is_valid(t) AS valid, pulid_is_valid(t, 'prd') AS valid_prd, pulid_try_parse(t),
       pulid_try_parse(t, 'prd') AS try_parse_prd
FROM (VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('PRD_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_01JQ3V8F6A7B2C8D9E0F1G2H3J'), ('usr_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('01JQ3V8F6A7B2C8D9E0F1G2H3J'), ('prd_7zzzzzzzzzzzzzzzzzzzzzzzzz'),
    ('prd_8arz3ndektsv4rrffq69g5fav0'), ('prd_01jq3v8f6a7b2c8d9e0f1g2h3'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3jj'), ('prd_01jq3v8f6a7b2c8d9e0f1g2h3l'),
    ('prd-01jq3v8f6a7b2c8d9e0f1g2h3j'), (' prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j '), ('prd__01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('prd1_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('prd'), (''), (NULL)
) v(t);
-- parse
SELECT pulid_parse('PRD_01jq3v8f6a7b2c8d9e0f1g2h3j'),
       pulid_parse('PRD_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd'),
       pulid_parse('01jq3v8f6a7b2c8d9e0f1g2h3j', ''), pulid_parse(NULL) IS NULL AS null_in,
       pulid_parse('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', NULL) IS NULL AS null_prefix;
SELECT pulid_parse('prd_01jq3v8f6a7b2c8d9e0f1g2h3l');
SELECT pulid_parse('USR_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd');
SELECT pulid_parse('01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd');
SELECT pulid_parse('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', '');
\set VERBOSITY sqlstate
SELECT pulid_parse('prd_01jq3v8f6a7b2c8d9e0f1g2h3l');
SELECT pulid_parse('foo', 'prd');
SELECT pulid_parse('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd');
\set VERBOSITY default
-- tidy: what a person typed
SELECT t, pulid_tidy(t), pulid_tidy(t, 'prd') AS tidy_prd FROM (VALUES
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J'),
    ('  prd_01jq3v8f6a7b2c8d9e0f1g2h3j  '), (E'prd_01jq3v8f6a\n7b2c8d9e0f1g2h3j\t'),
    ('prd_ol-jq3v8-f6a7b2c8d9e-Ofig2h3j'), ('prd_O I j q 3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd _ 01jq3v8f6a7b2c8d9e0f1g2h3j'), ('-prd_01jq3v8f6a7b2c8d9e0f1g2h3j-'),
    ('prd-01jq3v8f6a7b2c8d9e0f1g2h3j'), ('prd 01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd01jq3v8f6a7b2c8d9e0f1g2h3j'), ('PRD - 01JQ3V8F6A7B2C8D9E0F1G2H3J'),
    ('pr d_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('usr_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('usr-01jq3v8f6a7b2c8d9e0f1g2h3j'), ('01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('01jq 3v8f 6a7b 2c8d 9e0f 1g2h 3j'), ('prd__01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3'), ('prd_01jq3v8f6a7b2c8d9e0f1g2h3jk'),
    ('prd_u1jq3v8f6a7b2c8d9e0f1g2h3j'), ('prd_81jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_01jq3v8f6a7b_2c8d9e0f1g2h3j'),
    ('prd'), (' '), (''), (NULL)) v(t);
SELECT pulid_tidy(E'prd_01jq3v8f6a7b2c8d9e0f1g2h3\u00e9') IS NULL AS not_ascii,
       pulid_tidy(E'prd\u201301jq3v8f6a7b2c8d9e0f1g2h3j', 'prd') IS NULL AS dash;
-- never a guess: what reads as ab_... is not a_b_..., however untidy it is
SELECT t, pulid_tidy(t) AS tidy, pulid_tidy(t, 'a_b') AS tidy_a_b, pulid_tidy(t, '') AS tidy_bare
FROM (VALUES ('a_b_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('a-b-01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('a b 01jq3v8f6a7b2c8d9e0f1g2h3j'), ('ab01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('ab_01jq3v8f6a7b2c8d9e0f1g2h3j'), (' AB_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('ab_0ljq3v8f-6a7b2c8d9e0f1g2h3j'), ('O1JQ3V8F6A7B2C8D9E0F1G2H3J')) v(t);
-- extract: every id in a piece of text, in order
SELECT pulid_extract($$GET /v1/prd_01jq3v8f6a7b2c8d9e0f1g2h3j?user=USR_01JQ3V8F6A7B2C8D9E0F1G2H3J
    {"order":"ord_01jq3v8f6a7b2c8d9e0f1g2h3j"} [01jq3v8f6a7b2c8d9e0f1g2h3j]$$);
SELECT t, pulid_extract(t) FROM (VALUES ('nothing here'), (''), (NULL),
    ('xprd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('1prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3jx'), ('a-prd_01jq3v8f6a7b2c8d9e0f1g2h3j-b'),
    ('a_prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('12345678901234567890123456'),
    ('1234567890123456789012345a'), ('a_12345678901234567890123456'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j,prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_81jq3v8f6a7b2c8d9e0f1g2h3j'), ('prd_ prd_01jq3v8f6a7b2c8d9e0f1g2h3j.')) v(t);
SELECT pulid_extract(E'\u00e9prd_01jq3v8f6a7b2c8d9e0f1g2h3j\u20ac') AS not_ascii_ends_a_run,
       pg_typeof(pulid_extract('')),
       cardinality(pulid_extract(repeat('prd_01jq3v8f6a7b2c8d9e0f1g2h3j ', 10000))) AS many;
-- ranges
SELECT pulid_min('prd'), pulid_max('prd'), pulid_min(''), pulid_max('');
SELECT instant, pulid_lower_bound('prd', instant::timestamptz),
       pulid_upper_bound('prd', instant::timestamptz) FROM (VALUES
    ('2023-11-16 19:30:15+00'), ('2023-09-15 05:10:56.281+00'), ('2020-01-05 07:03:00.002+00'),
    ('2023-11-15 23:17:12.814+00'), ('2023-11-15 23:17:12.814624+00'),
    ('2026-01-01 00:00:00.123456+00'), ('1970-01-01 00:00:00+00'),
    ('1970-01-01 00:00:00.000001+00'), ('1970-01-01 00:00:00.999+00'),
    ('1970-01-01 00:00:00.999001+00'), ('10889-08-02 05:31:50.654001+00'),
    ('10889-08-02 05:31:50.655+00')) v(instant);
-- bounds beyond what an id can hold: the one that includes all ids of that side is total
SELECT instant, pulid_lower_bound('prd', instant::timestamptz) FROM (VALUES
    ('-infinity'), ('4714-11-24 00:00:00+00 BC'), ('1969-12-31 23:59:59.999999+00')) v(instant);
SELECT instant, pulid_upper_bound('prd', instant::timestamptz) FROM (VALUES
    ('10889-08-02 05:31:50.655001+00'), ('294276-12-31 23:59:59.999999+00'),
    ('infinity')) v(instant);
SELECT pulid_lower_bound('prd', '10889-08-02 05:31:50.655001+00');
SELECT pulid_upper_bound('prd', '1969-12-31 23:59:59.999999+00');
\set VERBOSITY sqlstate
SELECT pulid_lower_bound('prd', '294276-12-31 23:59:59.999999+00');
SELECT pulid_lower_bound('prd', 'infinity');
SELECT pulid_upper_bound('prd', '4714-11-24 00:00:00+00 BC');
SELECT pulid_upper_bound('prd', '-infinity');
\set VERBOSITY default
-- BETWEEN the bounds is pulid_timestamp BETWEEN the instants, to the microsecond
SELECT since, until, count(*) AS pairs,
       bool_and((id BETWEEN pulid_lower_bound('prd', since) AND pulid_upper_bound('prd', until))
                = (pulid_timestamp(id) BETWEEN since AND until)) AS same
FROM (VALUES ('2025-03-24 10:30:32.906+00'::timestamptz, '2025-03-24 10:30:32.907+00'::timestamptz),
             ('2025-03-24 10:30:32.905999+00', '2025-03-24 10:30:32.906001+00'),
             ('2025-03-24 10:30:32.906001+00', '2025-03-24 10:30:32.907999+00'),
             ('2025-03-24 10:30:32.906+00', '2025-03-24 10:30:32.906+00'),
             ('-infinity', '2025-03-24 10:30:32.905999+00'),
             ('2025-03-24 10:30:32.907001+00', 'infinity')) b(since, until),
     (VALUES ('prd_01jq3v8f69zzzzzzzzzzzzzzzz'::pulid), ('prd_01jq3v8f6a0000000000000000'),
             ('prd_01jq3v8f6azzzzzzzzzzzzzzzz'), ('prd_01jq3v8f6b0000000000000000'),
             ('prd_01jq3v8f6bzzzzzzzzzzzzzzzz'), ('prd_01jq3v8f6c0000000000000000')) i(id)
GROUP BY since, until ORDER BY since, until;
-- created_between: since included, until not
SELECT since, until, pulid_created_between('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', since, until)
FROM (VALUES ('2025-03-24 10:30:32.906+00'::timestamptz, '2025-03-24 10:30:32.907+00'::timestamptz),
             ('2025-03-24 10:30:32.905+00', '2025-03-24 10:30:32.906+00'),
             ('2025-03-24 10:30:32.906+00', '2025-03-24 10:30:32.906+00'),
             ('2025-03-24 10:30:32.906+00', '2025-03-24 10:30:32.906001+00'),
             ('2025-03-24 10:30:32.906001+00', '2025-03-24 10:30:32.907+00'),
             ('2025-03-25 00:00:00+00', '2025-03-24 00:00:00+00'), ('-infinity', 'infinity'),
             ('infinity', 'infinity'), ('-infinity', '-infinity'), ('infinity', '-infinity'),
             (NULL, 'infinity')) v(since, until);
SELECT pulid_created_between('7zzzzzzzzzzzzzzzzzzzzzzzzz',
                             '10889-08-02 05:31:50.655+00', 'infinity') AS last,
       pulid_created_between('00000000000000000000000000',
                             '-infinity', '1970-01-01 00:00:00.000001+00') AS first;
-- generators: what is not random
SELECT pulid_prefix(pulid_generate('prd')), pulid_prefix(pulid_generate_v4('a_b')),
       pulid_prefix(pulid_generate_v7('prd')), pulid_prefix(pulid_generate()) = '' AS bare,
       pulid_prefix(pulid_generate('')) = '' AS also_bare;
SELECT bool_and(pulid_uuid(pulid_generate_v4('prd'))::text ~ '^.{14}4.{4}[89ab]') AS version_4,
       bool_and(pulid_uuid(pulid_generate_v7('prd'))::text ~ '^.{14}7.{4}[89ab]') AS version_7
FROM generate_series(1, 100);
SELECT bool_and(a < b AND b < c AND v < w) AS increasing FROM (
    SELECT pulid_generate('prd') AS a, pulid_generate('prd') AS b, pulid_generate('prd') AS c,
           pulid_generate_v7('prd') AS v, pulid_generate_v7('prd') AS w
    FROM generate_series(1, 1000)) g;
SELECT pulid_timestamp(pulid_generate('prd', '2019-08-31 20:35:00+00')),
       pulid_timestamp(pulid_generate('prd', '2023-11-15 23:17:12.814624+00')),
       pulid_timestamp(pulid_generate('prd', '1970-01-01 00:00:00+00')),
       pulid_timestamp(pulid_generate('prd', '10889-08-02 05:31:50.655+00'));
SELECT bool_and(a < b AND b < c) AS microseconds_in_order, count(DISTINCT a) AS random FROM (
    SELECT pulid_generate('prd', '2025-03-24 10:30:32.906122+00') AS a,
           pulid_generate('prd', '2025-03-24 10:30:32.906123+00') AS b,
           pulid_generate('prd', '2025-03-24 10:30:32.906124+00') AS c
    FROM generate_series(1, 100)) g;
SELECT pulid_generate('prd', '1969-12-31 23:59:59.999999+00');
\set VERBOSITY sqlstate
SELECT pulid_generate('prd', '10889-08-02 05:31:50.655001+00');
SELECT pulid_generate('prd', 'infinity');
SELECT pulid_generate('prd', '-infinity');
\set VERBOSITY default
-- an instant can be a generated column
CREATE TABLE product (id pulid,
                      created_at timestamptz GENERATED ALWAYS AS (pulid_timestamp(id)) STORED);
INSERT INTO product VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j') RETURNING created_at;
DROP TABLE product;
