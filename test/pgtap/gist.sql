-- GiST: the operator class, the rows that its indexes find, and the constraints that it is there
-- for.
\unset ECHO
\set QUIET 1
\pset format unaligned
\pset tuples_only true
\pset pager off
\set ON_ERROR_STOP true

-- VACUUM runs in no transaction, so these tables are made and dropped outside of it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtap;
CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
DROP TABLE IF EXISTS gist_vacuumed;
SELECT setseed(0.4711) \gset
-- Ids in random order: half the prefixes in the order of time, the others at random; some twice.
CREATE FUNCTION pg_temp.some_id(n int) RETURNS pulid LANGUAGE sql AS $$
    SELECT pulid_from_uuid(p, CASE WHEN k % 2 = 0 THEN md5('id' || n)::uuid
                                   ELSE (lpad(to_hex(1000000 + n), 12, '0') || left(md5('id' || n),
                                       20))::uuid END)
    FROM (SELECT k, (ARRAY['prd', 'usr', '', 'a_b', 'prda', 'subscription_item', repeat('q',
        63)])[1 + k] p
          FROM (SELECT (n * 7919 / 13) % 7 k) x) y $$;
CREATE TABLE gist_vacuumed AS SELECT pg_temp.some_id(n) id, n FROM generate_series(1, 30000) n;
CREATE INDEX gist_vacuumed_id ON gist_vacuumed USING gist (id);
DELETE FROM gist_vacuumed WHERE n % 3 <> 0;
VACUUM gist_vacuumed;
INSERT INTO gist_vacuumed SELECT pg_temp.some_id(n), n FROM generate_series(1, 30000) n
    WHERE n % 3 = 1 ORDER BY random();
DELETE FROM gist_vacuumed WHERE pulid_has_prefix(id, 'usr');
VACUUM ANALYZE gist_vacuumed;

\set ON_ERROR_ROLLBACK 1
BEGIN;
SET LOCAL client_min_messages = warning;
SET LOCAL max_parallel_workers_per_gather = 0;
SET LOCAL jit = off;

SELECT current_setting('server_version_num')::int >= 180000 AS since_18 \gset
\if :since_18
SELECT plan(57);
\else
SELECT plan(44);
\endif

CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; result text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        result := result || line || E'\n';
    END LOOP;
    RETURN result;
END $$;

-- Where an index finds other rows than a sequential scan. The rows that a condition finds are told
-- by a sum that depends on each.
CREATE FUNCTION differences(relation regclass, probes pulid[]) RETURNS SETOF text LANGUAGE plpgsql
    AS $$
DECLARE probe pulid; by_scan bigint[]; by_index bigint; operator text; i bigint;
BEGIN
    FOREACH probe IN ARRAY probes LOOP
        SET LOCAL enable_seqscan = on; SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan
            = off;
        EXECUTE format($q$SELECT ARRAY[sum(h) FILTER (WHERE id < $1),
            sum(h) FILTER (WHERE id <= $1), sum(h) FILTER (WHERE id = $1),
            sum(h) FILTER (WHERE id <> $1), sum(h) FILTER (WHERE id >= $1),
                sum(h) FILTER (WHERE id > $1)]
            FROM (SELECT id, hashint4extended(n, 1) %% 1000000007 AS h FROM %s) r$q$,
                relation) INTO by_scan USING probe;
        SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = on;
        FOR operator, i IN SELECT * FROM unnest('{<,<=,=,<>,>=,>}'::text[]) WITH ORDINALITY LOOP
            EXECUTE
                format('SELECT sum(hashint4extended(n, 1) %% 1000000007) FROM %s WHERE id %s %L',
                relation, operator, probe) INTO by_index;
            IF by_index IS DISTINCT FROM by_scan[i] THEN
                RETURN NEXT format('id %s %s: %s, not %s', operator, probe, by_index, by_scan[i]);
            END IF;
        END LOOP;
    END LOOP;
END $$;

-- The operator class

SELECT ok(amvalidate(oid), 'The operator class is valid') FROM pg_opclass
    WHERE opcname = 'pulid_gist_ops';
SELECT results_eq(
    $$SELECT opcdefault, opcintype::regtype::text, opckeytype::regtype::text FROM pg_opclass
        WHERE opcname = 'pulid_gist_ops'$$,
    $$VALUES (true, 'pulid', 'bytea')$$, 'It is the default for pulid, its keys are bytea');
SELECT is(
    (SELECT array_agg(amprocnum::int ORDER BY amprocnum) FROM pg_amproc
        JOIN pg_opfamily f ON f.oid = amprocfamily
     WHERE opfname = 'pulid_gist_ops'),
    CASE WHEN current_setting('server_version_num')::int >= 180000 THEN '{1,2,5,6,7,11,12}'::int[]
        ELSE '{1,2,5,6,7,11}' END,
    'It has its support functions, from 18 on the translation of comparisons');

