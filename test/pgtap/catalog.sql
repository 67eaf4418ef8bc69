-- The catalogs: the type, and of every function, operator, cast, aggregate and operator class of
-- the
-- extension what a planner, a driver or pg_dump reads about it.
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

SELECT plan(59);

CREATE TEMP VIEW member AS
SELECT d.classid, d.objid, pg_describe_object(d.classid, d.objid, d.objsubid) AS object
FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND e.extname = 'prefixed_ulid';

CREATE TEMP VIEW function AS
SELECT p.*, p.oid::regprocedure::text AS signature
FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.prokind = 'f' AND p.pronamespace = 'pg_catalog'::regnamespace;

-- What reads catalogs and tables has a schema of its own.
CREATE TEMP VIEW tool AS
SELECT p.*, p.oid::regprocedure::text AS signature
FROM pg_proc p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE p.pronamespace = 'prefixed_ulid'::regnamespace;

CREATE TEMP VIEW operator AS
SELECT o.*, format('%s(%s,%s)', o.oprname, o.oprleft::regtype, o.oprright::regtype) AS signature
FROM pg_operator o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid;

CREATE TEMP VIEW family AS
SELECT f.oid, f.opfname, a.amname
FROM pg_opfamily f JOIN pg_am a ON a.oid = f.opfmethod
JOIN member ON classid = 'pg_opfamily'::regclass AND objid = f.oid;

-- The extension and its type

SELECT results_eq(
    $$SELECT trusted, superuser, relocatable, schema::text COLLATE "default",
             requires::text COLLATE "default"
      FROM pg_available_extension_versions
      WHERE name = 'prefixed_ulid' AND version = (
          SELECT extversion FROM pg_extension WHERE extname = 'prefixed_ulid')$$,
    $$VALUES (true, true, false, 'pg_catalog', '{plpgsql}')$$,
    'The extension is trusted, fixed to pg_catalog and requires no other but plpgsql');

SELECT results_eq(
    $$SELECT typlen::int, typbyval, typtype::text, typcategory::text, typispreferred,
        typdelim::text,
             typalign::text, typstorage::text, typcollation::int, typnotnull
      FROM pg_type WHERE oid = 'pg_catalog.pulid'::regtype$$,
    $$VALUES (-1, false, 'b', 'U', false, ',', 'i', 'p', 0, false)$$,
    'The type is a plain varlena of category U, int4-aligned, without a collation');

SELECT results_eq(
    $$SELECT typinput::text, typoutput::text, typreceive::text, typsend::text, typmodin::text,
             typmodout::text
      FROM pg_type WHERE oid = 'pg_catalog.pulid'::regtype$$,
    $$VALUES ('pulid_in', 'pulid_out', 'pulid_recv', 'pulid_send', 'pulid_typmod_in',
              'pulid_typmod_out')$$,
    'The type has text, binary and modifier functions');

SELECT results_eq(
    $$SELECT typname::text COLLATE "default", typnamespace::regnamespace::text, typdelim::text,
        typalign::text
      FROM pg_type WHERE oid = 'pulid[]'::regtype$$,
    $$VALUES ('_pulid', 'pg_catalog', ',', 'i')$$,
    'The array type stands beside the type');

SELECT is_empty(
    $$SELECT object, namespace FROM member,
        LATERAL (SELECT COALESCE((pg_identify_object(classid, objid, 0)).schema,
            'pg_catalog')) s(namespace)
      WHERE namespace NOT IN ('pg_catalog', 'prefixed_ulid')$$,
    'Every object of the extension is in pg_catalog, or in the schema of its tools');

SELECT is_empty(
    $$SELECT object FROM member
      WHERE COALESCE(obj_description(objid, classid::regclass::name), '') = ''
          -- from 17 on array and row types are members, too
          AND NOT EXISTS (SELECT FROM pg_type t WHERE classid = 'pg_type'::regclass
                          AND t.oid = objid AND typcategory IN ('A', 'C'))$$,
    'Every object of the extension has a comment');

SELECT is_empty(
    $$SELECT object FROM member GROUP BY object HAVING count(*) > 1
      UNION ALL SELECT object FROM member
      WHERE classid NOT IN ('pg_type'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass,
                            'pg_cast'::regclass, 'pg_opclass'::regclass, 'pg_opfamily'::regclass,
                            'pg_class'::regclass)
        AND object <> 'schema prefixed_ulid'$$,
    'The extension consists of types, functions, operators, casts, classes, relations, a schema');

-- Functions

