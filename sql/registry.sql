--
-- Which column carries which prefix
--
-- The catalogs are the registry: nothing has to be entered, and nothing can be out of date.
--

CREATE FUNCTION prefixed_ulid.modifier_prefix(integer) RETURNS text
    AS 'MODULE_PATHNAME', 'pulid_modifier_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION prefixed_ulid.modifier_prefix(integer) IS
    'internal: the prefix in a type modifier of pulid; NULL if there is none';

CREATE FUNCTION prefixed_ulid.check_prefixes(pg_node_tree, smallint) RETURNS SETOF text
    AS 'MODULE_PATHNAME', 'pulid_check_prefixes' LANGUAGE C STABLE STRICT PARALLEL SAFE
    COST 100 ROWS 1;
COMMENT ON FUNCTION prefixed_ulid.check_prefixes(pg_node_tree, smallint) IS
    'internal: the prefixes that a CHECK constraint (pg_constraint.conbin) demands of the column '
    'with this number; 0 for the value of a domain';

CREATE FUNCTION prefixed_ulid.default_prefix(pg_node_tree) RETURNS text
    AS 'MODULE_PATHNAME', 'pulid_default_prefix' LANGUAGE C STABLE STRICT PARALLEL SAFE
    COST 100;
COMMENT ON FUNCTION prefixed_ulid.default_prefix(pg_node_tree) IS
    'internal: the prefix of the ids that a default (pg_attrdef.adbin) makes; NULL if it makes '
    'none, or if that is not to be seen';

-- Partitions are left out, because their root speaks for them, and temporary tables. What is
-- MATERIALIZED would else be computed for each column.
CREATE VIEW prefixed_ulid.declarations WITH (security_invoker = true) AS
WITH RECURSIVE lineage (type, ancestor, typmod) AS (
    SELECT oid, typbasetype, typtypmod FROM pg_type WHERE typtype = 'd'
    UNION ALL
    SELECT l.type, t.typbasetype, t.typtypmod
    FROM lineage l JOIN pg_type t ON t.oid = l.ancestor
    WHERE t.typtype = 'd'
), carrier (type, base) AS MATERIALIZED (
    SELECT c.type, t.oid
    FROM (SELECT oid, oid FROM pg_type UNION ALL SELECT type, ancestor FROM lineage)
             AS c (type, base)
    JOIN pg_type t ON t.oid = c.base
    WHERE t.oid = 'pulid'::regtype OR t.typcategory = 'S' AND t.typtype = 'b'
), domain (type, prefix) AS MATERIALIZED (
    SELECT type, prefixed_ulid.modifier_prefix(typmod)
    FROM lineage
    WHERE ancestor = 'pulid'::regtype
    UNION ALL
    SELECT l.type, p.prefix
    FROM (SELECT type, type FROM lineage UNION SELECT type, ancestor FROM lineage)
             AS l (type, domain)
    JOIN pg_constraint k ON k.contypid = l.domain AND k.contypid <> 0 AND k.contype = 'c'
    CROSS JOIN prefixed_ulid.check_prefixes(k.conbin, 0::smallint) AS p (prefix)
), candidate AS NOT MATERIALIZED (
    SELECT a.attrelid, a.attnum, a.atttypid, a.atttypmod, a.attgenerated, a.atthasdef, y.base,
           COALESCE(a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1]), false)
               AS is_primary_key
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN carrier y ON y.type = a.atttypid
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
      AND c.relpersistence <> 't'
)
SELECT d.*
FROM (
    SELECT attrelid, attnum, base, is_primary_key, 'type' AS declared_by,
           prefixed_ulid.modifier_prefix(atttypmod) AS prefix
    FROM candidate
    WHERE atttypid = 'pulid'::regtype AND atttypmod <> -1
    UNION ALL
    SELECT attrelid, attnum, base, is_primary_key, 'domain', o.prefix
    FROM candidate
    JOIN domain o ON o.type = atttypid
    UNION ALL
    SELECT attrelid, attnum, base, is_primary_key, 'check', p.prefix
    FROM candidate
    JOIN pg_constraint k ON k.conrelid = attrelid AND k.contype = 'c' AND attnum = ANY (k.conkey)
    CROSS JOIN prefixed_ulid.check_prefixes(k.conbin, attnum) AS p (prefix)
    UNION ALL
    SELECT attrelid, attnum, base, is_primary_key,
           CASE attgenerated WHEN '' THEN 'default' ELSE 'generated' END,
           prefixed_ulid.default_prefix(f.adbin)
    FROM candidate
    JOIN pg_attrdef f ON f.adrelid = attrelid AND f.adnum = attnum
    UNION ALL
    SELECT attrelid, attnum, base, is_primary_key, 'default',
           prefixed_ulid.default_prefix(t.typdefaultbin)
    FROM candidate
    JOIN pg_type t ON t.oid = atttypid AND t.typtype = 'd'
    WHERE NOT atthasdef
) AS d
WHERE d.prefix IS NOT NULL;
COMMENT ON VIEW prefixed_ulid.declarations IS
    'internal: each statement in the catalogs that a column has a prefix; declared_by is type, '
    'domain, check, generated or default';
