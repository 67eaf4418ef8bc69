-- Installation by a plain owner, an empty or a hostile search_path, and a type of the same name in
-- the way. Whoever may CREATE in
-- a database can run all this, so it runs as such a role, in databases of its own.
\unset ECHO
\set QUIET 1
\pset format unaligned
\pset tuples_only true
\pset pager off
\set ON_ERROR_ROLLBACK 1
\set ON_ERROR_STOP true

SET client_min_messages = warning;
DROP DATABASE IF EXISTS prefixed_ulid_install;
DROP ROLE IF EXISTS prefixed_ulid_owner;
CREATE ROLE prefixed_ulid_owner;
CREATE DATABASE prefixed_ulid_install OWNER prefixed_ulid_owner;

BEGIN;
CREATE EXTENSION IF NOT EXISTS pgtap;
CREATE EXTENSION IF NOT EXISTS dblink;

SELECT plan(73);

SELECT dblink_connect('db', format('dbname=prefixed_ulid_install user=%s port=%s %s', current_user,
    current_setting('port'),
    COALESCE('host=' || NULLIF(trim(split_part(current_setting('unix_socket_directories'), ',', 1)),
        ''), ''))) \gset
SELECT dblink_exec('db', 'SET SESSION AUTHORIZATION prefixed_ulid_owner') \gset

