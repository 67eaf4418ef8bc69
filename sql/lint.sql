--
-- What is wrong with the prefixes of a database
--

-- A prefix is judged where its ids come from, not again at each foreign key to them. To compile the
-- query takes longer than to run it.
CREATE FUNCTION prefixed_ulid.lint(
    OUT rule text, OUT severity text, OUT object text, OUT message text, OUT mend text
) RETURNS SETOF record
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp SET jit = off
AS $$
WITH owner AS MATERIALIZED (
    SELECT * FROM prefixed_ulid.owners
), prefixed AS MATERIALIZED (
    SELECT p.*, a.attrelid, a.attnum,
           a.attinhcount = 0 AND p.referenced_table IS NULL AS is_source,
           (p.table_name, p.column_name) IN (SELECT table_name, column_name FROM owner) AS is_owner,
           a.attgenerated <> '' AS is_generated,
           a.attcollation <> 0 AS is_text
    FROM prefixed_ulid.columns p
    JOIN pg_attribute a ON a.attrelid = p.table_name AND a.attname = p.column_name
    JOIN pg_class c ON c.oid = p.table_name AND c.relkind IN ('r', 'p', 'f')
), conflict AS MATERIALIZED (
    SELECT *
    FROM (SELECT *, min(prefix) OVER (PARTITION BY attrelid, attnum)
                    <> max(prefix) OVER (PARTITION BY attrelid, attnum) AS differs
          FROM prefixed_ulid.declarations) AS d
    WHERE differs
), reference AS MATERIALIZED (
    SELECT k.conrelid AS attrelid, u.attnum, p.prefix, q.prefix AS confprefix
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid AND NOT c.relispartition AND c.relpersistence <> 't'
    CROSS JOIN unnest(k.conkey, k.confkey) AS u (attnum, confattnum)
    LEFT JOIN prefixed p ON p.attrelid = k.conrelid AND p.attnum = u.attnum
    LEFT JOIN prefixed q ON q.attrelid = k.confrelid AND q.attnum = u.confattnum
    WHERE k.contype = 'f' AND k.conparentid = 0
), bytewise (oid) AS (
    SELECT c.oid
    FROM pg_collation c
    JOIN pg_database d ON d.datname = current_database()
    WHERE CASE c.collprovider
          WHEN 'd' THEN d.datlocprovider = 'b'
                        OR d.datlocprovider = 'c' AND d.datcollate IN ('C', 'POSIX')
          ELSE c.collprovider = 'b' OR c.collcollate IN ('C', 'POSIX') END
), finding (rule, severity, attrelid, attnum, message, change) AS (
    SELECT 'duplicate_prefix', 'error', a.attrelid, a.attnum,
           format('prefix "%s" also belongs to the primary key of %s', o.prefix,
                  (SELECT string_agg(DISTINCT q.table_name::text, ', ')
                   FROM owner q
                   WHERE q.prefix = o.prefix AND q.table_name <> o.table_name)), NULL
    FROM (SELECT *, min(table_name::oid) OVER (PARTITION BY prefix)
                    <> max(table_name::oid) OVER (PARTITION BY prefix) AS is_duplicate
          FROM owner) AS o
    JOIN pg_attribute a ON a.attrelid = o.table_name AND a.attname = o.column_name
    WHERE o.is_duplicate

    UNION ALL
    SELECT 'contradiction', 'error', d.attrelid, d.attnum,
           format('no id satisfies all that is declared: %s',
                  string_agg(DISTINCT format('prefix "%s" by %s', d.prefix,
                                             CASE d.declared_by WHEN 'check' THEN 'CHECK'
                                             ELSE d.declared_by END), ', ')), NULL
    FROM conflict d
    WHERE d.declared_by <> 'default'
    GROUP BY d.attrelid, d.attnum
    HAVING count(DISTINCT d.prefix) > 1

    UNION ALL
    SELECT 'default_mismatch', 'error', p.attrelid, p.attnum,
           format('default makes ids with the prefix "%s", but "%s" is declared', d.prefix,
                  p.prefix),
           -- Another generator may be there for what it does or does not reveal.
           CASE WHEN p.column_default ~ '\mpulid_generate\('
           THEN format('ALTER COLUMN %I SET DEFAULT pulid_generate(%L)', p.column_name, p.prefix)
           END
    FROM conflict d
    JOIN prefixed p ON p.attrelid = d.attrelid AND p.attnum = d.attnum
    WHERE d.declared_by = 'default' AND d.prefix <> p.prefix

    UNION ALL
    SELECT DISTINCT 'foreign_key_mismatch', 'error', attrelid, attnum,
           format('references ids with the prefix "%s", but "%s" is declared', confprefix,
                  prefix), NULL::text
    FROM reference
    WHERE prefix <> confprefix

    UNION ALL
    SELECT 'reserved_prefix', 'error', p.attrelid, p.attnum,
           format('prefix "%s" is reserved', p.prefix) || COALESCE(': ' || r.description, ''), NULL
    FROM prefixed p
    JOIN prefixed_ulid.reserved r ON r.prefix = p.prefix
    WHERE p.is_source

    UNION ALL
    SELECT 'missing_default', 'warning', p.attrelid, p.attnum,
           'primary key has no default',
           format('ALTER COLUMN %I SET DEFAULT pulid_generate(%L)', p.column_name, p.prefix)
    FROM prefixed p
    WHERE p.is_owner AND p.column_default IS NULL AND NOT p.is_generated

    UNION ALL
    SELECT 'missing_check', 'warning', p.attrelid, p.attnum,
           'text key has a default, but no CHECK that admits nothing else',
           format('ADD CHECK (pulid_is_canonical(%I, %L))', p.column_name, p.prefix)
    FROM prefixed p
    WHERE p.is_primary_key AND p.is_text AND p.declared_by = 'default'

    UNION ALL
    SELECT 'collation', 'warning', a.attrelid, a.attnum,
           format('text key is in collation "%s", not in byte order', c.collname),
           format('ALTER COLUMN %I TYPE %s COLLATE "C"', a.attname,
                  format_type(a.atttypid, a.atttypmod))
    FROM (SELECT attrelid, attnum FROM prefixed WHERE is_primary_key
          UNION
          -- What references it too, or joins of the two would have no collation.
          SELECT attrelid, attnum FROM reference WHERE confprefix IS NOT NULL) AS key
    JOIN pg_attribute a ON a.attrelid = key.attrelid AND a.attnum = key.attnum
    JOIN pg_collation c ON c.oid = a.attcollation
    WHERE a.attcollation NOT IN (SELECT oid FROM bytewise)

    UNION ALL
    SELECT DISTINCT 'plain_foreign_key', 'warning', a.attrelid, a.attnum,
           format('references ids with the prefix "%s", but admits any', r.confprefix),
           format('ADD CHECK (pulid_has_prefix(%I, %L))', a.attname, r.confprefix)
    FROM reference r
    JOIN pg_attribute a ON a.attrelid = r.attrelid AND a.attnum = r.attnum
    JOIN pg_type t ON t.oid = a.atttypid
    WHERE r.prefix IS NULL AND r.confprefix IS NOT NULL
      AND 'pulid'::regtype IN (t.oid, t.typbasetype)

    UNION ALL
    SELECT 'prefix_length', 'advice', p.attrelid, p.attnum,
           format('prefix "%s" does not have 3 or 4 letters', p.prefix), NULL
    FROM prefixed p
    WHERE p.is_source AND p.prefix !~ '^([a-z]{3,4})?$'

    UNION ALL
    SELECT 'other_key', 'advice', a.attrelid, a.attnum,
           CASE WHEN a.atttypid = 'uuid'::regtype THEN 'primary key is of type uuid'
                WHEN a.attidentity <> '' THEN 'primary key is an identity column'
                ELSE 'primary key is a serial column' END, NULL
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid AND NOT c.relispartition AND c.relpersistence <> 't'
    JOIN pg_namespace n ON n.oid = c.relnamespace
                       AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    JOIN pg_attribute a ON a.attrelid = c.oid
                       AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
    WHERE i.indisprimary AND a.attinhcount = 0
      AND (a.atttypid = 'uuid'::regtype OR a.attidentity <> '' OR EXISTS (
              SELECT FROM pg_depend s
              WHERE s.refclassid = 'pg_class'::regclass AND s.refobjid = c.oid
                AND s.refobjsubid = a.attnum AND s.classid = 'pg_class'::regclass
                AND s.deptype = 'a'))
      AND NOT EXISTS (SELECT FROM reference r WHERE r.attrelid = c.oid AND r.attnum = a.attnum)
      -- Beside a public id, a key that is never shown is fine.
      AND NOT EXISTS (
              SELECT FROM prefixed p
              JOIN pg_index u ON u.indrelid = p.attrelid AND u.indisunique AND NOT u.indisprimary
                             AND p.attnum = ANY ((u.indkey::int2[])[0:u.indnkeyatts - 1])
              WHERE p.attrelid = c.oid AND p.is_source)
      AND NOT EXISTS (SELECT FROM pg_depend e
                      WHERE e.classid = 'pg_class'::regclass AND e.objid = c.oid
                        AND e.deptype = 'e')
)
SELECT f.rule, f.severity, format('%s.%I', f.attrelid::regclass, a.attname), f.message,
       'ALTER TABLE ' || f.attrelid::regclass || ' ' || f.change || ';'