SELECT cmp_ok((SELECT count(*) FROM function), '>=', 70::bigint,
    'The functions of the extension are found');

SELECT is_empty(
    $$SELECT signature, provolatile FROM function
      WHERE provolatile <> CASE WHEN proname LIKE '%id\_generate%' THEN 'v'
          WHEN proname LIKE '%\_sel' OR proname = 'pulid_typanalyze' THEN 's' ELSE 'i' END$$,
    'Generators are VOLATILE, what reads statistics is STABLE, all other functions are IMMUTABLE');

SELECT is_empty(
    $$SELECT signature FROM function WHERE NOT proisstrict$$,
    'Every function is STRICT');

SELECT is_empty(
    $$SELECT signature FROM function WHERE proparallel <> 's'$$,
    'Every function is PARALLEL SAFE');

SELECT is_empty(
    $$SELECT signature FROM function
      WHERE proname NOT LIKE '%like'
        AND (prolang <> (SELECT oid FROM pg_language WHERE lanname = 'c')
             OR probin <> '$libdir/prefixed_ulid')$$,
    'Every function but the patterns is LANGUAGE C from $libdir/prefixed_ulid');

SELECT results_eq(
    $$SELECT count(*)::int, bool_and(prosqlbody IS NOT NULL) FROM function
      WHERE proname LIKE '%like'$$,
    $$VALUES (4, true)$$,
    'The patterns are SQL that was resolved when the extension was made');

SELECT is_empty(
    $$SELECT signature FROM function WHERE proconfig IS NOT NULL OR prosecdef$$,
    'No function has a SET clause or is SECURITY DEFINER');

SELECT is_empty(
    $$SELECT signature FROM function WHERE proretset OR provariadic <> 0 OR pronargdefaults <> 0$$,
    'No function returns a set, is variadic or has a default argument');

SELECT is_empty(
    $$SELECT signature FROM function
      WHERE proname NOT LIKE 'pulid\_%' AND proname NOT LIKE 'text\_%\_pulid'
        AND proname NOT LIKE 'digit\_id\_%'$$,
    'Every function has a name that says that it belongs to pulid, or to digit ids');

SELECT is_empty(
    $$SELECT a.signature, b.oid FROM function a JOIN function b
        ON a.proname = b.proname AND a.pronargs = b.pronargs AND a.oid < b.oid
      WHERE EXISTS (
          SELECT FROM unnest(a.proargtypes::oid[], b.proargtypes::oid[]) AS t(x, y)
          WHERE x <> y AND x IN ('text'::regtype, 'pulid'::regtype)
            AND y IN ('text'::regtype, 'pulid'::regtype))$$,
    'No function is overloaded on both text and pulid');

SELECT set_eq(
    $$SELECT signature FROM function WHERE proleakproof AND signature !~ 'bound'$$,
    $$SELECT format('pulid_%s(pulid,pulid)', name) FROM unnest('{lt,le,eq,ne,ge,gt,cmp}'::text[])
        name
      UNION ALL
      SELECT format('pulid_%s_text(pulid,text)', name)
      FROM unnest('{lt,le,eq,ne,ge,gt,cmp}'::text[]) name
      UNION ALL
      SELECT format('text_%s_pulid(text,pulid)', name)
      FROM unnest('{lt,le,eq,ne,ge,gt,cmp}'::text[]) name
      UNION ALL
      VALUES ('pulid_has_prefix(pulid,text)'),
             ('pulid_is_canonical(text)'), ('pulid_is_canonical(text,text)'),
             ('pulid_is_valid(text)'), ('pulid_is_valid(text,text)'),
             ('pulid_created_between(pulid,timestamp with time zone,timestamp with time zone)'),
             ('pulid_starts_with(pulid,text)'), ('pulid_text_bytewise_eq(text,text)'),
             ('digit_id_is_canonical(text,text,integer)')$$,
    'LEAKPROOF are the comparisons and the predicates that never raise, and nothing else');

SELECT set_eq(
    $$SELECT signature FROM function WHERE signature ~ 'bound' AND NOT proleakproof$$,
    $$VALUES ('pulid_lower_bound(text,timestamp with time zone)'),
             ('pulid_upper_bound(text,timestamp with time zone)'),
             ('pulid_bound_in(cstring)'), ('pulid_bound_out(pulid_bound)'),
             ('pulid_below_bound_sel(internal,oid,internal,integer)'),
             ('pulid_above_bound_sel(internal,oid,internal,integer)')$$,
    'The internal bounds and their comparisons are LEAKPROOF, the bounds that raise are not');

