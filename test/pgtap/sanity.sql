-- What the extension declares, against what catalogs have to be and against what its functions do:
-- every rule holds for all objects, also those to come.
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
SET LOCAL search_path = pg_catalog, public;

SELECT plan(44);

CREATE TEMP VIEW member AS
SELECT d.classid, d.objid, pg_describe_object(d.classid, d.objid, 0) AS object
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'prefixed_ulid';

CREATE TEMP VIEW function AS
SELECT p.*, p.oid::regprocedure::text AS signature,
       string_to_array(p.proargtypes::text, ' ')::regtype[] AS arguments
FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid;

CREATE TEMP VIEW type AS
SELECT t.*, t.oid::regtype::text AS name
FROM pg_type t JOIN member ON classid = 'pg_type'::regclass AND objid = t.oid
WHERE t.typtype = 'b' AND t.typcategory <> 'A';

CREATE TEMP VIEW operator AS
SELECT o.*, o.oid::regoperator::text AS signature
FROM pg_operator o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid;

CREATE TEMP VIEW family AS
SELECT f.*, a.amname, f.oid::text AS number
FROM pg_opfamily f JOIN pg_am a ON a.oid = f.opfmethod
    JOIN member ON classid = 'pg_opfamily'::regclass AND objid = f.oid;

CREATE TEMP VIEW class AS
SELECT c.*, a.amname
FROM pg_opclass c JOIN pg_am a ON a.oid = c.opcmethod
    JOIN member ON classid = 'pg_opclass'::regclass AND objid = c.oid;

CREATE TEMP VIEW strategy AS
SELECT a.*, f.amname, a.amopopr::regoperator::text AS signature
FROM pg_amop a JOIN family f ON f.oid = a.amopfamily;

CREATE TEMP VIEW support AS
SELECT a.*, f.amname, a.amproc::oid::regprocedure::text AS signature
FROM pg_amproc a JOIN family f ON f.oid = a.amprocfamily;

-- Whether a function is called with these types and returns that one.
CREATE FUNCTION pg_temp.has_signature(regproc, regtype, VARIADIC regtype[]) RETURNS boolean
LANGUAGE sql AS $$
    SELECT EXISTS (
        SELECT FROM pg_proc WHERE oid = $1 AND prorettype = $2
            AND proargtypes::text = array_to_string($3::oid[], ' '))
$$;

-- Types

SELECT is_empty(
    $$SELECT name FROM type
      WHERE NOT EXISTS (SELECT FROM pg_proc p WHERE p.oid = typinput AND prorettype = type.oid
                        AND proargtypes[0] = 'cstring'::regtype AND NOT proretset)
         OR NOT pg_temp.has_signature(typoutput, 'cstring', type.oid)
         OR (typreceive <> 0 AND NOT EXISTS (
                SELECT FROM pg_proc p WHERE p.oid = typreceive AND prorettype = type.oid
                AND proargtypes[0] = 'internal'::regtype AND NOT proretset))
         OR (typsend <> 0 AND NOT pg_temp.has_signature(typsend, 'bytea', type.oid))
         OR (typmodin <> 0 AND NOT pg_temp.has_signature(typmodin, 'integer', 'cstring[]'))
         OR (typmodout <> 0 AND NOT pg_temp.has_signature(typmodout, 'cstring', 'integer'))
         OR (typanalyze <> 0 AND NOT pg_temp.has_signature(typanalyze, 'boolean', 'internal'))$$,
    'The functions of each type take and return what such functions do');

SELECT is_empty(
    $$SELECT name FROM type WHERE (typmodin = 0) <> (typmodout = 0)
                               OR (typreceive = 0) <> (typsend = 0)$$,
    'Modifiers and the binary format go both ways or not at all');

SELECT is_empty(
    $$SELECT name FROM type
      WHERE typmodin <> 0 AND EXISTS (
          SELECT FROM pg_proc p WHERE p.oid IN (typinput, typreceive) AND pronargs <> 3)
         OR (typmodin <> 0 AND NOT EXISTS (
                 SELECT FROM pg_cast WHERE castsource = type.oid AND casttarget = type.oid))$$,
    'A type with modifiers reads them on input, and has a cast that enforces them');

SELECT is_empty(
    $$SELECT name, p.proname FROM type JOIN pg_proc p ON p.oid IN (typinput, typoutput, typreceive,
          typsend, typmodin, typmodout) WHERE provolatile = 'v' OR NOT proisstrict$$,
    'Input and output functions are strict, and none is volatile');

