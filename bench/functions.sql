-- What is compared at one size only: functions, net of the loop around them, sorts and joins.
-- Needs the tables that size.sql left behind for :rows.
\echo :rows 'rows: functions, sort and join'

CREATE TABLE text_pulid AS SELECT id::text COLLATE "C" AS id FROM s_pulid;
CREATE TABLE text_uuid AS SELECT id::text COLLATE "C" AS id FROM s_uuid4;
CREATE TABLE text_keys AS SELECT id::text COLLATE "C" AS id FROM p_pulid;
CREATE TABLE mixed_pulid AS
    SELECT pulid_with_prefix(pulid_strip_prefix(id), prefix) AS id
    FROM (SELECT id, ('{usr,ord,prd,inv,cus,pay,evt,item}'::text[])[ceil(random() * 8)]
          FROM s_pulid) AS v (id, prefix);
CREATE TABLE mixed_text AS SELECT id::text COLLATE "C" AS id FROM mixed_pulid;
VACUUM (ANALYZE) text_pulid, text_uuid, text_keys, mixed_pulid, mixed_text;

INSERT INTO statement (test, contender, statement, empty)
SELECT 'generate', name, format('SELECT count(%s) FROM generate_series(1, {rows}) AS n', call),
       'empty'
FROM generator UNION ALL
SELECT 'generate', 'empty', 'SELECT count(n) FROM generate_series(1, {rows}) AS n', NULL;

INSERT INTO statement (test, contender, statement, empty) VALUES
    ('parse', 'pulid_in',
     $$SELECT count(pulid_in(textout(id), 'pulid'::regtype, -1)) FROM text_pulid$$, 'empty pulid'),
    ('parse', 'uuid_in', 'SELECT count(uuid_in(textout(id))) FROM text_uuid', 'empty uuid'),
    ('parse', 'empty pulid', 'SELECT count(textout(id)) FROM text_pulid', NULL),
    ('parse', 'empty uuid', 'SELECT count(textout(id)) FROM text_uuid', NULL),
    ('print', 'pulid_out', 'SELECT count(pulid_out(id)) FROM s_pulid', 'empty pulid'),
    ('print', 'uuid_out', 'SELECT count(uuid_out(id)) FROM s_uuid4', 'empty uuid'),
    ('print', 'empty pulid', 'SELECT count(id) FROM s_pulid', NULL),
    ('print', 'empty uuid', 'SELECT count(id) FROM s_uuid4', NULL),
    ('check', 'pulid_is_canonical',
     $$SELECT count(*) FROM text_pulid WHERE pulid_is_canonical(id, 'prd')$$, 'empty'),
    ('check', 'regular expression',
     $$SELECT count(*) FROM text_pulid WHERE id ~ '^prd_[0-7][0-9a-hjkmnp-tv-z]{25}$'$$, 'empty'),
    ('check', 'empty', 'SELECT count(*) FROM text_pulid WHERE id IS NOT NULL', NULL);

INSERT INTO statement (test, contender, statement, plan)
SELECT v.test, v.contender,
       format('SELECT count(*) FROM (SELECT id FROM %s ORDER BY id OFFSET 0) AS v', v.relation),
       'Sort'
FROM (VALUES ('sort', 'pulid', 's_pulid'),
             ('sort', 'uuid4', 's_uuid4'),
             ('sort', 'text', 's_text'),
             ('mixed sort', 'pulid', 'mixed_pulid'),
             ('mixed sort', 'text', 'mixed_text')) AS v (test, contender, relation);

INSERT INTO statement (test, contender, statement, plan)
SELECT 'hash join', name,
       format('SELECT count(*) FROM t_%1$s AS t JOIN s_%1$s AS s ON s.id = t.id', name),
       'Hash Join'
FROM peer WHERE name IN ('pulid', 'uuid4', 'text') ORDER BY position;

INSERT INTO statement (test, contender, statement, plan)
SELECT 'lookup by text', v.contender,
       format('SELECT count(t.n) FROM %s AS p JOIN t_pulid AS t ON t.id = p.id', v.keys),
       'Index Scan using t_pulid_pkey'
FROM (VALUES ('text', 'text_keys'), ('pulid', 'p_pulid')) AS v (contender, keys);

-- As an application does it: a prepared statement for each key.
CREATE FUNCTION looked_up(key anyelement) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    found int;
BEGIN
    SELECT n INTO found FROM t_pulid WHERE id = key;
    RETURN found;
END $$;
INSERT INTO statement (test, contender, statement)
SELECT 'statement by text', v.contender, format('SELECT count(looked_up(id)) FROM %s', v.keys)
FROM (VALUES ('text', 'text_keys'), ('pulid', 'p_pulid')) AS v (contender, keys);

-- More rounds, because the difference of two times is less certain than either.
CALL run('generate', :rows, :more);
CALL run('parse', :rows, :more);
CALL run('print', :rows, :more);
CALL run('check', :rows, :rounds);

SET enable_indexscan = off;
CALL run('sort', :rows, :rounds);
CALL run('mixed sort', :rows, :rounds);
RESET enable_indexscan;

SET enable_mergejoin = off;
SET enable_nestloop = off;
CALL run('hash join', :rows, :rounds);
SET enable_nestloop = on;
SET enable_hashjoin = off;
SET enable_bitmapscan = off;
SET enable_memoize = off;
CALL run('lookup by text', :rows, :more);
CALL run('statement by text', :rows, :more);
RESET enable_mergejoin;
RESET enable_nestloop;
RESET enable_hashjoin;
RESET enable_bitmapscan;
RESET enable_memoize;

-- Memory, in kilobytes, as EXPLAIN ANALYZE reports it.
CREATE FUNCTION memory(statement text, field text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || statement INTO plan;
    RETURN substring(plan::text FROM field || '": (\d+)');
END $$;

SET enable_mergejoin = off;
SET enable_nestloop = off;
SET enable_indexscan = off;
INSERT INTO fact
SELECT v.fact, :rows, contender, memory(statement, v.field)
FROM statement JOIN (VALUES ('sort', 'sort memory', 'Sort Space Used'),
                            ('hash join', 'hash memory', 'Peak Memory Usage'))
                    AS v (test, fact, field) USING (test)
WHERE contender IN ('pulid', 'uuid4');
RESET enable_mergejoin;
RESET enable_nestloop;
RESET enable_indexscan;