SELECT is_empty(
    $$SELECT object FROM member WHERE object ~ 'pulid_bound'
        AND obj_description(objid, classid::regclass::name) !~
            '^(I/O: )?internal|^implementation of |^less-equal-greater'$$,
    'What is internal says so in its comment');

SELECT set_has(
    $$SELECT signature, pg_get_function_result(oid) FROM function$$,
    $$VALUES ('pulid_generate(text)', 'pulid'), ('pulid_generate()', 'pulid'),
             ('pulid_generate(text,timestamp with time zone)', 'pulid'),
             ('pulid_generate_v7(text)', 'pulid'), ('pulid_generate_v4(text)', 'pulid'),
             ('pulid_generate_monotonic(text)', 'pulid'),
             ('pulid_prefix(pulid)', 'text'), ('pulid_ulid(pulid)', 'text'),
             ('pulid_timestamp(pulid)', 'timestamp with time zone'), ('pulid_uuid(pulid)', 'uuid'),
             ('pulid_inspect(pulid)', 'record'), ('pulid_extract(text)', 'pulid[]'),
             ('pulid_from_uuid(text,uuid)', 'pulid'), ('pulid_with_prefix(pulid,text)', 'pulid'),
             ('pulid_strip_prefix(pulid)', 'pulid'), ('pulid_has_prefix(pulid,text)', 'boolean'),
             ('pulid_is_canonical(text)', 'boolean'), ('pulid_is_canonical(text,text)', 'boolean'),
             ('pulid_is_valid(text)', 'boolean'), ('pulid_is_valid(text,text)', 'boolean'),
             ('pulid_parse(text)', 'pulid'), ('pulid_parse(text,text)', 'pulid'),
             ('pulid_try_parse(text)', 'pulid'), ('pulid_try_parse(text,text)', 'pulid'),
             ('pulid_tidy(text)', 'pulid'), ('pulid_tidy(text,text)', 'pulid'),
             ('pulid_min(text)', 'pulid'), ('pulid_max(text)', 'pulid'),
             ('pulid_lower_bound(text,timestamp with time zone)', 'pulid'),
             ('pulid_upper_bound(text,timestamp with time zone)', 'pulid'),
             ('pulid_created_between(pulid,timestamp with time zone,timestamp with time zone)',
              'boolean'),
             ('digit_id_generate(text,integer)', 'text'), ('digit_id_tidy(text)', 'text'),
             ('digit_id_tidy(text,text)', 'text'), ('digit_id_digits_for(bigint)', 'integer'),
             ('digit_id_is_canonical(text,text,integer)', 'boolean')$$,
    'Every function of the contract exists and returns what it says');

SELECT results_eq(
    $$SELECT unnest(proargnames[2:])::text COLLATE "default",
        unnest(proallargtypes[2:])::regtype::text
      FROM function WHERE signature = 'pulid_inspect(pulid)'$$,
    $$VALUES ('prefix', 'text'), ('ulid', 'text'), ('created_at', 'timestamp with time zone'),
             ('uuid', 'uuid'), ('random', 'text')$$,
    'pulid_inspect returns its five columns through OUT parameters');

SELECT results_eq(
    $$SELECT prosupport::text FROM function WHERE signature =
        'pulid_coerce(pulid,integer,boolean)'$$,
    $$VALUES ('pulid_modifier_support')$$,
    'The coercion to a modifier has a planner support function');

SELECT results_eq(
    $$SELECT prosupport::text FROM function
      WHERE proname IN ('pulid_has_prefix', 'pulid_starts_with', 'pulid_created_between')
          ORDER BY 1$$,
    $$VALUES ('pulid_created_between_support'), ('pulid_has_prefix_support'),
             ('pulid_starts_with_support')$$,
    'The predicates that hold for a range of ids have planner support functions');

-- Tools

SELECT is_empty(
    $$SELECT signature FROM tool
      WHERE prosecdef
         OR NOT COALESCE(proconfig @> '{"search_path=pg_catalog, pg_temp"}', false)
            AND prosqlbody IS NULL AND probin IS NULL
            AND proname NOT IN ('digit_id_insert', 'find', 'backfill', 'backfill_expression')$$,
    'Tools have the caller''s rights and a fixed search_path, unless triggers or policies run');