SELECT is_empty(
    $$SELECT t.name FROM type t LEFT JOIN pg_type a ON a.oid = t.typarray
      WHERE t.typarray <> 0 AND (a.typelem IS DISTINCT FROM t.oid OR a.typdelim <> t.typdelim
          OR a.typlen <> -1 OR a.typalign <> CASE t.typalign WHEN 'd' THEN 'd' ELSE 'i' END
          OR a.typinput <> 'array_in'::regproc OR a.typsubscript::text <> 'array_subscript_handler')
         OR (t.typarray = 0 AND t.typtype <> 'b')$$,
    'Array types belong to their elements');

SELECT is_empty(
    $$SELECT name FROM type
      WHERE typbyval AND typlen NOT IN (1, 2, 4, 8)
         OR typlen = -1 AND (typbyval OR typalign NOT IN ('i', 'd'))
         OR typlen > 0 AND typstorage <> 'p'
         OR typelem <> 0 OR typbasetype <> 0 OR typtypmod <> -1 OR typndims <> 0
         OR typrelid <> 0 OR NOT typisdefined OR typdefault IS NOT NULL$$,
    'Length, alignment and storage of each type go together');

-- Functions

SELECT is_empty(
    $$SELECT a.signature, b.signature FROM function a JOIN function b
        ON a.prosrc = b.prosrc AND a.probin = b.probin AND a.oid < b.oid
      WHERE (a.prorettype, a.proisstrict, a.provolatile, a.proparallel, a.proleakproof, a.proretset)
         IS DISTINCT FROM (b.prorettype, b.proisstrict, b.provolatile, b.proparallel,
                           b.proleakproof, b.proretset)$$,
    'Functions of one symbol have the same properties');

SELECT is_empty(
    $$SELECT signature FROM function f JOIN pg_language l ON l.oid = prolang
      WHERE (lanname = 'c' AND fmgr_c_validator(f.oid)::text IS NULL)
         OR (lanname = 'c') <> (probin IS NOT NULL) OR (prosrc = '' AND prosqlbody IS NULL)
         OR procost <= 0 OR proretset <> (prorows > 0) OR pronargdefaults > pronargs$$,
    'Every C function is found in the library, and costs and rows are sane');

SELECT is_empty(
    $$SELECT signature FROM function
      WHERE prorettype = 'internal'::regtype AND 'internal'::regtype <> ALL (arguments)$$,
    'Nothing internal is made of what SQL can write');

SELECT is_empty(
    $$SELECT signature FROM function
      WHERE 'cstring'::regtype = ANY (arguments)
        AND oid NOT IN (SELECT unnest(ARRAY[typinput, typoutput]) FROM type)
         OR prorettype = 'cstring'::regtype
        AND oid NOT IN (SELECT unnest(ARRAY[typoutput, typmodout]) FROM type)$$,
    'Only input and output functions have to do with cstring');

SELECT is_empty(
    $$SELECT signature FROM function
      WHERE prosupport <> 0 AND NOT pg_temp.has_signature(prosupport, 'internal', 'internal')$$,
    'Planner support functions take and return internal');

SELECT is_empty(
    $$SELECT oid::regprocedure FROM pg_proc WHERE probin = '$libdir/prefixed_ulid'
      EXCEPT SELECT oid::regprocedure FROM function$$,
    'No function of the library stands outside of the extension');

-- Casts

SELECT is_empty(
    $$SELECT object FROM member JOIN pg_cast c
        ON classid = 'pg_cast'::regclass AND objid = c.oid JOIN pg_proc p ON p.oid = c.castfunc
      WHERE p.proargtypes[0] <> CASE castsource WHEN 'varchar'::regtype THEN 'text'::regtype
                                ELSE castsource END
         OR p.prorettype <> casttarget OR p.provolatile = 'v' OR p.proretset OR castmethod <> 'f'
         OR (castsource = casttarget) <> (p.pronargs > 1)
         OR (p.pronargs > 1 AND p.proargtypes[1] <> 'integer'::regtype)
         OR (p.pronargs > 2 AND p.proargtypes[2] <> 'boolean'::regtype)$$,
    'Every cast has a function from its source to its target');

