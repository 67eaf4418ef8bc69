-- Generators by name: create_generator().
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

SELECT plan(38);

CREATE FUNCTION plan_of(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE 'EXPLAIN (VERBOSE, COSTS OFF) ' || statement;
END $$;

-- The function

CREATE SCHEMA "Shop Two";
SELECT is(prefixed_ulid.create_generator('prd')::text, 'generate_prd_id()',
    'A generator is created in the current schema');
SELECT is(prefixed_ulid.create_generator('prd', 'Shop Two')::text,
    '"Shop Two".generate_prd_id()', 'or in another');
SELECT is(prefixed_ulid.create_generator(prefix => 'a_b', schema => 'public')::text,
    'generate_a_b_id()', 'Arguments have names');
SELECT is(prefixed_ulid.create_generator('')::text, 'generate_id()', 'One for bare ULIDs');
SELECT is(prefixed_ulid.create_generator(repeat('z', 51))::text,
    format('generate_%s_id()', repeat('z', 51)), 'The longest name that PostgreSQL has');

SELECT ok(pulid_has_prefix(generate_prd_id(), 'prd'), 'It makes ids of its prefix');
SELECT ok(pulid_has_prefix(generate_a_b_id(), 'a_b'), 'of a prefix with an underscore');
SELECT ok(pulid_has_prefix(generate_id(), ''), 'of no prefix');
SELECT is((SELECT count(DISTINCT generate_prd_id())::int FROM generate_series(1, 1000)), 1000,
    'Each is a new one');
SELECT is((SELECT format('%s %s %s %s %s, %s', provolatile, proparallel, prosecdef, proconfig,
                         prorettype::regtype, obj_description(oid, 'pg_proc'))
           FROM pg_proc WHERE oid = 'generate_prd_id()'::regprocedure),
    'v s f  pulid, new id with the prefix "prd"',
    'It is volatile and parallel safe, and has a comment');
SELECT is(pg_get_function_sqlbody('generate_prd_id()'::regprocedure),
    'RETURN pulid_generate(''prd''::text)', 'Its body is SQL, bound to the function it calls');

-- Inlined

SELECT results_eq($$SELECT plan_of('SELECT generate_prd_id()')$$,
    ARRAY['Result', '  Output: pulid_generate(''prd''::text)'], 'A call is inlined');
CREATE TABLE plain (id pulid PRIMARY KEY DEFAULT generate_prd_id(), n int);
SELECT results_eq($$SELECT plan_of('INSERT INTO plain VALUES (DEFAULT, 1)')$$,
    ARRAY['Insert on public.plain', '  ->  Result',
          '        Output: pulid_generate(''prd''::text), 1'],
    'A default is inlined');
CREATE TABLE typed (id pulid('prd') PRIMARY KEY DEFAULT generate_prd_id(), n int);
CREATE TABLE direct (id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'), n int);
SELECT ok(plan !~ 'coerce' AND plan ~ '\(pulid_generate\(''prd''::text\)\)::pulid\(''prd''\)',
    'and the check of the modifier is dropped: ' || plan)
FROM (SELECT string_agg(line, ' ') FROM plan_of('INSERT INTO typed VALUES (DEFAULT, 1)') AS line)
    AS p(plan);
SELECT results_eq(
    $$SELECT replace(plan_of('INSERT INTO typed VALUES (DEFAULT, 1)'), 'typed', 'direct')$$,
    $$SELECT plan_of('INSERT INTO direct VALUES (DEFAULT, 1)')$$,
    'as where pulid_generate is the default itself');
SELECT results_eq(
    $$SELECT replace(plan_of('INSERT INTO typed (n) SELECT n FROM plain'), 'typed', 'direct')$$,
    $$SELECT plan_of('INSERT INTO direct (n) SELECT n FROM plain')$$, 'for many rows, too');
INSERT INTO typed (n) SELECT generate_series(1, 10);
SELECT is((SELECT count(*)::int FROM typed WHERE pulid_has_prefix(id, 'prd')), 10,
    'Rows get their ids');
CREATE TABLE other (id pulid('ord') DEFAULT generate_prd_id());
SELECT throws_ok('INSERT INTO other DEFAULT VALUES', '23514', NULL,
    'A wrong prefix is refused as ever');

-- In the registry

SELECT set_eq(
    $$SELECT table_name::text, prefix, declared_by, column_default FROM prefixed_ulid.columns
      WHERE table_name IN ('plain'::regclass, 'typed'::regclass)$$,
    $$VALUES ('plain', 'prd', 'default', 'generate_prd_id()'),
             ('typed', 'prd', 'type', 'generate_prd_id()')$$,
    'A column with a generator as its default carries the prefix');

-- Refused

SELECT throws_ok($$SELECT prefixed_ulid.create_generator('prd')$$, '42723',
    'function "generate_prd_id" already exists with same argument types', 'The prefix is taken');
SELECT throws_ok(format('SELECT prefixed_ulid.create_generator(%L)', prefix), '22023',
    format('invalid prefix: "%s"', prefix), 'No prefix: ' || prefix)
FROM unnest('{PRD,_a,a_,a1,a-b,"a b","a''b","a;b"}'::text[]) AS prefix;
SELECT throws_ok(format('SELECT prefixed_ulid.create_generator(%L)', repeat('z', 64)), '22023',
    NULL, 'Too long for a prefix');
SELECT throws_ok(format('SELECT prefixed_ulid.create_generator(%L)', repeat('z', 52)), '42622',
    format('prefix "%s" is too long for the name of a generator', repeat('z', 52)),
    'Too long for a name');
INSERT INTO prefixed_ulid.reserved VALUES ('old', 'orders until 2024');
SELECT throws_ok($$SELECT prefixed_ulid.create_generator('old')$$, '42939',
    'prefix "old" is reserved', 'Reserved');
SELECT throws_ok('SELECT prefixed_ulid.create_generator(NULL)', '22004',
    'the prefix must not be null', 'No prefix at all');
SELECT throws_ok($$SELECT prefixed_ulid.create_generator('abc', 'nowhere')$$, '3F000',
    'schema "nowhere" does not exist', 'No such schema');
CREATE FUNCTION with_no_path() RETURNS regprocedure LANGUAGE plpgsql SET search_path = '' AS
    $$BEGIN RETURN prefixed_ulid.create_generator('abc'); END$$;
SELECT throws_ok('SELECT with_no_path()', '3F000', 'no schema has been selected to create in',
    'No schema on the search_path');
CREATE ROLE prefixed_ulid_nobody;
SET ROLE prefixed_ulid_nobody;
SELECT throws_ok($$SELECT prefixed_ulid.create_generator('abc', 'Shop Two')$$, '42501',
    'permission denied for schema Shop Two', 'A schema of somebody else');
RESET ROLE;

-- Dropped as any function

SELECT throws_ok('DROP FUNCTION generate_prd_id()', '2BP01', NULL,
    'It is not dropped while a default needs it');
SELECT lives_ok('DROP FUNCTION "Shop Two".generate_prd_id()', 'else it is');
SELECT lives_ok($$SELECT prefixed_ulid.create_generator('prd', 'Shop Two')$$, 'and made anew');

SELECT * FROM finish();
ROLLBACK;