SELECT set_eq(
    $$SELECT signature, provolatile::text, proisstrict, proparallel::text FROM tool
      WHERE obj_description(oid, 'pg_proc') NOT LIKE 'internal: %'$$,
    $$VALUES ('prefixed_ulid.digit_id_insert(regclass,name,text,integer,jsonb)', 'v', false, 'u'),
             ('prefixed_ulid.resolve(pulid)', 's', true, 's'),
             ('prefixed_ulid.find(pulid)', 's', true, 'u'),
             ('prefixed_ulid.create_generator(text,name)', 'v', false, 'u'),
             ('prefixed_ulid.lint()', 's', true, 's'),
             ('prefixed_ulid.enforce_unique_prefixes()', 'v', false, 'u'),
             ('prefixed_ulid.check_text(regclass,name,text)', 's', true, 's'),
             ('prefixed_ulid.backfill(regclass,name,text,name,integer)', 'v', false, 'u'),
             ('prefixed_ulid.backfill_expression(regclass,name,text,text,integer,text)', 'v', false,
              'u'),
             ('prefixed_ulid.migration_plan(regclass,text,name,name)', 's', false, 's')$$,
    'The tools, and how they may be called');

SELECT set_eq(
    $$SELECT c.oid::regclass::text, c.relkind::text,
             COALESCE(array_to_string(c.reloptions, ','), '')
      FROM pg_class c WHERE relnamespace = 'prefixed_ulid'::regnamespace
        AND relkind NOT IN ('i', 't')$$,
    $$VALUES ('prefixed_ulid.declarations', 'v', 'security_invoker=true'),
             ('prefixed_ulid.columns', 'v', 'security_invoker=true'),
             ('prefixed_ulid.owners', 'v', 'security_invoker=true'),
             ('prefixed_ulid.reserved', 'r', ''), ('prefixed_ulid.backfill_progress', 'r', '')$$,
    'The relations of the tools; views have the caller''s rights');

SELECT is_empty(
    $$SELECT c.oid::regclass, privilege FROM pg_class c,
             unnest('{SELECT,INSERT,UPDATE,DELETE,TRUNCATE,REFERENCES,TRIGGER}'::text[]) privilege
      WHERE relnamespace = 'prefixed_ulid'::regnamespace AND relkind IN ('r', 'v')
        AND has_table_privilege('public', c.oid, privilege) <> (privilege = 'SELECT'
            OR relrowsecurity AND privilege IN ('INSERT', 'UPDATE', 'DELETE'))$$,
    'Everybody may read them, and nothing else but write the rows that policies admit');

SELECT results_eq(
    $$SELECT unnest(extconfig)::regclass::text, unnest(extcondition) COLLATE "default"
      FROM pg_extension
      WHERE extname = 'prefixed_ulid'$$,
    $$VALUES ('prefixed_ulid.reserved', '')$$,
    'Reserved prefixes are dumped with the database');

SELECT ok(has_schema_privilege('public', 'prefixed_ulid', 'USAGE')
      AND NOT has_schema_privilege('public', 'prefixed_ulid', 'CREATE'),
    'Everybody may use the schema of the tools and put nothing into it');

-- Operators

SELECT results_eq(
    $$SELECT count(*)::int FROM pg_operator WHERE oprcode = 0$$, $$VALUES (0)$$,
    'There is no shell operator in the database');

SELECT is_empty(
    $$SELECT signature FROM operator WHERE oprrest = 0 OR oprjoin = 0$$,
    'Every operator has a restriction and a join estimator');

SELECT is_empty(
    $$SELECT signature FROM operator
      WHERE oprleft = 'varchar'::regtype OR oprright = 'varchar'::regtype$$,
    'No operator has a varchar side');

CREATE TEMP TABLE pair (left_type text, right_type text);
INSERT INTO pair VALUES ('pulid', 'pulid'), ('pulid', 'text'), ('text', 'pulid');

CREATE TEMP TABLE comparison (name text, commutator text, negator text, estimator text, fn text);
INSERT INTO comparison VALUES
    ('<', '>', '>=', 'scalarlt', 'lt'), ('<=', '>=', '>', 'scalarle', 'le'), ('=', '=', '<>', 'eq',
        'eq'),
    ('<>', '<>', '=', 'neq', 'ne'), ('>=', '<=', '<', 'scalarge', 'ge'), ('>', '<', '<=',
        'scalargt', 'gt');