SELECT is_empty(
    $$SELECT object FROM member JOIN pg_cast c ON classid = 'pg_cast'::regclass AND objid = c.oid
      WHERE castcontext = 'i' AND castsource <> casttarget$$,
    'No cast from one type to another is implicit');

-- Operators

SELECT is_empty(
    $$SELECT signature FROM operator JOIN pg_proc p ON p.oid = oprcode
      WHERE oprkind <> 'b' OR p.prorettype <> oprresult OR p.proretset OR p.provolatile = 'v'
         OR p.proargtypes::text <> format('%s %s', oprleft, oprright)$$,
    'The function of every operator takes its sides and returns its result');

SELECT is_empty(
    $$SELECT o.signature FROM operator o LEFT JOIN pg_operator c ON c.oid = o.oprcom
      WHERE o.oprcom <> 0 AND (c.oprcom, c.oprleft, c.oprright, c.oprresult)
          IS DISTINCT FROM (o.oid, o.oprright, o.oprleft, o.oprresult)$$,
    'Commutators are mutual and have the sides exchanged');

SELECT is_empty(
    $$SELECT o.signature FROM operator o LEFT JOIN pg_operator n ON n.oid = o.oprnegate
      WHERE o.oprnegate <> 0 AND ((n.oprnegate, n.oprleft, n.oprright, n.oprresult)
          IS DISTINCT FROM (o.oid, o.oprleft, o.oprright, 'boolean'::regtype::oid)
          OR n.oid = o.oid)$$,
    'Negators are mutual, of the same sides, and no operator is its own');

SELECT is_empty(
    $$SELECT signature FROM operator o
      WHERE (oprcanmerge OR oprcanhash) AND (oprresult <> 'boolean'::regtype OR oprcom = 0)
         OR oprcanmerge AND NOT EXISTS (SELECT FROM strategy s WHERE s.amopopr = o.oid
             AND amname = 'btree' AND amopstrategy = 3)
         OR oprcanhash <> EXISTS (SELECT FROM strategy s WHERE s.amopopr = o.oid
             AND amname = 'hash')$$,
    'What can merge or hash is the equality of a btree or hash family');

SELECT is_empty(
    $$SELECT signature FROM operator
      WHERE oprrest <> 0 AND NOT pg_temp.has_signature(oprrest, 'double precision', 'internal',
                'oid', 'internal', 'integer')
         OR oprjoin <> 0 AND NOT pg_temp.has_signature(oprjoin, 'double precision', 'internal',
                'oid', 'internal', 'smallint', 'internal')$$,
    'Estimators take what estimators take');

SELECT is_empty(
    $$SELECT signature FROM operator, obj_description(oprcode, 'pg_proc') comment
      WHERE comment ~ 'implementation of'
        AND comment <> format('implementation of %s operator', oprname)
      UNION ALL SELECT object FROM member
      WHERE classid = 'pg_proc'::regclass AND obj_description(objid) ~ '^implementation of'
        AND objid NOT IN (SELECT oprcode FROM operator)$$,
    'Functions that say which operator they implement are right');

-- Aggregates

SELECT is_empty(
    $$SELECT f.signature FROM function f JOIN pg_aggregate a ON a.aggfnoid = f.oid
        JOIN pg_proc t ON t.oid = a.aggtransfn
      WHERE NOT pg_temp.has_signature(aggtransfn, aggtranstype, aggtranstype, f.proargtypes[0])
         OR NOT pg_temp.has_signature(aggcombinefn, aggtranstype, aggtranstype, aggtranstype)
         OR (agginitval IS NULL AND t.proisstrict AND aggtranstype <> f.proargtypes[0])
         OR aggfinalfn <> 0 OR f.prorettype <> aggtranstype
         OR NOT EXISTS (SELECT FROM strategy s WHERE s.amopopr = aggsortop AND amname = 'btree'
                AND amoplefttype = f.proargtypes[0] AND amoprighttype = f.proargtypes[0]
                AND amopstrategy IN (1, 5))$$,
    'Aggregates are made of functions that fit and have a sort operator of the btree family');

-- Operator families

SELECT is_empty(
    $$SELECT signature FROM strategy s JOIN pg_operator o ON o.oid = s.amopopr
        JOIN pg_proc p ON p.oid = o.oprcode
      WHERE (o.oprleft, o.oprright) IS DISTINCT FROM (amoplefttype, amoprighttype)
         OR o.oprresult <> 'boolean'::regtype OR amoppurpose <> 's' OR amopsortfamily <> 0
         OR amopmethod <> (SELECT opfmethod FROM family f WHERE f.oid = amopfamily)
         OR p.provolatile <> 'i' OR o.oprrest = 0$$,
    'Search operators of families are immutable, have an estimator and the types they stand for');

