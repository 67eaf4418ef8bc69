-- What a hostile role, search_path, string or client can do, and what it cannot; docs/security.md
-- argues from these tests. What can be said about all objects is asked of the catalogs, so that it
-- holds for those to come.
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

SELECT plan(39);

CREATE TEMP VIEW member AS
SELECT d.classid, d.objid, pg_describe_object(d.classid, d.objid, 0) AS object
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'prefixed_ulid';

CREATE TEMP VIEW function AS
SELECT p.*, l.lanname, p.oid::regprocedure::text AS signature
FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid;

CREATE TEMP VIEW relation AS
SELECT c.*, c.oid::regclass::text AS name
FROM pg_class c JOIN member ON classid = 'pg_class'::regclass AND objid = c.oid;

-- SQLSTATE and message of a statement, or 'done'.
CREATE FUNCTION outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'done';
EXCEPTION WHEN others THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END $$;

-- All objects, whatever they are

SELECT cmp_ok((SELECT count(*) FROM function), '>=', 100::bigint, 'Functions are found');

SELECT is_empty('SELECT signature FROM function WHERE prosecdef',
    'No function has other rights than its caller''s');

-- The body of a C function names nothing, that of a standard SQL body was parsed once and for all.
SELECT is_empty(
    $$SELECT signature, proconfig FROM function
      WHERE lanname <> 'c' AND prosqlbody IS NULL AND prokind <> 'a'
        AND 'search_path=pg_catalog, pg_temp' <> ALL (COALESCE(proconfig, '{}'))
        AND proname NOT IN (
            -- run statements of the caller, whose triggers, defaults and policies need the caller's
            -- path; every name in the bodies is qualified
            'digit_id_insert', 'find', 'backfill', 'backfill_expression')$$,
    'The meaning of every function is fixed, or it is listed here with the reason');

SELECT is_empty(
    $$SELECT object, acl.privilege_type
      FROM member JOIN pg_class c ON classid = 'pg_class'::regclass AND objid = c.oid,
          LATERAL aclexplode(c.relacl) AS acl
      WHERE acl.grantee = 0 AND acl.privilege_type <> 'SELECT' AND NOT c.relrowsecurity
      UNION ALL
      SELECT object, acl.privilege_type
      FROM member JOIN pg_namespace n ON classid = 'pg_namespace'::regclass AND objid = n.oid,
          LATERAL aclexplode(n.nspacl) AS acl
      WHERE acl.grantee = 0 AND acl.privilege_type <> 'USAGE'$$,
    'PUBLIC reads relations and uses schemas of the extension, and writes only under policies');

SELECT is_empty(
    $$SELECT signature FROM function
      WHERE 'internal'::regtype = prorettype AND NOT 'internal'::regtype = ANY (proargtypes::oid[])
         OR prorettype = 'trigger'::regtype
         OR prorettype = 'event_trigger'::regtype AND proname <> 'check_unique_prefixes'$$,
    'No function makes internal values, which others would trust; one is an event trigger');

SELECT is_empty(
    $$SELECT c.oid FROM pg_cast c JOIN member ON classid = 'pg_cast'::regclass AND objid = c.oid
      WHERE c.castmethod = 'b' OR c.castcontext = 'i' AND castsource <> casttarget$$,
    'No cast is implicit or takes the bytes of another type as they are');

-- A role that may create objects in one schema

DROP ROLE IF EXISTS prefixed_ulid_hostile;
CREATE ROLE prefixed_ulid_hostile;
CREATE SCHEMA playground;
GRANT USAGE, CREATE ON SCHEMA playground TO prefixed_ulid_hostile;
CREATE TABLE secret (id pulid('sec') PRIMARY KEY DEFAULT pulid_generate('sec'), owner text,
    word text);