SELECT set_eq(
    $$SELECT o.signature, c.signature AS commutator, n.signature AS negator, o.oprrest::text,
        o.oprjoin::text, o.oprcode::text
      FROM operator o LEFT JOIN operator c ON c.oid = o.oprcom LEFT
          JOIN operator n ON n.oid = o.oprnegate
      WHERE 'pulid'::regtype IN (o.oprleft, o.oprright) AND o.oprname !~ '[@~]'
        AND o.signature !~ 'pulid_bound'$$,
    $$SELECT format('%s(%s,%s)', name, left_type, right_type),
             format('%s(%s,%s)', commutator, right_type, left_type) AS c,
             format('%s(%s,%s)', negator, left_type, right_type) AS n,
             estimator || 'sel' AS r, estimator || 'joinsel' AS j,
             CASE WHEN left_type = right_type THEN 'pulid_' || fn
                  ELSE format('%s_%s_%s', left_type, fn, right_type) END AS f
      FROM pair, comparison$$,
    'The six comparisons exist for each pair, with commutator, negator and core''s estimators');

SELECT set_eq(
    $$SELECT o.signature, c.signature AS commutator, n.signature AS negator,
             regexp_replace(o.oprrest::text, 'sel$', '') AS estimator
      FROM operator o LEFT JOIN operator c ON c.oid = o.oprcom LEFT
          JOIN operator n ON n.oid = o.oprnegate
      WHERE o.signature ~ 'pulid_bound'$$,
    $$SELECT format('%s(%s,%s)', name, l, r), format('%s(%s,%s)', commutator, r, l) AS c,
             CASE WHEN name <> '=' THEN format('%s(%s,%s)', negator, l, r) END AS n,
             CASE WHEN name <> '=' AND l <> r
                  THEN CASE WHEN name LIKE '<%' THEN 'pulid_below_bound_'
                      ELSE 'pulid_above_bound_' END
                  ELSE estimator END AS e
      FROM comparison, (VALUES ('pulid', 'pulid_bound'), ('pulid_bound', 'pulid'), ('pulid_bound',
          'pulid_bound')) p(l, r)
      WHERE name <> '<>'$$,
    'The internal operators between ids and bounds commute, and estimate by the whole range');

SELECT set_eq(
    $$SELECT signature FROM operator WHERE oprcanhash$$,
    $$VALUES ('=(pulid,pulid)'), ('=(pulid,text)'), ('=(text,pulid)'), ('~=~(text,text)')$$,
    'HASHES are the equalities of the hash family and no other operator');

SELECT set_eq(
    $$SELECT signature FROM operator WHERE oprcanmerge$$,
    $$VALUES ('=(pulid,pulid)')$$,
    'MERGES is only the equality of ids, because the btree family has no (text, text) operators');

SELECT results_eq(
    $$SELECT o.oprresult::regtype::text, c.signature COLLATE "default", o.oprnegate::int,
        o.oprcode::text
      FROM operator o LEFT JOIN operator c ON c.oid = o.oprcom
          WHERE o.signature = '~=~(text,text)'$$,
    $$VALUES ('boolean', '~=~(text,text)', 0, 'pulid_text_bytewise_eq')$$,
    'The bytewise equality of texts commutes');

SELECT results_eq(
    $$SELECT oprresult::regtype::text, oprcode::text, oprcom::int, oprnegate::int
      FROM operator WHERE signature = '^@(pulid,text)'$$,
    $$VALUES ('boolean', 'pulid_starts_with', 0, 0)$$,
    'The starts-with operator is there');

SELECT set_eq(
    $$SELECT o.signature, n.signature AS negator, o.oprcode::text, o.oprrest::text, o.oprjoin::text
      FROM operator o LEFT JOIN operator n ON n.oid = o.oprnegate WHERE o.oprname ~ '~~'$$,
    $$SELECT format('%s(pulid,text)', name), format('%s(pulid,text)', negator) AS n,
             'pulid_' || fn AS f, estimator || 'sel' AS r, estimator || 'joinsel' AS j
      FROM (VALUES ('~~', '!~~', 'like', 'like'), ('!~~', '~~', 'not_like', 'nlike'),
                   ('~~*', '!~~*', 'ilike', 'iclike'), ('!~~*', '~~*', 'not_ilike', 'icnlike'))
          v(name, negator, fn, estimator)$$,
    'The patterns are there, with negators and core''s estimators');