SELECT is_empty(
    $$SELECT s.signature FROM strategy s JOIN pg_operator o ON o.oid = s.amopopr
      WHERE amname = 'btree' AND (
          NOT EXISTS (SELECT FROM strategy c WHERE c.amopfamily = s.amopfamily
                      AND c.amopopr = o.oprcom AND c.amopstrategy = 6 - s.amopstrategy)
          OR amopstrategy <> 3 AND NOT EXISTS (
              SELECT FROM strategy n WHERE n.amopfamily = s.amopfamily AND n.amopopr = o.oprnegate
              AND n.amopstrategy = (ARRAY[4, 5, 0, 1, 2])[s.amopstrategy]))$$,
    'In the btree family < and > commute, < negates >= and <= negates >');

SELECT is_empty(
    $$SELECT amopfamily, amoplefttype::regtype, amoprighttype::regtype FROM strategy
      GROUP BY amopfamily, amname, amoplefttype, amoprighttype
      HAVING array_agg(amopstrategy ORDER BY amopstrategy) <> CASE
          WHEN amname = 'gist' THEN '{18,19,20,21,22,23}'::smallint[]
          WHEN amname = 'hash' OR count(*) = 1 THEN '{1}' ELSE '{1,2,3,4,5}' END$$,
    'No pair of types has only some of the operators of a family');

SELECT is_empty(
    $$SELECT DISTINCT amoplefttype::regtype, amoprighttype::regtype FROM strategy s
      WHERE amname = 'btree' AND NOT EXISTS (
          SELECT FROM support p WHERE p.amprocfamily = s.amopfamily AND p.amprocnum = 1
              AND p.amproclefttype = s.amoplefttype AND p.amprocrighttype = s.amoprighttype)
      UNION ALL
      SELECT DISTINCT amoplefttype::regtype, amoprighttype::regtype FROM strategy s,
          LATERAL (VALUES (amoplefttype), (amoprighttype)) side(type)
      WHERE amname = 'hash' AND (
          SELECT count(*) FROM support p WHERE p.amprocfamily = s.amopfamily
              AND p.amproclefttype = side.type AND p.amprocrighttype = side.type) <> 2$$,
    'Every pair of types is compared, every type is hashed with and without a seed');

SELECT is_empty(
    $$SELECT signature FROM support
      WHERE amname = 'btree' AND amprocnum = 1 AND NOT pg_temp.has_signature(amproc, 'integer',
                amproclefttype, amprocrighttype)
         OR amname = 'hash' AND NOT CASE amprocnum
                WHEN 1 THEN pg_temp.has_signature(amproc, 'integer', amproclefttype)
                ELSE pg_temp.has_signature(amproc, 'bigint', amproclefttype, 'bigint') END$$,
    'Comparisons and hash functions take their types');

SELECT is_empty(
    $$SELECT opcname, amname FROM class c
      WHERE NOT EXISTS (SELECT FROM family f WHERE f.oid = opcfamily AND f.opfmethod = opcmethod)
         OR NOT EXISTS (SELECT FROM strategy s WHERE s.amopfamily = opcfamily
                AND s.amoplefttype = opcintype AND s.amoprighttype = opcintype)
         OR NOT EXISTS (SELECT FROM support s WHERE s.amprocfamily = opcfamily
                AND s.amproclefttype = opcintype AND s.amprocrighttype = opcintype)
      UNION ALL
      SELECT opfname, amname FROM family f
      WHERE NOT EXISTS (SELECT FROM class c WHERE c.opcfamily = f.oid)$$,
    'Every class is of a family, with operators and functions of its type, and no family is empty');

SELECT is_empty(
    $$SELECT opcmethod, opcintype FROM pg_opclass WHERE opcdefault
        AND opcintype IN (SELECT oid FROM type) GROUP BY 1, 2 HAVING count(*) > 1$$,
    'No type has two default classes of one access method');

-- What the functions do

\ir ../calls.sql

SELECT is_empty(
    $$SELECT signature FROM callable c WHERE NOT EXISTS (SELECT FROM call WHERE call.oid = c.oid)$$,
    'Every function that can be called is called');