GRANT SELECT ON prefixed_ulid.declarations TO PUBLIC;

CREATE VIEW prefixed_ulid.columns WITH (security_invoker = true) AS
SELECT d.attrelid::regclass AS table_name, a.attname AS column_name, d.prefix, d.declared_by,
       d.is_primary_key,
       CASE WHEN a.attgenerated = ''
            THEN COALESCE(pg_get_expr(f.adbin, f.adrelid), pg_get_expr(t.typdefaultbin, 0))
       END AS column_default,
       r.confrelid::regclass AS referenced_table, ra.attname AS referenced_column
FROM (SELECT DISTINCT ON (attrelid, attnum, is_primary_key) *
      FROM prefixed_ulid.declarations
      ORDER BY attrelid, attnum, is_primary_key,
               array_position('{type,domain,check,generated,default}', declared_by), prefix) AS d
JOIN pg_attribute a ON a.attrelid = d.attrelid AND a.attnum = d.attnum
JOIN pg_type t ON t.oid = a.atttypid
LEFT JOIN pg_attrdef f ON f.adrelid = d.attrelid AND f.adnum = d.attnum
LEFT JOIN LATERAL (
    SELECT k.confrelid, k.confkey[array_position(k.conkey, d.attnum)] AS attnum
    FROM pg_constraint k
    WHERE k.conrelid = d.attrelid AND k.contype = 'f' AND k.conparentid = 0
      AND d.attnum = ANY (k.conkey)
    ORDER BY k.conname
    LIMIT 1) AS r ON true
LEFT JOIN pg_attribute ra ON ra.attrelid = r.confrelid AND ra.attnum = r.attnum;
COMMENT ON VIEW prefixed_ulid.columns IS
    'every column that carries a prefix, by its type, a domain, a CHECK or generation expression, '
    'or its default, the first of these that does (declared_by); partitioned tables without their '
    'partitions, no temporary tables; of several foreign keys the first by name';
COMMENT ON COLUMN prefixed_ulid.columns.table_name IS 'table or view';
COMMENT ON COLUMN prefixed_ulid.columns.prefix IS 'prefix of its ids; empty for bare ULIDs';
COMMENT ON COLUMN prefixed_ulid.columns.declared_by IS
    'what declares the prefix: type, domain, check, generated or default';
COMMENT ON COLUMN prefixed_ulid.columns.is_primary_key IS
    'whether the column is in the primary key';
COMMENT ON COLUMN prefixed_ulid.columns.column_default IS
    'default of the column or else of its domain';
GRANT SELECT ON prefixed_ulid.columns TO PUBLIC;