SELECT is_empty(
    $$SELECT signature FROM operator
      WHERE signature NOT IN ('~=~(text,text)', '^@(pulid,text)', '~~(pulid,text)',
                              '!~~(pulid,text)', '~~*(pulid,text)', '!~~*(pulid,text)')
        AND (oprname NOT IN ('<', '<=', '=', '<>', '>=', '>')
             OR oprleft NOT IN ('pulid'::regtype, 'pulid_bound'::regtype, 'text'::regtype)
             OR oprright NOT IN ('pulid'::regtype, 'pulid_bound'::regtype, 'text'::regtype)
             OR (oprleft = 'text'::regtype AND oprright <> 'pulid'::regtype)
             OR (oprright = 'text'::regtype AND oprleft <> 'pulid'::regtype))$$,
    'The extension has no other operator');

SELECT is_empty(
    $$SELECT o.signature FROM operator o JOIN pg_proc p ON p.oid = o.oprcode
        WHERE NOT p.proleakproof AND o.oprname !~ '~~'$$,
    'Every operator but the patterns, which can raise, is leakproof');

-- Casts

SELECT set_eq(
    $$SELECT castsource::regtype::text, casttarget::regtype::text, castcontext::text,
             castfunc::regprocedure::text
      FROM pg_cast WHERE 'pulid'::regtype IN (castsource, casttarget)$$,
    $$VALUES ('pulid', 'pulid', 'i', 'pulid_coerce(pulid,integer,boolean)'),
             ('text', 'pulid', 'a', 'pulid_parse(text)'),
             ('character varying', 'pulid', 'a', 'pulid_parse(text)'),
             ('pulid', 'text', 'a', 'pulid_text(pulid)'),
             ('pulid', 'uuid', 'e', 'pulid_uuid(pulid)'),
             ('uuid', 'pulid', 'e', 'pulid_from_uuid(uuid)'),
             ('pulid', 'timestamp with time zone', 'e', 'pulid_timestamp(pulid)')$$,
    'No cast is implicit but the one that enforces the modifier, and none leads to timestamp');

-- Aggregates

SELECT set_eq(
    $$SELECT a.aggfnoid::regprocedure::text, a.aggtransfn::text, a.aggcombinefn::text,
             format('%s(%s,%s)', o.oprname, o.oprleft::regtype, o.oprright::regtype),
             a.aggtranstype::regtype::text, p.proparallel::text, p.provolatile::text,
                 a.aggkind::text
      FROM pg_aggregate a JOIN pg_proc p ON p.oid = a.aggfnoid
          JOIN pg_operator o ON o.oid = a.aggsortop
      JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid$$,
    $$VALUES ('min(pulid)', 'pulid_smaller', 'pulid_smaller', '<(pulid,pulid)', 'pulid', 's', 'i',
        'n'),
             ('max(pulid)', 'pulid_larger', 'pulid_larger', '>(pulid,pulid)', 'pulid', 's', 'i',
                 'n')$$,
    'min and max have a combine function, a sort operator and run in parallel');

-- Operator classes

SELECT set_has(
    $$SELECT a.amname::text, c.opcname::text, c.opcdefault, f.opfname::text,
        c.opcintype::regtype::text,
             c.opckeytype::regtype::text
      FROM pg_opclass c JOIN pg_am a ON a.oid = c.opcmethod JOIN pg_opfamily f ON f.oid =
          c.opcfamily
      JOIN member ON classid = 'pg_opclass'::regclass AND objid = c.oid$$,
    $$VALUES ('btree', 'pulid_ops', true, 'pulid_ops', 'pulid', '-'),
             ('hash', 'pulid_ops', true, 'pulid_ops', 'pulid', '-'),
             ('brin', 'pulid_minmax_ops', true, 'pulid_minmax_ops', 'pulid', '-'),
             ('brin', 'pulid_minmax_multi_ops', false, 'pulid_minmax_multi_ops', 'pulid', '-'),
             ('brin', 'pulid_bloom_ops', false, 'pulid_bloom_ops', 'pulid', '-'),
             ('gist', 'pulid_gist_ops', true, 'pulid_gist_ops', 'pulid', 'bytea')$$,
    'There are operator classes for btree, hash, BRIN and GiST');

CREATE TEMP VIEW strategy AS
SELECT f.amname::text, f.opfname::text, o.amopstrategy::int AS number,
       format('%s(%s,%s)', p.oprname, p.oprleft::regtype, p.oprright::regtype) AS operator,
       o.amoplefttype = p.oprleft AND o.amoprighttype = p.oprright AND o.amoppurpose = 's' AS plain
FROM pg_amop o JOIN family f ON f.oid = o.amopfamily JOIN pg_operator p ON p.oid = o.amopopr;

CREATE TEMP VIEW support AS
SELECT f.amname::text, f.opfname::text, p.amprocnum::int AS number, p.amproclefttype::regtype::text
    AS l,
       p.amprocrighttype::regtype::text AS r, p.amproc::regprocedure::text AS fn