-- What a statement gives in the other database: its one value, its command tag, or its error.
CREATE FUNCTION there(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    IF statement ~* '^\s*(select|with|explain|values|show|table)' THEN
        SELECT string_agg(line, E'\n') INTO result FROM dblink('db', statement) AS r(line text);
    ELSE
        result := dblink_exec('db', statement);
    END IF;
    RETURN result;
EXCEPTION WHEN others THEN
    RETURN format('%s: %s', SQLSTATE, SQLERRM);
END $$;

-- A plain owner

SELECT is(there('SELECT rolsuper::text FROM pg_roles WHERE rolname = current_user'), 'false',
    'The role is no superuser');
SELECT is(there('SELECT current_user::text'), 'prefixed_ulid_owner',
    'The role is the owner of a database');
SELECT
    matches(there('CREATE FUNCTION f() RETURNS int AS ''$libdir/prefixed_ulid'',
        ''pulid_generate_bare'' LANGUAGE c'), '^42501',
    'The role may not create C functions itself');
SELECT is(there('CREATE EXTENSION prefixed_ulid'), 'CREATE EXTENSION',
    'A role without superuser installs the extension');
SELECT is(there($$SELECT nspname::text FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace
    WHERE extname = 'prefixed_ulid'$$), 'pg_catalog', 'It is in pg_catalog');
SELECT is(there('CREATE TABLE prefixed_ulid.t ()'),
    '42501: permission denied for schema prefixed_ulid',
    'The role puts nothing into the schema of the tools');
SELECT is(there($$CREATE TABLE product (id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
    name text NOT NULL)$$), 'CREATE TABLE', 'The role uses the type');
SELECT is(there($$INSERT INTO product (name) VALUES ('x')$$), 'INSERT 0 1',
    'The role uses the generator');
SELECT matches(there('DROP EXTENSION prefixed_ulid'), '^2BP01',
    'The extension is not dropped while a table needs it');
SELECT is(there('SELECT count(*)::text FROM product WHERE pulid_has_prefix(id, ''prd'')'), '1',
    'The table is still there');
SELECT is(there('DROP TABLE product'), 'DROP TABLE', 'The role drops the table');
SELECT is(there('CREATE TABLE account (account_no text PRIMARY KEY)'), 'CREATE TABLE',
    'The role makes a table');
SELECT
    matches(there('SELECT prefixed_ulid.digit_id_insert(''account'', ''account_no'', ''ACC'', 8)'),
    '^ACC-[0-9]{4}-[0-9]{4}$', 'The role uses a tool');
SELECT is(there('DROP TABLE account'), 'DROP TABLE', 'That table is dropped as well');
SELECT is(there($$INSERT INTO prefixed_ulid.reserved VALUES ('old', 'orders')$$), 'INSERT 0 1',
    'The role reserves a prefix');
SELECT is(there($$UPDATE prefixed_ulid.reserved SET description = NULL$$), 'UPDATE 1',
    'changes that');
SELECT is(there($$DELETE FROM prefixed_ulid.reserved$$), 'DELETE 1', 'and gives it free');
SELECT is(there($$SELECT prefixed_ulid.create_generator('prd', 'public')::text$$),
    'generate_prd_id()', 'The role creates a generator');
SELECT is(there('CREATE TABLE thing (id pulid PRIMARY KEY DEFAULT generate_prd_id())'),
    'CREATE TABLE', 'and uses it');
SELECT is(there('SELECT prefixed_ulid.resolve(generate_prd_id())::text'), 'thing',
    'An id leads to its table');
SELECT is(there('SELECT count(*)::text FROM prefixed_ulid.lint()'), '0', 'Nothing is to be mended');
SELECT is(there('SELECT prefixed_ulid.enforce_unique_prefixes()::text'),
    '42501: permission denied to enforce unique prefixes', 'Only event triggers are not for it');
SELECT is(there('DROP TABLE thing'), 'DROP TABLE', 'The table is dropped');
SELECT is(there('DROP FUNCTION generate_prd_id()'), 'DROP FUNCTION', 'and the generator');
SELECT is(there('DROP EXTENSION prefixed_ulid'), 'DROP EXTENSION', 'The role drops the extension');
SELECT is(there($$SELECT count(*)::text FROM pg_proc WHERE proname ~ 'pulid|digit_id'$$), '0',
    'No function is left');
SELECT is(there($$SELECT count(*)::text FROM pg_namespace WHERE nspname = 'prefixed_ulid'$$), '0',
    'No schema is left');
SELECT is(there($$SELECT (SELECT count(*) FROM pg_type WHERE typname LIKE '%pulid%') + (SELECT
    count(*) FROM pg_operator WHERE oprcode = 0)
                  + (SELECT count(*) FROM pg_opfamily WHERE opfname LIKE 'pulid%') || ''$$), '0',
                      'No type, shell operator or operator family is left');
SELECT matches(there('CREATE EXTENSION prefixed_ulid SCHEMA public'), '^0A000',
    'Another schema is refused');
SELECT is(there('CREATE SCHEMA prefixed_ulid'), 'CREATE SCHEMA',
    'The name of the schema of the tools is taken');
SELECT matches(there('CREATE EXTENSION prefixed_ulid'), '^42P06', 'So the extension is refused');
SELECT is(there('DROP SCHEMA prefixed_ulid'), 'DROP SCHEMA', 'It is free again');
SELECT is(there('CREATE EXTENSION prefixed_ulid'), 'CREATE EXTENSION',
    'The extension installs again');
SELECT matches(there('ALTER EXTENSION prefixed_ulid SET SCHEMA public'), '^(0A000|42501)',
    'The extension does not move');

-- An empty search_path

SELECT is(there('SET search_path = '''''), 'SET', 'From here the search_path is empty');
SELECT is(there('CREATE SCHEMA app'), 'CREATE SCHEMA', 'A schema is created');
SELECT is(there(format('DO %L', $$
BEGIN
    CREATE TABLE app.a (id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'), other pulid,
        t text, n int);
    CREATE TABLE app.b (LIKE app.a INCLUDING ALL);
    INSERT INTO app.a (id, other, t, n) SELECT pulid_from_uuid('prd',
        pg_catalog.md5(n::text)::uuid), NULL, NULL, n FROM pg_catalog.generate_series(1, 10) n;
    UPDATE app.a SET other = id, t = id::text;
    INSERT INTO app.b SELECT * FROM app.a WHERE n > 5;
END $$)), 'DO', 'Tables are created and filled');
SELECT is(there(query), expected, 'Under an empty search_path works: ' || query)
FROM (VALUES
    ('SELECT count(*)::text FROM app.a WHERE id = other AND id = t AND t = id AND id >= other',
        '10'),
    ('SELECT count(*)::text FROM app.a JOIN app.b USING (id)', '5'),
    ('SELECT count(*)::text FROM app.a NATURAL JOIN app.b', '5'),
    ('SELECT count(*)::text FROM app.a WHERE id IS DISTINCT FROM other', '0'),
    ('SELECT count(NULLIF(id, other))::text FROM app.a', '0'),
    ('SELECT sum(CASE id WHEN other THEN 1 ELSE 0 END)::text FROM app.a', '10'),
    ('SELECT count(*)::text FROM app.a WHERE (id, n) = (other, n) AND (id, n) <= (other, n)', '10'),
    ('SELECT count(*)::text FROM app.a WHERE id IN (SELECT id FROM app.b) AND id <> ALL (SELECT id
        FROM app.b WHERE n > 8)', '3'),
    ('SELECT (min(id) <= max(id))::text FROM app.a', 'true'),
    ('SELECT count(DISTINCT id)::text FROM app.a', '10'),
    ('SELECT count(*)::text FROM app.a WHERE id ^@ ''prd_'' AND id BETWEEN pulid_min(''prd'')
        AND pulid_max(''prd'')', '10'),
    ('SELECT count(*)::text FROM app.a WHERE ARRAY[id] && ARRAY[other] AND id = ANY (ARRAY[other])',
        '10')) AS v(query, expected);
SELECT is(there(format('DO %L', $$
BEGIN
    CREATE VIEW app.v AS SELECT id, NULLIF(app.a.other, app.b.other) AS x, CASE id WHEN app.a.other
        THEN 1 END AS y,
        app.a.t IS DISTINCT FROM id AS z, (app.a.id, app.a.n) = (app.b.id, app.b.n) AS r FROM app.a
            JOIN app.b USING (id);
    CREATE FUNCTION app.stamp() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN NEW.n := -1; RETURN NEW; END';
    CREATE TRIGGER stamp BEFORE UPDATE ON app.a FOR EACH ROW WHEN (OLD.other IS DISTINCT
        FROM NEW.other) EXECUTE FUNCTION app.stamp();
    UPDATE app.a SET other = NULL WHERE n = 1;
    UPDATE app.a SET t = NULL WHERE n = 2;
END $$)), 'DO', 'Views and trigger conditions are created');
SELECT
    is(there('SELECT count(*) || '' '' || count(x) || '' '' || count(y) || '' '' || count(*)
        FILTER (WHERE z) || '' '' || count(*) FILTER (WHERE r) FROM app.v'), '5 0 5 0 5',
        'The view is right');
SELECT is(there('SELECT string_agg(n::text, '' '' ORDER BY n) FROM app.a WHERE n < 3'), '-1 2',
    'The trigger fires for a changed id and no other');
SELECT matches(there('SELECT pg_get_viewdef(''app.v''::regclass)'), 'JOIN app.b USING \(id\)',
    'The view prints as it was written');

-- A hostile schema before pg_catalog

SELECT is(there(format('DO %L', $$
BEGIN
    CREATE SCHEMA hostile;
    CREATE FUNCTION hostile.no(pulid, pulid) RETURNS boolean LANGUAGE sql IMMUTABLE
        AS 'SELECT false';
    CREATE FUNCTION hostile.no(pulid, text) RETURNS boolean LANGUAGE sql IMMUTABLE
        AS 'SELECT false';
    CREATE FUNCTION hostile.pulid_cmp(pulid, pulid) RETURNS int LANGUAGE plpgsql IMMUTABLE
        AS 'BEGIN RAISE EXCEPTION ''hostile''; END';
    CREATE FUNCTION hostile.pulid_coerce(pulid, int, boolean) RETURNS pulid LANGUAGE plpgsql
        IMMUTABLE AS 'BEGIN RAISE EXCEPTION ''hostile''; END';
    CREATE FUNCTION hostile.pulid_parse(text) RETURNS pulid LANGUAGE plpgsql IMMUTABLE
        AS 'BEGIN RAISE EXCEPTION ''hostile''; END';
    CREATE OPERATOR hostile.= (LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = hostile.no);
    CREATE OPERATOR hostile.< (LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = hostile.no);
    CREATE OPERATOR hostile.= (LEFTARG = pulid, RIGHTARG = text, FUNCTION = hostile.no);
    SET search_path = hostile, pg_catalog;
END $$)), 'DO', 'A schema with false comparisons stands before pg_catalog');
SELECT is(there('SELECT count(*)::text FROM app.a WHERE id = id'), '0',
    'An operator by its bare name is the hostile one, as for any type');
SELECT
    is(there('SELECT count(DISTINCT id)::text || (SELECT count(*) FROM (SELECT id
        FROM app.a GROUP BY id ORDER BY id) g) FROM app.a'), '1010',
    'Grouping and sorting are not misled');
SELECT is(there('INSERT INTO app.a (id) SELECT id FROM app.a LIMIT 1'),
    '23505: duplicate key value violates unique constraint "a_pkey"',
    'The unique index is not misled');
SELECT
    is(there('INSERT INTO app.b (id, t) VALUES (''prd_00000000000000000000000000''::text, NULL)'),
    'INSERT 0 1', 'Assignment casts and the modifier are not misled');
SELECT is(there('SELECT count(*)::text FROM app.v'), '5',
    'A view keeps the operators that it was made with');
SELECT is(there('REINDEX TABLE app.a'), 'REINDEX', 'An index is built with the right order');
SELECT is(there('DROP SCHEMA hostile, app CASCADE'), 'DROP SCHEMA', 'All that is dropped');

-- A type named pulid in the way

SELECT is(there('SET search_path = public'), 'SET', 'From here the search_path is public');
SELECT is(there('DROP EXTENSION prefixed_ulid'), 'DROP EXTENSION', 'The extension is dropped');
SELECT is(there('CREATE TYPE public.pulid AS (prefix text, uuid uuid)'), 'CREATE TYPE',
    'There is a type named pulid in public');
SELECT is(there('CREATE TABLE old (id pulid)'), 'CREATE TABLE', 'A table uses it');
SELECT
    is(there('CREATE FUNCTION public.pulid_lt(public.pulid, public.pulid) RETURNS boolean
        LANGUAGE sql AS ''SELECT false'''), 'CREATE FUNCTION', 'A function of ours has a namesake');
SELECT is(there('CREATE EXTENSION prefixed_ulid'), 'CREATE EXTENSION',
    'The extension installs beside them');
SELECT
    is(there('SELECT atttypid::regtype::text FROM pg_attribute WHERE attrelid = ''old''::regclass
        AND attname = ''id'''), 'public.pulid', 'The table keeps its type');
SELECT is(there('CREATE TABLE new (id pulid(''prd''))'), 'CREATE TABLE',
    'The bare name is the extension''s type');
SELECT
    is(there('SELECT atttypid::regtype::text FROM pg_attribute WHERE attrelid = ''new''::regclass
        AND attname = ''id'''), 'pulid', 'In the new table as well');
SELECT
    is(there('SELECT count(*)::text FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
        WHERE e.extname = ''prefixed_ulid'' AND d.deptype = ''e''
          AND (pg_identify_object(d.classid, d.objid, 0)).schema = ''public'''), '0',
    'Nothing of public became part of the extension');

-- LOAD

LOAD 'prefixed_ulid';
SELECT pass('LOAD succeeds');
SELECT lives_ok($$LOAD '$libdir/prefixed_ulid'$$, 'LOAD by the full name succeeds');

SELECT dblink_disconnect('db') \gset
SELECT * FROM finish();
ROLLBACK;
DROP DATABASE prefixed_ulid_install;
DROP ROLE prefixed_ulid_owner;