FROM finding f
JOIN pg_attribute a ON a.attrelid = f.attrelid AND a.attnum = f.attnum
ORDER BY array_position('{error,warning,advice}', f.severity), 1, 3, 4
$$;
COMMENT ON FUNCTION prefixed_ulid.lint() IS
    'what is wrong with the prefixes of the database, or could be better: one row a finding, with '
    'the rule, its severity (error, warning or advice), the column, and the SQL that mends it, '
    'where one statement does';

--
-- The same, at once: one prefix, one primary key
--

-- A claim counts only if this transaction has made it, so that a duplicate that came about in
-- another way (a detached partition, say) does not stand in the way of all that is done to a table
-- later. Two sessions with one prefix take turns; the lock is on the view's OID, which no one else
-- has a reason to take, and the prefix.
CREATE FUNCTION prefixed_ulid.check_unique_prefixes() RETURNS event_trigger
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    tables oid[];
    tables_of_domain oid[];
    claim record;
    owner regclass;
BEGIN
    SELECT array_agg(d.objid) INTO tables
    FROM pg_event_trigger_ddl_commands() AS d
    WHERE d.classid = 'pg_class'::regclass AND NOT d.in_extension;

    SELECT array_agg(a.attrelid) INTO tables_of_domain
    FROM pg_event_trigger_ddl_commands() AS d
    JOIN pg_attribute a ON a.atttypid = d.objid
    WHERE d.classid = 'pg_type'::regclass AND NOT d.in_extension;

    FOR claim IN
        SELECT o.prefix, o.table_name
        FROM prefixed_ulid.owners o
        JOIN pg_attribute a ON a.attrelid = o.table_name AND a.attname = o.column_name
        WHERE o.table_name = ANY (tables_of_domain)
           OR o.table_name = ANY (tables) AND EXISTS (
               SELECT WHERE age(a.xmin) <= 0
               UNION ALL
               SELECT FROM pg_index i
               WHERE i.indrelid = a.attrelid AND i.indisprimary AND age(i.xmin) <= 0
               UNION ALL
               SELECT FROM pg_constraint k
               WHERE k.conrelid = a.attrelid AND a.attnum = ANY (k.conkey) AND age(k.xmin) <= 0
               UNION ALL
               SELECT FROM pg_attrdef f
               WHERE f.adrelid = a.attrelid AND f.adnum = a.attnum AND age(f.xmin) <= 0)
    LOOP
        PERFORM pg_advisory_xact_lock('prefixed_ulid.columns'::regclass::oid::integer,
                                      hashtext(claim.prefix));
        SELECT o.table_name INTO owner
        FROM prefixed_ulid.owners o
        WHERE o.prefix = claim.prefix AND o.table_name <> claim.table_name
        LIMIT 1;
        IF FOUND THEN
            RAISE duplicate_object USING
                MESSAGE = format('prefix "%s" already belongs to the primary key of table %s',
                                 claim.prefix, owner),
                DETAIL = format('The primary key of table %s would have it too.',
                                claim.table_name),
                HINT = 'Choose a prefix that is not in prefixed_ulid.columns.';
        END IF;
    END LOOP;