FROM pg_amproc p JOIN family f ON f.oid = p.amprocfamily;

SELECT set_eq(
    $$SELECT number, operator, plain FROM strategy WHERE amname = 'btree'$$,
    $$SELECT number::int, format('%s(%s,%s)', name, left_type, right_type), true
      FROM (SELECT left_type, right_type FROM pair
            UNION ALL VALUES ('pulid', 'pulid_bound'), ('pulid_bound', 'pulid'), ('pulid_bound',
                'pulid_bound')) p,
           unnest('{<,<=,=,>=,>}'::text[]) WITH ORDINALITY AS s(name, number)$$,
    'The btree family has all five operators for each pair with an id, and none for two texts');

SELECT set_eq(
    $$SELECT number, l, r, fn FROM support WHERE amname = 'btree'$$,
    $$VALUES (1, 'pulid', 'pulid', 'pulid_cmp(pulid,pulid)'),
             (1, 'pulid', 'text', 'pulid_cmp_text(pulid,text)'),
             (1, 'text', 'pulid', 'text_cmp_pulid(text,pulid)'),
             (1, 'text', 'text', 'bttext_pattern_cmp(text,text)'),
             (1, 'pulid', 'pulid_bound', 'pulid_cmp_bound(pulid,pulid_bound)'),
             (1, 'pulid_bound', 'pulid', 'pulid_bound_cmp_id(pulid_bound,pulid)'),
             (1, 'pulid_bound', 'pulid_bound', 'pulid_bound_cmp(pulid_bound,pulid_bound)'),
             (2, 'pulid', 'pulid', 'pulid_sortsupport(internal)'),
             (4, 'pulid', 'pulid', 'btequalimage(oid)')$$,
    'The btree family has comparisons for all pairs, sort support and deduplication');

SELECT set_eq(
    $$SELECT number, operator, plain FROM strategy WHERE amname = 'hash'$$,
    $$VALUES (1, '=(pulid,pulid)', true), (1, '=(pulid,text)', true), (1, '=(text,pulid)', true),
             (1, '~=~(text,text)', true)$$,
    'The hash family has an equality for all four pairs');

SELECT set_eq(
    $$SELECT number, l, r, fn FROM support WHERE amname = 'hash'$$,
    $$VALUES (1, 'pulid', 'pulid', 'pulid_hash(pulid)'),
             (2, 'pulid', 'pulid', 'pulid_hash_extended(pulid,bigint)'),
             (1, 'text', 'text', 'pulid_hash_text(text)'),
             (2, 'text', 'text', 'pulid_hash_text_extended(text,bigint)')$$,
    'The hash family has a plain and an extended hash function for ids and for texts');

SELECT set_eq(
    $$SELECT opfname, number, operator, plain FROM strategy WHERE amname = 'brin'$$,
    $$SELECT class::text, number::int, format('%s(pulid,%s)', name, other), true
      FROM unnest('{<,<=,=,>=,>}'::text[]) WITH ORDINALITY AS s(name, number),
           unnest('{pulid_minmax_ops,pulid_minmax_multi_ops}'::text[]) class,
           unnest('{pulid,pulid_bound}'::text[]) other
      UNION ALL VALUES ('pulid_bloom_ops', 1, '=(pulid,pulid)', true)$$,
    'The BRIN families have their operators, none of them with a type that has a collation');

SELECT set_eq(
    $$SELECT opfname, array_agg(number ORDER BY number) FROM support WHERE amname = 'brin'
      GROUP BY opfname$$,
    $$VALUES ('pulid_minmax_ops', '{1,2,3,4}'::int[]),
             ('pulid_minmax_multi_ops', '{1,2,3,4,5,11}'), ('pulid_bloom_ops', '{1,2,3,4,5,11}')$$,
    'The BRIN families have their support functions, the distance and the hash among them');

-- The numbers are those that core's translation of comparisons gives, which PostgreSQL 18 added.
SELECT set_eq(
    $$SELECT number, operator, plain FROM strategy WHERE amname = 'gist'$$,
    $$VALUES (18, '=(pulid,pulid)', true), (19, '<>(pulid,pulid)', true), (20, '<(pulid,pulid)',
        true),
             (21, '<=(pulid,pulid)', true), (22, '>(pulid,pulid)', true), (23, '>=(pulid,pulid)',
                 true)$$,
    'The GiST family has its operators');

