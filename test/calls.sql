-- For tests of what functions declare about themselves: calls every function of the extension that
-- SQL can call and that is not VOLATILE, with every combination of some arguments.

-- ASCII, so that they mean the same in every database. Instants name their zone.
CREATE FUNCTION pg_temp.samples(type regtype) RETURNS text[] LANGUAGE sql AS $$
    SELECT CASE type::text
        WHEN 'pulid' THEN '{prd_01jq3v8f6a7b2c8d9e0f1g2h3j,prd_7zzzzzzzzzzzzzzzzzzzzzzzzz,
            01jq3v8f6a7b2c8d9e0f1g2h3j,a_b_00000000000000000000000000,
            prda_01jq3v8f6a7b2c8d9e0f1g2h3j}'::text[]
        WHEN 'text' THEN ARRAY['', 'prd', 'Prd ', 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j',
            'PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J', ' prd-01jq-3v8f-6a7b 2c8d9e0f1g2h3j',
            '01jq3v8f6a7b2c8d9e0f1g2h3j', 'ACC', 'ACC-4821-0937', 'acc 4821 0937']
        WHEN 'cstring' THEN '{prd_01jq3v8f6a7b2c8d9e0f1g2h3j,prd}'::text[]
        WHEN 'pulid_bound' THEN '{"",prd,prd_01jq3v8f6a7b2c8d9e0f1g2h3j,a_8}'::text[]
        WHEN 'uuid' THEN '{0195c7b4-3cca-3ac4-c435-2e03c3014472}'::text[]
        WHEN 'timestamp with time zone' THEN '{1970-01-01 00:00:00+00,1969-12-31 23:59:59+00,
            2025-03-24 12:57:29.738001+00,infinity,-infinity}'::text[]
        WHEN 'integer' THEN '{-1,0,8,301064960}'::text[]
        WHEN 'bigint' THEN '{-1,0,1000000}'::text[]
        WHEN 'smallint' THEN '{0,18}'::text[]
        WHEN 'oid' THEN '{0}'::text[]
        WHEN 'boolean' THEN '{false,true}'::text[]
        WHEN 'cstring[]' THEN ARRAY['{prd}', '{}', '{prd,ord}', '{abcdefg}', '{PRD}']
    END
$$;

CREATE TEMP VIEW callable AS
SELECT p.oid, p.proname, p.provolatile, p.proleakproof, p.prorettype::regtype AS result,
       string_to_array(p.proargtypes::text, ' ')::oid[]::regtype[] AS arguments, -- from 1
       p.oid::regprocedure::text AS signature
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
    JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass AND e.oid = d.refobjid
WHERE d.deptype = 'e' AND e.extname = 'prefixed_ulid' AND p.prokind = 'f'
    AND p.provolatile <> 'v' AND p.pronamespace = 'pg_catalog'::regnamespace
    AND 'internal'::regtype <> ALL (p.proargtypes::oid[]);

-- Where the result of a function is not printed the same under every setting, its binary form is.
-- The arguments depend on a column, or else the planner would make the call.
CREATE FUNCTION pg_temp.call(callable) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT %s FROM pg_catalog.generate_series(0, 0) n',
        format(CASE $1.result::text
            WHEN 'double precision' THEN 'pg_catalog.encode(pg_catalog.float8send(%s), ''hex'')'
            WHEN 'timestamp with time zone'
                THEN 'pg_catalog.encode(pg_catalog.timestamptz_send(%s), ''hex'')'
            WHEN 'bytea' THEN 'pg_catalog.encode(%s, ''hex'')'
            WHEN 'record' THEN 'pg_catalog.encode(pg_catalog.record_send(%s), ''hex'')'
            WHEN 'pulid[]' THEN 'pg_catalog.array_to_string(%s, '','')'
            ELSE '%s::pg_catalog.text' END,
            format('pg_catalog.%I(%s)', $1.proname, string_agg(format(
                '$1[pg_catalog.int4pl(n, %s)]::pg_catalog.%I', number, t.typname), ', '
                ORDER BY number))))
    FROM unnest($1.arguments) WITH ORDINALITY a(type, number) JOIN pg_type t ON t.oid = a.type
$$;

CREATE TEMP TABLE call AS
WITH RECURSIVE combination(oid, statement, missing, arguments) AS (
    SELECT c.oid, pg_temp.call(c), c.arguments, '{}'::text[] FROM callable c
    UNION ALL
    SELECT c.oid, c.statement, c.missing[2:], c.arguments || argument
    FROM combination c, unnest(pg_temp.samples(c.missing[1])) argument)
SELECT oid, statement, arguments FROM combination WHERE missing = '{}';

-- What a call returns, or the SQLSTATE that it raises.
CREATE FUNCTION pg_temp.outcome(statement text, arguments text[], OUT value text, OUT error text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement INTO value USING arguments;
EXCEPTION WHEN others THEN
    error := SQLSTATE;
END $$;