CREATE TEMP TABLE plain AS
SELECT c.*, o.value, o.error FROM call c, pg_temp.outcome(statement, arguments) o;

SELECT cmp_ok((SELECT count(*) FROM plain WHERE value IS NOT NULL), '>', 2000::bigint,
    'Most calls return something');

SELECT is_empty(
    $$SELECT DISTINCT signature, error FROM plain JOIN callable USING (oid)
      WHERE error NOT IN ('22P02', '22023', '22008', '23514')$$,
    'What is refused is refused with a SQLSTATE of the documentation');

SELECT is_empty(
    $$SELECT DISTINCT signature, error FROM plain JOIN callable USING (oid)
      WHERE error IS NOT NULL AND obj_description(oid, 'pg_proc') !~ error$$,
    'A function that raises an error names the SQLSTATE in its comment');

SELECT is_empty(
    $$SELECT DISTINCT signature, error FROM plain JOIN callable USING (oid)
      WHERE proleakproof AND error IS NOT NULL$$,
    'What is LEAKPROOF raises nothing');

-- IMMUTABLE: settings make no difference. The names in "hostile" are to be found first and used
-- nowhere.
CREATE SCHEMA hostile;
CREATE FUNCTION hostile.pulid_cmp(pulid, pulid) RETURNS integer LANGUAGE sql IMMUTABLE
    AS 'SELECT 1 / 0';
CREATE FUNCTION hostile.fails(pulid, pulid) RETURNS boolean LANGUAGE sql IMMUTABLE
    AS 'SELECT 1 / 0 = 0';
CREATE OPERATOR hostile.= (LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = hostile.fails);
CREATE OPERATOR hostile.< (LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = hostile.fails);
CREATE TYPE hostile.pulid AS ENUM ('wrong');
CREATE DOMAIN hostile.text AS integer;

CREATE FUNCTION pg_temp.differing(settings jsonb)
RETURNS TABLE (function text, arguments text[], expected text, got text) LANGUAGE plpgsql AS $$
DECLARE setting record; before jsonb := '{}'; outcome record; row record;
BEGIN
    FOR setting IN SELECT * FROM pg_catalog.jsonb_each_text(settings) LOOP
        before := before || pg_catalog.jsonb_build_object(setting.key,
            pg_catalog.current_setting(setting.key));
        PERFORM pg_catalog.set_config(setting.key, setting.value, true);
    END LOOP;
    FOR row IN SELECT * FROM pg_temp.plain LOOP
        outcome := pg_temp.outcome(row.statement, row.arguments);
        IF outcome.value IS DISTINCT FROM row.value OR outcome.error IS DISTINCT FROM row.error THEN
            function := row.oid::pg_catalog.regprocedure;
            arguments := row.arguments;
            expected := pg_catalog.concat(row.value, row.error);
            got := pg_catalog.concat(outcome.value, outcome.error);
            RETURN NEXT;
        END IF;
    END LOOP;
    FOR setting IN SELECT * FROM pg_catalog.jsonb_each_text(before) LOOP
        PERFORM pg_catalog.set_config(setting.key, setting.value, true);
    END LOOP;
END $$;

SELECT is_empty(format('SELECT * FROM pg_temp.differing(%L)', settings),
    'Functions give the same under ' || settings)
FROM (VALUES
    ('{"TimeZone": "Pacific/Kiritimati", "DateStyle": "German, DMY", "search_path": ""}'),
    ('{"TimeZone": "America/Caracas", "extra_float_digits": -15, "client_encoding": "LATIN1"}'),
    ('{"search_path": "hostile, pg_catalog", "array_nulls": "off", "client_encoding": "EUC_JP"}'),
    ('{"DateStyle": "SQL, MDY", "bytea_output": "escape", "client_encoding": "SQL_ASCII"}'))
    v(settings);

-- PARALLEL SAFE: neither does a worker. One call of each function, because workers take their time.
-- RETURN QUERY is what runs in parallel in PL/pgSQL.
CREATE FUNCTION pg_temp.in_worker(statement text, arguments text[]) RETURNS SETOF text
LANGUAGE plpgsql AS 'BEGIN RETURN QUERY EXECUTE statement USING arguments; END';
SELECT CASE WHEN current_setting('server_version_num')::int >= 160000
    THEN 'debug_parallel_query' ELSE 'force_parallel_mode' END AS force \gset