-- Builds and inserts

CREATE TABLE t (id pulid, n int);
INSERT INTO t SELECT pg_temp.some_id(n), n FROM generate_series(1, 100000) n ORDER BY random();
INSERT INTO t SELECT id, -n FROM t WHERE n % 50 = 0;
INSERT INTO t SELECT NULL, n FROM generate_series(1, 1000) n;
CREATE TABLE inserted (id pulid, n int);
CREATE INDEX inserted_id ON inserted USING gist (id);
INSERT INTO inserted SELECT id, n FROM t WHERE n % 5 = 0;
CREATE TABLE in_order (id pulid, n int);
CREATE INDEX in_order_id ON in_order USING gist (id);
INSERT INTO in_order SELECT pg_temp.some_id(n), n FROM generate_series(1, 30000) n;
CREATE TABLE buffered AS SELECT * FROM t WHERE n % 2 = 0;
CREATE INDEX buffered_id ON buffered USING gist (id) WITH (buffering = on);
CREATE INDEX t_id ON t USING gist (id);
INSERT INTO t SELECT pg_temp.some_id(n), n FROM generate_series(100001, 110000) n;
-- Elements of arrays have the 4-byte header.
CREATE TABLE headers (id pulid, n int);
INSERT INTO headers SELECT CASE WHEN n % 2 = 0 THEN id ELSE (ARRAY[id])[1] END, n FROM t
    WHERE id IS NOT NULL AND n BETWEEN 1 AND 10000;
CREATE INDEX headers_id ON headers USING gist (id);
INSERT INTO headers SELECT CASE WHEN n % 2 = 1 THEN id ELSE (ARRAY[id])[1] END, -n FROM t
    WHERE id IS NOT NULL AND n BETWEEN 1 AND 10000;
ANALYZE t, inserted, in_order, buffered, headers;
SELECT array_agg(id) || ARRAY[pulid_min(''), pulid_max(''), pulid_min('a'), pulid_max('z'),
    pulid_max(repeat('q', 63)), pulid_min('prd'), pulid_max('prd'), pulid_generate('zz')] AS probes
FROM (SELECT id FROM t WHERE id IS NOT NULL ORDER BY random() LIMIT 6) p \gset
SELECT array_agg(id) AS some_ids FROM (SELECT id FROM t WHERE id IS NOT NULL
    ORDER BY random() LIMIT 100) p \gset
CREATE TABLE headers_probe AS SELECT (ARRAY[id])[1] AS id, n FROM t WHERE id IS NOT NULL
    AND n BETWEEN 1 AND 10000;

SELECT is_empty(format('SELECT differences(%L, %L)', relation, :'probes'),
    'Index and sequential scan find the same rows, ' || what)
FROM (VALUES ('t', 'sorted build and inserts'), ('inserted', 'random inserts'), ('in_order',
    'inserts in the order of time'),
             ('buffered', 'buffered build'), ('headers', 'both headers'), ('gist_vacuumed',
                 'VACUUM and inserts')) v (relation, what);

SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = on; SET LOCAL enable_bitmapscan = off;
    SET LOCAL enable_indexonlyscan = on;
SELECT is_empty(
    format($$WITH by_scan AS MATERIALIZED (SELECT id::text AS t, count(*) AS n FROM %s GROUP BY 1)
             SELECT p.id FROM unnest(%L::pulid[]) p(id) LEFT JOIN by_scan ON t = p.id::text
             WHERE (SELECT count(*) FROM %s x WHERE x.id = p.id) <> COALESCE(by_scan.n, 0)$$,
                 relation, :'some_ids', relation),
    'Random ids are found in ' || relation)
FROM unnest('{t,inserted,in_order,buffered,gist_vacuumed}'::text[]) relation;
SELECT is_empty(
    $$SELECT n FROM headers_probe p WHERE (SELECT count(*) FROM headers h WHERE h.id = p.id) < 2$$,
    'Both headers find both headers');

SELECT matches(plan_of(format('SELECT n FROM t WHERE id %s pulid_min(''usr'')', operator)),
    'Index Scan using t_id.*Index Cond: \(id ' || operator,
    'The index serves ' || operator)
FROM unnest('{<,<=,=,<>,>=,>}'::text[]) operator;
SELECT matches(plan_of('SELECT n FROM t WHERE pulid_min(''usr'') < id AND id < pulid_max(''usr'')'),
    'Index Scan using t_id.*Index Cond: \(\(id > .*\) AND \(id < ',
    'The index serves two bounds, commuted as well');
