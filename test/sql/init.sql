-- Creates the extension for the tests that follow. What of the catalogs can break a database if it
-- is wrong: layout, operator classes, operators without estimators; test/pgtap/catalog.sql has the
-- rest.
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
-- every operator class is valid; what the btree family lacks is wanted: with (text, text) operators
-- foreign keys from text to pulid would be accepted and fail later, and nobody writes bounds
SELECT amname, opcname, opcdefault, amvalidate(c.oid)
FROM pg_opclass c JOIN pg_am a ON a.oid = opcmethod
WHERE opcintype = 'pulid'::regtype
ORDER BY amname COLLATE "C", opcname COLLATE "C";
-- every object of the extension has a comment
CREATE TEMP VIEW member AS
SELECT classid, objid FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid
WHERE e.extname = 'prefixed_ulid' AND d.refclassid = 'pg_extension'::regclass AND deptype = 'e';
SELECT pg_describe_object(classid, objid, 0) AS without_comment FROM member
WHERE obj_description(objid, classid::regclass::text::name) IS NULL
    -- from 17 on the types of arrays and of rows are members, too
    AND NOT EXISTS (SELECT FROM pg_type t
                    WHERE classid = 'pg_type'::regclass AND t.oid = objid
                      AND typcategory IN ('A', 'C'));
-- no shell operators, none with a varchar side, none of ours without estimators
SELECT oid::regoperator AS shell FROM pg_operator WHERE oprcode = 0;
SELECT oid::regoperator AS beside_varchar FROM pg_operator
WHERE 'varchar'::regtype IN (oprleft, oprright);
SELECT o.oid::regoperator AS without_estimators
FROM pg_operator o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid
WHERE oprrest = 0 OR oprjoin = 0;