-- A key column that references another table holds that table's ids. A child in inheritance has a
-- key of its own for rows that its parent shows as well.
CREATE VIEW prefixed_ulid.owners WITH (security_invoker = true) AS
SELECT c.prefix, c.table_name, c.column_name
FROM prefixed_ulid.columns c
JOIN pg_attribute a ON a.attrelid = c.table_name AND a.attname = c.column_name
WHERE c.is_primary_key
  AND NOT EXISTS (
      SELECT FROM pg_constraint k
      WHERE k.conrelid = a.attrelid AND k.contype = 'f' AND k.conparentid = 0
        AND k.confrelid <> k.conrelid AND a.attnum = ANY (k.conkey))
  AND (a.attinhcount = 0 OR NOT EXISTS (
      WITH RECURSIVE ancestor (oid) AS (
          SELECT inhparent FROM pg_inherits WHERE inhrelid = a.attrelid
          UNION
          SELECT i.inhparent FROM ancestor JOIN pg_inherits i ON i.inhrelid = ancestor.oid
      )
      SELECT FROM ancestor
      JOIN pg_attribute p ON p.attrelid = ancestor.oid AND p.attname = a.attname
      JOIN pg_index i ON i.indrelid = ancestor.oid
      WHERE i.indisprimary AND p.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])));
COMMENT ON VIEW prefixed_ulid.owners IS
    'internal: the primary keys that say whose ids a prefix has';
GRANT SELECT ON prefixed_ulid.owners TO PUBLIC;

-- The CHECK has the words of pulid_min for a malformed prefix.
CREATE TABLE prefixed_ulid.reserved (
    prefix text COLLATE "C" PRIMARY KEY CHECK (prefix <> '' AND pulid_min(prefix) IS NOT NULL),
    description text
);
COMMENT ON TABLE prefixed_ulid.reserved IS
    'prefixes that are promised or retired: lint() finds tables that use them, and '
    'create_generator() refuses them; 22023 if the prefix is malformed';
COMMENT ON COLUMN prefixed_ulid.reserved.prefix IS 'prefix without its underscore';
COMMENT ON COLUMN prefixed_ulid.reserved.description IS 'what it is reserved for';
SELECT pg_extension_config_dump('prefixed_ulid.reserved', '');
GRANT SELECT ON prefixed_ulid.reserved TO PUBLIC;
GRANT INSERT, UPDATE, DELETE ON prefixed_ulid.reserved TO @extowner@;

--
-- From an id to its table and its row
--

CREATE FUNCTION prefixed_ulid.owner_of(
    prefix text, OUT owner_table regclass, OUT owner_column name
)
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    tables text[];
BEGIN
    -- If several columns of one key have the prefix, it is the first that counts.
    SELECT (array_agg(o.table_name ORDER BY place))[1],
           (array_agg(o.column_name ORDER BY place))[1],
           array_agg(DISTINCT o.table_name::text)
    INTO owner_table, owner_column, tables
    FROM prefixed_ulid.owners o
    JOIN pg_attribute a ON a.attrelid = o.table_name AND a.attname = o.column_name
    JOIN pg_index i ON i.indrelid = o.table_name AND i.indisprimary
    CROSS JOIN array_position(i.indkey::int2[], a.attnum) AS place
    WHERE o.prefix = owner_of.prefix;
    IF cardinality(tables) > 1 THEN
        RAISE cardinality_violation USING
            MESSAGE = format('prefix "%s" belongs to more than one primary key', prefix),
            DETAIL = format('It belongs to those of %s.', array_to_string(tables, ' and ')),
            HINT = 'Give each table a prefix of its own, or declare the foreign key of the one '
                   'that holds ids of the other.';
    END IF;
END $$;
COMMENT ON FUNCTION prefixed_ulid.owner_of(text) IS
    'internal: the table whose primary key has a prefix, and which column that is; NULL if there '
    'is none, 21000 if there are several';

CREATE FUNCTION prefixed_ulid.resolve(id pulid) RETURNS regclass
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    RETURN (prefixed_ulid.owner_of(pulid_prefix(id))).owner_table;
COMMENT ON FUNCTION prefixed_ulid.resolve(pulid) IS
    'the table whose primary key has the prefix of the id; NULL if there is none, 21000 if there '
    'are several';

CREATE FUNCTION prefixed_ulid.find_statement(id pulid) RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    owner record;
BEGIN
    owner := prefixed_ulid.owner_of(pulid_prefix(id));
    RETURN (
        SELECT format('SELECT pg_catalog.to_jsonb(found.*) FROM %I.%I AS found '
                      'WHERE found.%I OPERATOR(pg_catalog.=) %s',
                      n.nspname, c.relname, owner.owner_column,
                      CASE d.base WHEN 'pulid'::regtype THEN '$1' ELSE '$1::pg_catalog.text' END)
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = owner.owner_column
        JOIN prefixed_ulid.declarations d ON d.attrelid = c.oid AND d.attnum = a.attnum
        WHERE c.oid = owner.owner_table
        LIMIT 1);
