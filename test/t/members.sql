-- All that the catalogs say of the extension's objects and their parts, a line each, without OIDs:
-- two databases that give the same lines have the same extension. Every column of every row
-- counts, but for those below.

CREATE FUNCTION pg_temp.rows(catalog regclass, key name, id oid) RETURNS SETOF jsonb
LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT to_jsonb(c) FROM %s AS c WHERE %I = %s', catalog, key, id);
END $$;

CREATE FUNCTION pg_temp.definition(catalog regclass, id oid) RETURNS text LANGUAGE sql AS $$
    SELECT CASE catalog
        WHEN 'pg_proc'::regclass THEN (
            SELECT pg_get_functiondef(oid) FROM pg_proc WHERE oid = id AND prokind <> 'a')
        WHEN 'pg_rewrite'::regclass THEN pg_get_ruledef(id)
        WHEN 'pg_constraint'::regclass THEN pg_get_constraintdef(id)
        WHEN 'pg_trigger'::regclass THEN pg_get_triggerdef(id)
        WHEN 'pg_attrdef'::regclass THEN (
            SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE oid = id)
        WHEN 'pg_class'::regclass THEN (
            SELECT pg_get_indexdef(oid) FROM pg_class WHERE oid = id AND relkind = 'i') END
$$;

CREATE TEMP TABLE part AS
WITH RECURSIVE part AS (
    SELECT classid, objid FROM pg_depend
    WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
        AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'prefixed_ulid')
    UNION
    SELECT d.classid, d.objid FROM pg_depend AS d JOIN part AS p
        ON d.refclassid = p.classid AND d.refobjid = p.objid
    WHERE d.deptype IN ('a', 'i')
        -- TOAST tables have OIDs in their names
        AND NOT EXISTS (SELECT FROM pg_class AS c
                        WHERE d.classid = 'pg_class'::regclass AND c.oid = d.objid
                            AND c.relnamespace = 'pg_toast'::regnamespace))
SELECT classid::regclass AS catalog, objid AS id, pg_describe_object(classid, objid, 0) AS object
FROM part;

CREATE TEMP TABLE line AS
SELECT row_number() OVER () AS nr, object, catalog, r AS line FROM (
    SELECT object, catalog, r FROM part, pg_temp.rows(catalog, 'oid', id) AS r
    UNION ALL
    SELECT object, other, r FROM part,
        (VALUES ('pg_proc'::regclass, 'pg_aggregate'::regclass, 'aggfnoid'),
                ('pg_class', 'pg_attribute', 'attrelid'),
                ('pg_class', 'pg_index', 'indexrelid'),
                ('pg_class', 'pg_sequence', 'seqrelid')) AS more(of, other, key),
        pg_temp.rows(other, key, id) AS r
    WHERE catalog = of) AS lines;

-- Where another row stands, its name; PostgreSQL itself knows which column refers to what.
CREATE TEMP VIEW named AS
SELECT object, jsonb_object_agg(key, CASE
    WHEN fkcols IS NULL OR value #>> '{}' !~ '^[\[1-9]' THEN value -- regproc prints a name
    WHEN is_array THEN (
        SELECT jsonb_agg(pg_describe_object(pktable, item::oid, 0) ORDER BY n)
        FROM unnest(string_to_array(translate(value #>> '{}', '[],"', ''), ' '))
             WITH ORDINALITY AS items(item, n))
    ELSE to_jsonb(pg_describe_object(pktable, (value #>> '{}')::oid, 0)) END) AS line
FROM line CROSS JOIN jsonb_each(line)
     LEFT JOIN pg_get_catalog_foreign_keys() ON fktable = catalog AND fkcols = ARRAY[key]
WHERE key <> 'oid'
    -- storage and statistics
    AND key NOT IN ('relfilenode', 'relpages', 'reltuples', 'relallvisible', 'relallfrozen',
        'relfrozenxid', 'relminmxid', 'reltoastrelid', 'attoptions', 'attmissingval')
    -- trees of nodes, full of OIDs; definition() prints them
    AND key NOT IN ('prosqlbody', 'ev_action', 'ev_qual', 'adbin', 'conbin', 'indexprs', 'indpred',
        'typdefaultbin', 'relpartbound', 'polqual', 'polwithcheck', 'tgqual', 'proargdefaults')
GROUP BY nr, object;

SELECT replace(line, E'\n', ' ') FROM (
    SELECT object || ': ' || line FROM named
    UNION ALL
    SELECT format('%s, defined as: %s', object, pg_temp.definition(catalog, id)) FROM part
    WHERE pg_temp.definition(catalog, id) IS NOT NULL
    UNION ALL
    SELECT format('%s depends (%s) on %s', pg_describe_object(classid, objid, objsubid), deptype,
        pg_describe_object(refclassid, refobjid, refobjsubid))
    FROM part JOIN pg_depend ON classid = catalog AND objid = id
    UNION ALL
    SELECT format('%s, comment: %s', pg_describe_object(classoid, objoid, objsubid), description)
    FROM part JOIN pg_description ON classoid = catalog AND objoid = id
    UNION ALL
    SELECT format('%s, initial privileges: %s', pg_describe_object(classoid, objoid, objsubid),
        initprivs)
    FROM part JOIN pg_init_privs ON classoid = catalog AND objoid = id
    UNION ALL
    SELECT format('dumped: %s where %s', table_id::regclass, extcondition[n])
    FROM pg_extension, unnest(extconfig) WITH ORDINALITY AS dumped(table_id, n)
    WHERE extname = 'prefixed_ulid'
) AS lines(line) ORDER BY line COLLATE "C";