SET LOCAL :force = on;
SELECT alike((SELECT string_agg(line, E'\n')
              FROM pg_temp.in_worker('EXPLAIN (ANALYZE, COSTS off, TIMING off)
                  SELECT pulid_min($1[n]) FROM generate_series(1, 1) n', '{prd}') line),
    '%Workers Launched: 1%', 'A worker is had');
SELECT is_empty(
    $$SELECT p.oid::regprocedure, p.value, o.value
      FROM (SELECT DISTINCT ON (oid) * FROM plain WHERE value IS NOT NULL
            ORDER BY oid, value, arguments) p, pg_temp.in_worker(statement, arguments) o(value)
      WHERE p.value IS DISTINCT FROM o.value$$,
    'Functions give the same in a parallel worker');
SET LOCAL :force = off;

-- Operators, over all pairs of the samples.
CREATE FUNCTION pg_temp.pairs(l regtype, r regtype, condition text) RETURNS bigint LANGUAGE plpgsql
AS $$
DECLARE wrong bigint;
BEGIN
    EXECUTE format('SELECT count(*) FROM unnest(pg_temp.samples(%1$L)::%1$s[]) l,
                        unnest(pg_temp.samples(%2$L)::%2$s[]) r WHERE NOT (%3$s)', l, r, condition)
        INTO wrong;
    RETURN wrong;
END $$;

SELECT is_empty(
    $$SELECT signature FROM operator
      WHERE oprcom <> 0 AND pg_temp.pairs(oprleft, oprright,
          format('(l %s r) = (r %s l)', oprname, (SELECT c.oprname FROM pg_operator c
                                                  WHERE c.oid = operator.oprcom))) > 0$$,
    'Commutators give what the operator gives');

SELECT is_empty(
    $$SELECT signature FROM operator
      WHERE oprnegate <> 0 AND pg_temp.pairs(oprleft, oprright,
          format('(l %s r) <> (l %s r)', oprname, (SELECT n.oprname FROM pg_operator n
                                                   WHERE n.oid = operator.oprnegate))) > 0$$,
    'Negators give the opposite');

SELECT is_empty(
    $$SELECT s.signature FROM strategy s JOIN pg_operator o ON o.oid = s.amopopr
        JOIN support p ON p.amprocfamily = s.amopfamily AND p.amprocnum = 1
            AND p.amproclefttype = s.amoplefttype AND p.amprocrighttype = s.amoprighttype
      WHERE s.amname = 'btree' AND pg_temp.pairs(amoplefttype, amoprighttype, format(
          '(l %s r) = (%s(l, r) %s 0) AND %2$s(l, r) BETWEEN -1 AND 1', oprname, amproc,
          ('{<,<=,=,>=,>}'::text[])[amopstrategy])) > 0$$,
    'The btree family compares as its operators do');

SELECT is_empty(
    $$SELECT s.signature FROM strategy s JOIN pg_operator o ON o.oid = s.amopopr
        JOIN support l ON l.amprocfamily = s.amopfamily AND l.amproclefttype = s.amoplefttype
        JOIN support r ON r.amprocfamily = s.amopfamily AND r.amproclefttype = s.amoprighttype
            AND l.amprocnum = r.amprocnum
      WHERE s.amname = 'hash' AND pg_temp.pairs(amoplefttype, amoprighttype, format(
          'l OPERATOR(%s.%s) r IS NOT TRUE OR %s(l%s) = %s(r%4$s)', oprnamespace::regnamespace,
          oprname, l.amproc, CASE l.amprocnum WHEN 2 THEN ', 42' ELSE '' END, r.amproc)) > 0$$,
    'What is equal has the same hash, on both sides');

SELECT is_empty(
    $$SELECT plain.signature FROM support plain JOIN support seeded
        ON plain.amprocfamily = seeded.amprocfamily AND plain.amproclefttype = seeded.amproclefttype
      WHERE plain.amname = 'hash' AND plain.amprocnum = 1 AND seeded.amprocnum = 2
        AND pg_temp.pairs(plain.amproclefttype, 'boolean', format(
            '%s(l)::bigint & 4294967295 = %s(l, 0) & 4294967295',
            plain.amproc, seeded.amproc)) > 0$$,
    'Seeded with 0, the lower half of a hash is the plain one');

SELECT * FROM finish();
ROLLBACK;