END $$;
COMMENT ON FUNCTION prefixed_ulid.check_unique_prefixes() IS
    'internal: the event trigger of enforce_unique_prefixes';

CREATE FUNCTION prefixed_ulid.enforce_unique_prefixes() RETURNS void
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    duplicate record;
BEGIN
    IF EXISTS (SELECT FROM pg_event_trigger WHERE evtname = 'prefixed_ulid_unique_prefixes') THEN
        RETURN;
    END IF;
    BEGIN
        CREATE EVENT TRIGGER prefixed_ulid_unique_prefixes ON ddl_command_end
            WHEN TAG IN ('ALTER DOMAIN', 'ALTER TABLE', 'CREATE SCHEMA', 'CREATE TABLE')
            EXECUTE FUNCTION prefixed_ulid.check_unique_prefixes();
    EXCEPTION WHEN insufficient_privilege THEN
        RAISE insufficient_privilege USING
            MESSAGE = 'permission denied to enforce unique prefixes',
            DETAIL = 'PostgreSQL lets only superusers create event triggers.',
            HINT = 'Ask a superuser to call the function, or look at prefixed_ulid.lint().';
    END;
    COMMENT ON EVENT TRIGGER prefixed_ulid_unique_prefixes IS
        'refuses a primary key whose prefix belongs to another one (extension prefixed_ulid)';

    SELECT * INTO duplicate FROM prefixed_ulid.lint() WHERE rule = 'duplicate_prefix' LIMIT 1;
    IF FOUND THEN
        RAISE duplicate_object USING
            MESSAGE = format('%s: %s', duplicate.object, duplicate.message),
            HINT = 'prefixed_ulid.lint() lists all that have to be changed before.';
    END IF;
END $$;
COMMENT ON FUNCTION prefixed_ulid.enforce_unique_prefixes() IS
    'from now on DDL that would give the prefix of one primary key to another fails with 42710; '
    'needs a superuser, otherwise 42501; 42710 if a prefix belongs to two already; undone by DROP '
    'EVENT TRIGGER prefixed_ulid_unique_prefixes';
