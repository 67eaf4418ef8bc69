-- The extension is created, and its catalog entries keep the promises that other code relies on:
-- layout, flags, estimators, operator classes, comments.
CREATE EXTENSION prefixed_ulid;
-- one schema, under every search_path the same type, installable without superuser
SELECT e.extname, n.nspname AS schema, v.relocatable, v.superuser, v.trusted, v.requires
FROM pg_extension e
JOIN pg_namespace n ON n.oid = e.extnamespace
JOIN pg_available_extension_versions v ON (v.name, v.version) = (e.extname, e.extversion)
WHERE e.extname = 'prefixed_ulid';
LOAD 'prefixed_ulid';
-- the type
SELECT typlen, typbyval, typalign, typstorage, typcategory, typispreferred, typdelim, typcollation,
       typtype
FROM pg_type WHERE oid = 'pulid'::regtype;
SELECT typinput, typoutput, typreceive, typsend, typmodin, typmodout, typanalyze
FROM pg_type WHERE oid = 'pulid'::regtype;
-- every operator class is valid; that btree lacks (text, text) operators is wanted: with them,
-- foreign keys from text to pulid would be accepted and fail later
SELECT amname, opcname, opcdefault, amvalidate(c.oid)
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
WHERE opcintype = 'pulid'::regtype
ORDER BY amname COLLATE "C", opcname COLLATE "C";
-- what the extension owns
CREATE TEMP VIEW member AS
SELECT classid, objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
WHERE e.extname = 'prefixed_ulid' AND d.refclassid = 'pg_extension'::regclass AND deptype = 'e';
CREATE TEMP VIEW function AS SELECT p.* FROM pg_proc p JOIN member m
ON m.classid = 'pg_proc'::regclass AND m.objid = p.oid;
CREATE TEMP VIEW operator AS SELECT o.* FROM pg_operator o JOIN member m
ON m.classid = 'pg_operator'::regclass AND m.objid = o.oid;
SELECT pg_describe_object(classid, objid, 0) AS without_comment FROM member
WHERE obj_description(objid, classid::regclass::text::name) IS NULL;
-- functions
SELECT DISTINCT probin AS library FROM function WHERE prokind = 'f';
SELECT oid::regprocedure AS not_strict_or_not_safe FROM function
WHERE NOT (proisstrict OR prokind = 'a') OR proparallel <> 's';
SELECT DISTINCT proname AS not_immutable, provolatile FROM function WHERE provolatile <> 'i'
ORDER BY 1;
SELECT oid::regprocedure AS with_settings FROM function WHERE proconfig IS NOT NULL;
-- leakproof: what operators call, and what else never raises
SELECT o.oid::regoperator AS leaking_operator FROM operator o JOIN function f ON f.oid = o.oprcode
WHERE NOT proleakproof;
SELECT oid::regprocedure AS leakproof FROM function
WHERE proleakproof AND oid NOT IN (SELECT oprcode FROM operator)
ORDER BY proname, pronargs, oid::regprocedure::text COLLATE "C";
-- operators: no shells, none beside a varchar, estimators, commutators, negators
SELECT oid::regoperator AS shell FROM pg_operator WHERE oprcode = 0;
SELECT oid::regoperator AS beside_varchar FROM pg_operator
WHERE 'varchar'::regtype IN (oprleft, oprright);
SELECT oid::regoperator AS without_estimators FROM operator WHERE oprrest = 0 OR oprjoin = 0;
SELECT oid::regoperator AS no_commutator FROM operator WHERE oprcom = 0;
SELECT oid::regoperator AS no_negator FROM operator WHERE oprnegate = 0
ORDER BY oprname COLLATE "C";
SELECT oid::regoperator AS operator, oprcanhash AS hashes, oprcanmerge AS merges,
       oprrest AS restrict, oprjoin AS join
FROM operator ORDER BY oprleft::regtype::text COLLATE "C", oprright::regtype::text COLLATE "C",
                       oprname COLLATE "C";
-- casts: only the one that enforces a modifier is implicit (i); a is assignment, e explicit
SELECT castsource::regtype, casttarget::regtype, castcontext,
       castfunc::regprocedure
FROM pg_cast JOIN member m ON m.classid = 'pg_cast'::regclass AND m.objid = pg_cast.oid
ORDER BY castsource::regtype::text COLLATE "C", casttarget::regtype::text COLLATE "C";
-- aggregates can be parallel and answered by an index
SELECT aggfnoid::regprocedure, aggcombinefn, aggsortop::regoperator
FROM pg_aggregate JOIN function f ON f.oid = aggfnoid ORDER BY proname;