END $$;
COMMENT ON FUNCTION prefixed_ulid.find_statement(pulid) IS
    'internal: the SELECT of find, whose parameter is the id; NULL for an unknown prefix';

-- The search_path is the caller's, which the policies of the table are used to; so every name is
-- qualified, as in the statement. PARALLEL UNSAFE, because policies may be.
CREATE FUNCTION prefixed_ulid.find(id pulid) RETURNS jsonb
    LANGUAGE plpgsql STABLE STRICT PARALLEL UNSAFE
AS $$
DECLARE
    statement pg_catalog.text := prefixed_ulid.find_statement(id);
    result pg_catalog.jsonb;
    another pg_catalog.jsonb;
BEGIN
    IF statement IS NULL THEN
        RETURN NULL;
    END IF;
    FOR another IN EXECUTE statement USING id LOOP
        IF result IS NOT NULL THEN
            RAISE cardinality_violation USING
                MESSAGE = pg_catalog.format('more than one row of %s has the id "%s"',
                                            prefixed_ulid.resolve(id), id),
                DETAIL = 'The id is only a part of the primary key.';
        END IF;
        result := another;
    END LOOP;
    RETURN result;
END $$;
COMMENT ON FUNCTION prefixed_ulid.find(pulid) IS
    'the row that has the id as its primary key, found with the rights and row security of the '
    'caller; NULL if there is none to be seen, or no primary key has the prefix; 21000 if several '
    'primary keys have it, or several rows the id, 42501 without SELECT on the table';

--
-- Generators by name
--

CREATE FUNCTION prefixed_ulid.create_generator(prefix text, schema name DEFAULT current_schema())
    RETURNS regprocedure
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    function name;
BEGIN
    IF prefix IS NULL THEN
        RAISE null_value_not_allowed USING MESSAGE = 'the prefix must not be null';
    ELSIF schema IS NULL THEN
        RAISE invalid_schema_name USING MESSAGE = 'no schema has been selected to create in';
    END IF;
    PERFORM pulid_min(prefix); -- raises 22023 if it is malformed
    IF EXISTS (SELECT FROM prefixed_ulid.reserved r WHERE r.prefix = create_generator.prefix) THEN
        RAISE reserved_name USING
            MESSAGE = format('prefix "%s" is reserved', prefix),
            DETAIL = (SELECT r.description FROM prefixed_ulid.reserved r
                      WHERE r.prefix = create_generator.prefix),
            HINT = 'Delete its row of prefixed_ulid.reserved to use it.';
    ELSIF length(prefix) > 51 THEN
        RAISE name_too_long USING
            MESSAGE = format('prefix "%s" is too long for the name of a generator', prefix),
            DETAIL = 'The name is the prefix between "generate_" and "_id", and has at most 63 '
                     'characters.',
            HINT = format('Use pulid_generate(%L) as it is.', prefix);
    END IF;
    function := 'generate_' || COALESCE(NULLIF(prefix, '') || '_', '') || 'id';
    EXECUTE format('CREATE FUNCTION %I.%I() RETURNS pulid LANGUAGE sql VOLATILE PARALLEL SAFE '
                   'RETURN pulid_generate(%L)', schema, function, prefix);
    EXECUTE format('COMMENT ON FUNCTION %I.%I() IS %L', schema, function,
                   CASE prefix WHEN '' THEN 'new bare ULID'
                   ELSE format('new id with the prefix "%s"', prefix) END);
    RETURN format('%I.%I()', schema, function)::regprocedure;
END $$;
COMMENT ON FUNCTION prefixed_ulid.create_generator(text, name) IS
    'creates generate_<prefix>_id(), which is pulid_generate(prefix) under a name of its own, in '
    'a schema, by default the one where objects are created; 22023 if the prefix is malformed, '
    '42723 if there is such a function, 42939 if the prefix is reserved, 42622 if the name would '
    'be too long, 3F000 if there is no such schema, 22004 if the prefix is NULL';