SELECT set_eq(
    $$SELECT number, l, r, fn FROM support WHERE amname = 'gist'$$,
    $$SELECT number, l, r, fn
      FROM (VALUES (1, 'pulid', 'pulid_gist_consistent(internal,pulid,smallint,oid,internal)', 0),
                   (2, 'pulid', 'pulid_gist_union(internal,internal)', 0),
                   (5, 'pulid', 'pulid_gist_penalty(internal,internal,internal)', 0),
                   (6, 'pulid', 'pulid_gist_picksplit(internal,internal)', 0),
                   (7, 'pulid', 'pulid_gist_same(bytea,bytea,internal)', 0),
                   (11, 'pulid', 'pulid_sortsupport(internal)', 0),
                   (12, '"any"', 'gist_translate_cmptype_common(integer)', 180000)) f(number, l, fn,
                       since),
           LATERAL (SELECT l AS r) same
      WHERE current_setting('server_version_num')::int >= since$$,
    'The GiST family has its support functions, from 18 on those of WITHOUT OVERLAPS');

SELECT results_eq(
    $$SELECT f.amname::text, c.opcname::text, amvalidate(c.oid)
      FROM pg_opclass c JOIN family f ON f.oid = c.opcfamily WHERE f.amname <> 'btree' ORDER BY 1,
          2$$,
    $$SELECT f.amname::text, c.opcname::text, true
      FROM pg_opclass c JOIN family f ON f.oid = c.opcfamily WHERE f.amname <> 'btree' ORDER BY 1,
          2$$,
    'Every operator class but btree''s is valid');

SELECT is(
    amvalidate((SELECT c.oid FROM pg_opclass c JOIN family f ON f.oid = c.opcfamily
                WHERE f.amname = 'btree')),
    false, 'amvalidate finds the btree family without (text, text) operators');

-- Without the internal bounds, and with core's bytewise operators of two texts, nothing is missing.
DO $$
DECLARE l text; r text;
BEGIN
    FOR l, r IN VALUES ('pulid', 'pulid_bound'), ('pulid_bound', 'pulid'), ('pulid_bound',
        'pulid_bound') LOOP
        EXECUTE format(
            'ALTER OPERATOR FAMILY pg_catalog.pulid_ops USING btree DROP OPERATOR 1 (%1$s, %2$s),
                 OPERATOR 2 (%1$s, %2$s), OPERATOR 3 (%1$s, %2$s), OPERATOR 4 (%1$s, %2$s),
                 OPERATOR 5 (%1$s, %2$s), FUNCTION 1 (%1$s, %2$s)', l, r);
    END LOOP;
END $$;
SELECT is(
    amvalidate((SELECT c.oid FROM pg_opclass c JOIN family f ON f.oid = c.opcfamily
                WHERE f.amname = 'btree')),
    false, 'Without the internal bounds it finds the same');
ALTER OPERATOR FAMILY pg_catalog.pulid_ops USING btree ADD
    OPERATOR 1 ~<~ (text, text), OPERATOR 2 ~<=~ (text, text), OPERATOR 3 ~=~ (text, text),
    OPERATOR 4 ~>=~ (text, text), OPERATOR 5 ~>~ (text, text);
SELECT is(
    amvalidate((SELECT c.oid FROM pg_opclass c JOIN family f ON f.oid = c.opcfamily
                WHERE f.amname = 'btree')),
    true, 'That is all then: with operators of two texts the family would be valid');

-- Modifiers that reach the catalogs

CREATE TEMP TABLE modified (a pulid, b pulid('prd'), c pulid(''), d pulid('user'), e pulid('a_b'),
                            f pulid('zzzzzz'), g pulid('ord')[]);
SELECT results_eq(
    $$SELECT format_type(atttypid, atttypmod) FROM pg_attribute
      WHERE attrelid = 'modified'::regclass AND attnum > 0 ORDER BY attnum$$,
    $$VALUES ('pulid'), ('pulid(''prd'')'), ('pulid('''')'), ('pulid(''user'')'),
        ('pulid(''a_b'')'),
             ('pulid(''zzzzzz'')'), ('pulid(''ord'')[]')$$,
    'Columns print their modifier as it was written');

SELECT lives_ok(
    $$SELECT format_type('pulid'::regtype, code) FROM unnest(
        ARRAY[0, 1, 27, 28, 28 * 28, 481890303, 481890304, 481890305, 2147483647, -2,
            -2147483648]) code$$,
    'Any code of a modifier prints');

SELECT * FROM finish();
ROLLBACK;