CREATE FUNCTION mine(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    SET LOCAL ROLE prefixed_ulid_hostile;
    result := outcome(statement);
    RESET ROLE;
    RETURN result;
END $$;

SELECT matches(mine(statement), '^(42501|42P17|42601)', 'A role is refused: ' || statement)
FROM (VALUES
    ($$CREATE FUNCTION playground.f(pulid) RETURNS int AS '$libdir/prefixed_ulid', 'pulid_hash'
       LANGUAGE c$$),
    ($$CREATE OR REPLACE FUNCTION pg_catalog.pulid_parse(text) RETURNS pulid LANGUAGE sql
       AS 'SELECT NULL::pulid'$$),
    ($$CREATE FUNCTION prefixed_ulid.digit_id_insert(text) RETURNS text LANGUAGE sql
       AS 'SELECT $1'$$),
    ('CREATE TABLE prefixed_ulid.t ()'),
    ('CREATE CAST (text AS pulid) WITH INOUT AS IMPLICIT'),
    ('CREATE CAST (bytea AS pulid) WITHOUT FUNCTION'),
    ('ALTER FUNCTION pulid_generate(text) IMMUTABLE'),
    ('ALTER FUNCTION pulid_parse(text) LEAKPROOF'),
    ('ALTER OPERATOR FAMILY pulid_ops USING btree ADD FUNCTION 1 (int, int) btint4cmp(int, int)'),
    ('ALTER TYPE pulid SET (STORAGE = extended)'),
    ('ALTER OPERATOR pg_catalog.= (pulid, pulid) SET (RESTRICT = NONE)'),
    ('DROP OPERATOR pg_catalog.= (pulid, pulid)'),
    ('DROP EXTENSION prefixed_ulid CASCADE'),
    ('ALTER EXTENSION prefixed_ulid DROP FUNCTION pulid_parse(text)'),
    ('SELECT * FROM secret')) AS v(statement);

SELECT matches(mine(statement), '^(42883|42804|0A000)', 'Nobody calls ' || statement
    || ' with bytes of their own')
FROM (VALUES ($$SELECT pulid_recv('\x00'::bytea, 0, -1)$$),
             ($$SELECT pulid_gist_union('\x00'::bytea, '\x00'::bytea)$$),
             ($$SELECT pulid_typanalyze('\x00'::bytea)$$)) AS v(statement);

-- What such a role can do: shadow, for whoever has its schema in the path. That is so for each
-- type of PostgreSQL; pg_catalog comes first, but a better match wins.
SELECT is(mine($$CREATE FUNCTION playground.yes(pulid, varchar) RETURNS boolean LANGUAGE sql
        AS 'SELECT true'$$) || mine('CREATE OPERATOR playground.= (LEFTARG = pulid,
        RIGHTARG = varchar, FUNCTION = playground.yes)'), 'donedone',
    'A role can put operators on ids into its schema');
SET LOCAL search_path = public, playground;
SELECT ok(pulid_min('prd') = 'no'::varchar,
    'Whoever has its schema in the path can meet them, as for text = varchar');
SET LOCAL search_path = public;
SELECT ok(NOT pulid_min('prd') = 'no'::varchar, 'Nobody else meets them');

-- Row-level security: a condition on the id goes below the policy, a leaky function does not.

ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON secret USING (owner = current_user);
GRANT SELECT ON secret TO prefixed_ulid_hostile;
INSERT INTO secret (id, owner, word)
SELECT pulid_from_uuid('sec', md5(n::text)::uuid), CASE WHEN n % 100 = 0
    THEN 'prefixed_ulid_hostile' ELSE 'somebody' END, 'word ' || n
FROM generate_series(1, 1000) AS n;
ANALYZE secret;
CREATE TABLE playground.seen (line text);
GRANT ALL ON playground.seen TO prefixed_ulid_hostile;
CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE line text; result text := '';
BEGIN
    SET LOCAL ROLE prefixed_ulid_hostile;
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || query LOOP
        result := result || line || E'\n';
    END LOOP;
    RESET ROLE;
    RETURN result;
END $$;
SET LOCAL enable_seqscan = off;
SELECT matches(plan_of('SELECT * FROM secret WHERE ' || condition),
    'Filter: \(owner.*Index Cond: \(|Index Cond: \(.*Filter: \(owner',
    'The key is used below the policy by ' || condition)
FROM (VALUES ($$id = 'sec_01jq3v8f6a7b2c8d9e0f1g2h3j'$$),
             ($$id = 'sec_01jq3v8f6a7b2c8d9e0f1g2h3j'::text$$),
             ($$id ^@ 'sec_01'$$),
             ($$pulid_created_between(id, '2025-01-01', '2026-01-01')$$)) AS v(condition);
RESET enable_seqscan;
SELECT is(mine($$CREATE FUNCTION playground.leak(pulid) RETURNS boolean LANGUAGE plpgsql COST 0.0001
        AS 'BEGIN INSERT INTO playground.seen VALUES ($1::text); RETURN true; END'$$)
    || mine('SELECT * FROM secret WHERE playground.leak(id)'), 'donedone',
    'A role asks for a table with a function that tells what it sees');
SELECT is((SELECT count(*)::int FROM playground.seen), 10, 'and is told of its own rows only');

-- LEAKPROOF: whatever the arguments, no error and no notice

CREATE TABLE hostile_text (value text);
INSERT INTO hostile_text
VALUES (''), ('_'), ('prd'), ('prd_'), ('_01jq3v8f6a7b2c8d9e0f1g2h3j'), (E'\n\t\x1b[31m'),
    ('01jq3v8f6a7b2c8d9e0f1g2h3j'), ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J'), ('prd_81jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3l'), (repeat('z', 63)), (repeat('a', 64)),
    (repeat('_', 90)), (repeat('z', 63) || '_7zzzzzzzzzzzzzzzzzzzzzzzzz'), ('ACC-4821-0937'),
    ('ACC'), ('é'), ('💥_01jq3v8f6a7b2c8d9e0f1g2h3j'), (''';DROP TABLE secret;--'),
    (repeat('0', 27)),
    (repeat('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 100000)),                    -- compressed
    ((SELECT string_agg(md5(n::text), '') FROM generate_series(1, 50000) AS n));   -- toasted
CREATE TABLE hostile_pulid (value pulid);
INSERT INTO hostile_pulid SELECT value::pulid FROM hostile_text WHERE pulid_is_valid(value)
UNION ALL VALUES (pulid_min('')), (pulid_max(repeat('z', 63)));
CREATE VIEW hostile_timestamptz AS
SELECT unnest('{-infinity,4713-01-01 BC,1970-01-01 00:00+00,2025-03-24 10:30+00,
    10889-08-02 05:31:50.655+00,294276-12-31,infinity}'::timestamptz[]) AS value;
CREATE VIEW hostile_integer AS SELECT unnest('{-2147483648,-1,0,1,4,36,40,2147483647}'::int[])
    AS value;
CREATE VIEW hostile_boolean AS SELECT unnest('{t,f}'::boolean[]) AS value;
CREATE VIEW hostile_pulid_bound AS
SELECT b.value FROM hostile_text AS t, hostile_boolean AS u,
    LATERAL (VALUES (pulid_prefix_bound(t.value, u.value)),
        (pulid_beginning_bound(t.value, u.value)),
        (pulid_created_bound(t.value, '-infinity', 'infinity', u.value))) AS b(value)
UNION ALL SELECT 'junk'::pulid_bound;

-- Each on the product of all values of its arguments. A toasted text makes that slow only once.
CREATE FUNCTION swept(function regproc, arguments oid[]) RETURNS text LANGUAGE plpgsql AS $$
DECLARE tables text; call text; calls bigint;
BEGIN
    SELECT string_agg(format('%I AS a%s', 'hostile_' || CASE t WHEN 'timestamptz'::regtype
            THEN 'timestamptz' ELSE format_type(t, NULL) END, n), ', ' ORDER BY n),
        string_agg(format('a%s.value', n), ', ' ORDER BY n)
    INTO tables, call FROM unnest(arguments) WITH ORDINALITY AS u(t, n);
    EXECUTE format('SELECT count(*) FROM (SELECT %s(%s) FROM %s OFFSET 0) AS s', function, call,
        tables) INTO calls;
    RETURN CASE WHEN calls > 20 THEN 'never' ELSE 'swept over nothing' END;
EXCEPTION WHEN others THEN
    RETURN format('%s: %s', SQLSTATE, SQLERRM);
END $$;
SELECT is_empty(
    $$SELECT signature, outcome
      FROM function, LATERAL swept(oid::regproc, proargtypes::oid[]) AS outcome
      WHERE proleakproof AND outcome <> 'never'$$,
    'No LEAKPROOF function raises an error, whatever its arguments');
SELECT cmp_ok((SELECT count(*) FROM function WHERE proleakproof), '>=', 45::bigint,
    'LEAKPROOF functions are found');

-- A hostile string

SELECT is_empty(
    $$SELECT value FROM hostile_text WHERE pulid_try_parse(value)::text !~ '^[a-z0-9_]{26,90}$'$$,
    'An id prints nothing but a-z, 0-9 and underscores: no quote, no space, no control character');
SELECT is_empty(
    $$SELECT outcome FROM hostile_text, outcome(format('SELECT %L::pulid', value)) AS outcome
      WHERE outcome <> 'done' AND (outcome !~ '^22P02 [ -~]*$' OR length(outcome) > 460)$$,
    'The message on a hostile string is short and printable: it forges no line of a log');
SELECT is_empty(
    $$SELECT call, outcome FROM hostile_text, unnest('{
          "pulid_generate(%L)", "pulid_from_uuid(%L, gen_random_uuid())", "pulid_min(%L)",
          "pulid_tidy(''x'', %L)", "pulid_parse(''x'', %L)", "digit_id_generate(%L, 4)",
          "pulid_with_prefix(pulid_min(''''), %L)", "pulid_lower_bound(%L, now())"}'::text[])
          AS call,
          LATERAL outcome('SELECT ' || format(call, value)) AS outcome
      WHERE outcome <> 'done' AND (outcome !~ '^(22023|22P02) [ -~]*$' OR length(outcome) > 460)$$,
    'and so is that on a hostile prefix');
SELECT lives_ok(
    $$SELECT pulid_try_parse(v), pulid_tidy(v), pulid_tidy(v, 'prd'), pulid_extract(v),
          digit_id_tidy(v), pulid_min('prd') = v, pulid_min('prd') ^@ v
      FROM (SELECT repeat(piece, 20000000 / length(piece))
            FROM unnest(ARRAY['_', '-', 'a', 'a_', '0', ' ', 'prd_', 'é',
                              '7zzzzzzzzzzzzzzzzzzzzzzzzz']) AS piece) AS s(v)$$,
    'Twenty megabytes of the worst are read in time that grows as they do, and in bounded stack');

SELECT * FROM finish();
ROLLBACK;
