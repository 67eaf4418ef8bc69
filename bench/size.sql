-- All peers at one size: :rows, the best of :rounds.
-- The lookups are short, and their times spread.
SELECT 3 * :rounds AS more \gset

\echo :rows 'rows: insert'
SELECT format('DROP TABLE IF EXISTS t_%1$s, s_%1$s, p_%1$s', name),
       format('CREATE TABLE t_%s (id %s, n int NOT NULL)', name, key)
FROM peer
\gexec
CALL run('insert', :rows, :rounds);

\echo :rows 'rows: index build'
SELECT format('CREATE TABLE s_%1$s AS SELECT id FROM t_%1$s ORDER BY random()', name),
       format('CREATE TABLE p_%1$s AS SELECT id FROM s_%1$s LIMIT 200000', name),
       format('VACUUM (ANALYZE) t_%1$s, s_%1$s, p_%1$s', name)
FROM peer
\gexec
DROP TABLE IF EXISTS wide_uuid4;
CREATE TABLE wide_uuid4 AS SELECT id, 1 AS n FROM s_uuid4;
VACUUM (ANALYZE) wide_uuid4;
CALL run('index build', :rows, :rounds);

INSERT INTO fact
SELECT v.fact, :rows, name, pg_relation_size(format(v.relation, name)::regclass)
FROM peer, (VALUES ('heap', 't_%s'), ('primary key', 't_%s_pkey'), ('index', 'i_%s'))
           AS v (fact, relation);

\echo :rows 'rows: lookup'
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_bitmapscan = off;
SET enable_memoize = off;
CALL run('lookup', :rows, :more);
RESET enable_hashjoin;
RESET enable_mergejoin;
RESET enable_bitmapscan;
RESET enable_memoize;