SELECT matches(plan_of('SELECT id FROM t WHERE id > pulid_min(''usr'')'),
    'Index Only Scan using t_id', 'An index-only scan returns the id');
SELECT results_eq(
    $$SELECT count(*)::int, md5(string_agg(id::text, ' ' ORDER BY id)) FROM t
        WHERE id > pulid_min('prd') AND id <> pulid_max('prd')$$,
    $$SELECT count(*)::int, md5(string_agg(id::text, ' ' ORDER BY id)) FROM t
        WHERE id::text COLLATE "C" > 'prd_0' AND id::text COLLATE "C" ~ '^.'$$,
    'What it returns is what was stored');
SELECT results_eq(
    $$SELECT DISTINCT pg_column_size(id) - length(pulid_prefix(id)) FROM headers
        WHERE id > pulid_min('')$$, $$VALUES (17)$$,
    'An index-only scan returns the short header');
SELECT matches(plan_of('SELECT n FROM t WHERE id IS NULL'), 'Index Cond: \(id IS NULL\)',
    'The index serves IS NULL');
SELECT is(count(*)::int, 1000, 'NULLs are found') FROM t WHERE id IS NULL;
SELECT is(count(*)::int, 112000, 'All others are found') FROM t WHERE id IS NOT NULL;
CREATE INDEX nulls_id ON t USING gist (id) WHERE id IS NULL;
CREATE TABLE empty (id pulid);
CREATE INDEX empty_id ON empty USING gist (id);
SELECT is(count(*)::int, 0, 'An empty index finds nothing') FROM empty WHERE id > pulid_min('');
RESET enable_seqscan; RESET enable_bitmapscan;

-- Ids in the order of time must leave full pages behind them.
SELECT pg_relation_size('in_order_id') AS size \gset
REINDEX INDEX in_order_id;
SELECT cmp_ok(:size * 10::bigint, '<', pg_relation_size('in_order_id') * 16,
    'Ids in the order of time leave full pages');

-- Exclusion constraints

CREATE TABLE booking (
    room pulid('roo') NOT NULL,
    during tstzrange NOT NULL,
    CONSTRAINT booking_excl EXCLUDE USING gist (room WITH =, during WITH &&)
);
INSERT INTO booking VALUES (pulid_min('roo'), '[2025-01-01, 2025-01-05)');
SELECT throws_ok($$INSERT INTO booking VALUES (pulid_min('roo'), '[2025-01-04, 2025-01-06)')$$,
    '23P01', NULL, 'Overlap of one room is refused');
SELECT throws_ok($$INSERT INTO booking SELECT (ARRAY[room])[1], during FROM booking$$, '23P01',
    NULL, 'Overlap with the other header is refused');
SELECT lives_ok($$INSERT INTO booking VALUES (pulid_min('roo'), '[2025-01-05, 2025-01-06)')$$,
    'What only touches is allowed');
SELECT lives_ok($$INSERT INTO booking VALUES (pulid_max('roo'), '[2025-01-01, 2025-02-01)')$$,
    'Another room is allowed');
SELECT lives_ok($$INSERT INTO booking SELECT pulid_generate_v4('roo'), '[2025-01-01, 2025-02-01)'
    FROM generate_series(1, 3000)$$, 'Many other rooms are allowed');
SELECT lives_ok($$INSERT INTO booking SELECT pulid_max('roo'),
    tstzrange('2026-01-01'::timestamptz + n * interval '1 hour',
    '2026-01-01'::timestamptz + (n + 1) * interval '1 hour')
                  FROM generate_series(1, 3000) n$$, 'Many bookings of one room are allowed');
SELECT is_empty($$WITH tried AS (INSERT INTO booking SELECT room, during
    FROM booking ON CONFLICT DO NOTHING RETURNING 1) SELECT * FROM tried$$,
    'Every booking of them is in the index');
SELECT throws_ok($$INSERT INTO booking VALUES ('usr_00000000000000000000000000',
    '[2025-01-01, 2025-01-05)')$$, '23514', NULL, 'The modifier holds beside the constraint');

CREATE TABLE deferred (id pulid, during int4range, EXCLUDE USING gist (id WITH =,
    during WITH &&) DEFERRABLE INITIALLY DEFERRED);
INSERT INTO deferred VALUES (pulid_min('a'), '[1,5)'), (pulid_min('a'), '[4,9)');
SELECT throws_ok('SET CONSTRAINTS ALL IMMEDIATE', '23P01', NULL,
    'A deferred exclusion is checked in the end');
UPDATE deferred SET during = '[5,9)' WHERE during = '[4,9)';
SELECT lives_ok('SET CONSTRAINTS ALL IMMEDIATE', 'A deferred exclusion can be mended before');

-- One owner at most: <> refuses every id but the one that is there.
CREATE TABLE owner (id pulid, EXCLUDE USING gist (id WITH <>));
INSERT INTO owner VALUES (pulid_min('usr'));
SELECT lives_ok($$INSERT INTO owner VALUES (pulid_min('usr'))$$,
    'EXCLUDE with <> allows the same id');
SELECT throws_ok($$INSERT INTO owner VALUES (pulid_max('usr'))$$, '23P01', NULL,
    'EXCLUDE with <> refuses another');

-- With two columns pages are also split by the second one.
CREATE TABLE two (id pulid, during int4range);
INSERT INTO two SELECT pg_temp.some_id(n % 50), int4range(n % 4000, n % 4000 + 3)
    FROM generate_series(1, 12000) n;
CREATE INDEX two_gist ON two USING gist (id, during);
INSERT INTO two SELECT pg_temp.some_id(n % 50), int4range(n % 4000, n % 4000 + 3)
    FROM generate_series(12001, 20000) n;
SELECT matches(plan_of('SELECT FROM two WHERE id = pulid_min(''prd'') AND during && ''[5,9)'''),
    'two_gist', 'An index on two columns is used');
CREATE FUNCTION neighbours() RETURNS bigint LANGUAGE sql AS $$
    SELECT sum((SELECT count(*) FROM two b WHERE b.id = a.id AND b.during && a.during))::bigint
    FROM two a WHERE lower(during) % 200 = 7 $$;
SELECT neighbours() AS found \gset
SET LOCAL enable_indexscan = off;
SET LOCAL enable_bitmapscan = off;
SELECT is(neighbours(), :found::bigint, 'It finds every row');
RESET enable_indexscan;
RESET enable_bitmapscan;

\if :since_18

SELECT lives_ok($$CREATE TABLE price (product pulid('prd'), during daterange, amount int,
    PRIMARY KEY (product, during WITHOUT OVERLAPS))$$,
    'A primary key WITHOUT OVERLAPS');
SELECT lives_ok($$INSERT INTO price VALUES (pulid_min('prd'), '[2025-01-01,2025-06-01)', 1),
    (pulid_min('prd'), '[2025-06-01,2026-01-01)', 2),
                                           (pulid_max('prd'), '[2025-01-01,2026-01-01)', 3)$$,
                                               'It takes what does not overlap');
SELECT throws_ok($$INSERT INTO price VALUES (pulid_min('prd'), '[2025-05-01,2025-05-02)', 4)$$,
    '23P01', NULL, 'It refuses what does');
SELECT lives_ok($$CREATE TABLE sold (product pulid('prd'), during daterange, FOREIGN KEY (product,
    PERIOD during) REFERENCES price (product, PERIOD during))$$,
    'A foreign key with PERIOD');
SELECT lives_ok($$INSERT INTO sold VALUES (pulid_min('prd'), '[2025-03-01,2025-09-01)')$$,
    'It accepts what two rows cover together');
SELECT throws_ok($$INSERT INTO sold VALUES (pulid_min('prd'), '[2025-03-01,2026-09-01)')$$, '23503',
    NULL, 'It refuses what they do not cover');
SELECT throws_ok($$INSERT INTO sold VALUES ('prd_00000000000000000000000001',
    '[2025-03-01,2025-04-01)')$$, '23503', NULL, 'It refuses another id');
SELECT throws_ok($$DELETE FROM price WHERE product = pulid_min('prd') AND amount = 2$$, '23503',
    NULL, 'A referenced row cannot be deleted');
SELECT lives_ok($$DELETE FROM price WHERE product = pulid_max('prd')$$, 'Another can');
SELECT throws_ok($$UPDATE price SET during = '[2025-06-01,2025-07-01)' WHERE amount = 2$$, '23503',
    NULL, 'A referenced period cannot be cut');
SELECT lives_ok($$CREATE TABLE plain (id pulid, during daterange, UNIQUE (id,
    during WITHOUT OVERLAPS))$$, 'A UNIQUE WITHOUT OVERLAPS');
SELECT lives_ok($$INSERT INTO plain SELECT pg_temp.some_id(n), '[2025-01-01,2026-01-01)'
    FROM generate_series(1, 5000) n$$, 'It takes many ids of many prefixes');
SELECT is_empty($$WITH tried AS (INSERT INTO plain SELECT * FROM plain ON CONFLICT DO NOTHING
    RETURNING 1) SELECT * FROM tried$$,
    'Every one of them is in the index');

\endif

SELECT * FROM finish();
ROLLBACK;
DROP TABLE gist_vacuumed;
