--
-- From integer, UUID and text keys to pulid keys: the script of a cut-over
--

CREATE FUNCTION prefixed_ulid.migration_name(base name, suffix text) RETURNS name
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT (left(base::text, n) || suffix)::name
    FROM generate_series(length(base::text), 0, -1) AS n
    WHERE octet_length(left(base::text, n) || suffix) < 64 LIMIT 1
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_name(name, text) IS
    'internal: a name with a suffix, cut to what an identifier may have';

CREATE FUNCTION prefixed_ulid.migration_brief(VARIADIC statements text[]) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT E'BEGIN;\nSET LOCAL lock_timeout = ''200ms'';\n' || array_to_string(statements, E'\n')
           || E'\nCOMMIT;'
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_brief(text[]) IS
    'internal: a transaction that rather fails than lets others queue behind its locks; it gives '
    'up before anybody''s deadlock_timeout';

CREATE FUNCTION prefixed_ulid.migration_match(columns name[], keys name[], row_name text)
    RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT string_agg(format('p.%I OPERATOR(pg_catalog.=) %s.%I', key, row_name, "column"), ' AND '
                      ORDER BY ordinality)
    FROM unnest(columns, keys) WITH ORDINALITY AS pair("column", key, ordinality)
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_match(name[], name[], text) IS
    'internal: the condition for the row p that a row references';

-- The parent's key comes first, then each column that references it. Partitions follow their root.
CREATE FUNCTION prefixed_ulid.migration_columns(parent regclass, key smallint, is_looked_up boolean)
    RETURNS TABLE (relation regclass, attnum smallint, "column" name, new name, old name,
                   is_key boolean, is_required boolean, is_default boolean, is_late boolean,
                   columns name[], keys name[])
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    WITH reference AS (
        SELECT DISTINCT ON (c.conrelid, k.attnum)
               c.conrelid, k.attnum, false AS is_key,
               is_looked_up AND (c.condeferrable OR c.conrelid = parent) AS is_late,
               ARRAY(SELECT a.attname FROM unnest(c.conkey) WITH ORDINALITY AS n(attnum, at)
                     JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = n.attnum
                     ORDER BY at) AS columns,
               ARRAY(SELECT a.attname FROM unnest(c.confkey) WITH ORDINALITY AS n(attnum, at)
                     JOIN pg_attribute a ON a.attrelid = parent AND a.attnum = n.attnum
                     ORDER BY at) AS keys
        FROM pg_constraint c, unnest(c.conkey, c.confkey) AS k(attnum, key)
        WHERE c.contype = 'f' AND c.confrelid = parent AND c.conparentid = 0
          AND k.key = migration_columns.key
        ORDER BY c.conrelid, k.attnum, c.oid)
    SELECT r.conrelid::regclass, a.attnum, a.attname,
           prefixed_ulid.migration_name(a.attname, '_new'),
           prefixed_ulid.migration_name(a.attname, '_old'),
           r.is_key, a.attnotnull, a.atthasdef OR a.attidentity <> '', r.is_late, r.columns, r.keys
    FROM (SELECT parent, key, true, false, NULL, NULL UNION ALL SELECT * FROM reference)
         AS r(conrelid, attnum, is_key, is_late, columns, keys)
    JOIN pg_attribute a ON a.attrelid = r.conrelid AND a.attnum = r.attnum
    ORDER BY NOT r.is_key, r.conrelid::regclass::text, a.attnum
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_columns(regclass, smallint, boolean) IS
    'internal: the columns that a migration replaces; late are those of which a row may come '
    'before the row that it references';

CREATE FUNCTION prefixed_ulid.migration_keys(parent regclass, key smallint)
    RETURNS TABLE (relation regclass, name name, new name, definition text, old_definition text,
                   is_partitioned boolean)
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    WITH action(code, action) AS (
        VALUES ('a', 'NO ACTION'), ('r', 'RESTRICT'), ('c', 'CASCADE'), ('n', 'SET NULL'),
               ('d', 'SET DEFAULT'))
    SELECT c.conrelid::regclass, c.conname, prefixed_ulid.migration_name(c.conname, '_new'),
           format('FOREIGN KEY (%s) REFERENCES %s (%s)%s%s%s%s',
                  (SELECT string_agg(format('%I', CASE WHEN k.key = migration_keys.key THEN
                              prefixed_ulid.migration_name(a.attname, '_new') ELSE a.attname END),
                          ', ' ORDER BY k.at)
                   FROM unnest(c.conkey, c.confkey) WITH ORDINALITY AS k(attnum, key, at)
                   JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum),
                  parent,
                  (SELECT string_agg(format('%I', CASE WHEN k.key = migration_keys.key THEN
                              prefixed_ulid.migration_name(a.attname, '_new') ELSE a.attname END),
                          ', ' ORDER BY k.at)
                   FROM unnest(c.confkey) WITH ORDINALITY AS k(key, at)
                   JOIN pg_attribute a ON a.attrelid = parent AND a.attnum = k.key),
                  CASE c.confmatchtype WHEN 'f' THEN ' MATCH FULL' ELSE '' END,
                  ' ON UPDATE ' || (SELECT action FROM action WHERE code = c.confupdtype),
                  ' ON DELETE ' || (SELECT action FROM action WHERE code = c.confdeltype)
                  || COALESCE(
                      (SELECT ' (' || string_agg(format('%I', CASE
                                  WHEN k.key = migration_keys.key
                                  THEN prefixed_ulid.migration_name(a.attname, '_new')
                                  ELSE a.attname END), ', ') || ')'
                       FROM unnest(c.conkey, c.confkey) AS k(attnum, key)
                       JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum
                       WHERE k.attnum = ANY (c.confdelsetcols)), ''),
                  CASE WHEN c.condeferrable THEN ' DEFERRABLE' ELSE '' END
                  || CASE WHEN c.condeferred THEN ' INITIALLY DEFERRED' ELSE '' END),
           pg_get_constraintdef(c.oid), r.relkind = 'p'
    FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
    WHERE c.contype = 'f' AND c.confrelid = parent AND c.conparentid = 0
      AND migration_keys.key = ANY (c.confkey)
    ORDER BY c.conrelid::regclass::text, c.conname
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_keys(regclass, smallint) IS
    'internal: the foreign keys that a migration replaces, and what takes their place';

CREATE FUNCTION prefixed_ulid.migration_index(index oid, attnums smallint[], names name[])
    RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT format('USING %I (%s)', m.amname,
                  string_agg(item, ', ' ORDER BY at) FILTER (WHERE at <= i.indnkeyatts))
           || COALESCE(' INCLUDE (' || string_agg(item, ', ' ORDER BY at)
                                       FILTER (WHERE at > i.indnkeyatts) || ')', '')
           || CASE WHEN i.indnullsnotdistinct THEN ' NULLS NOT DISTINCT' ELSE '' END
           || COALESCE(' WHERE ' || pg_get_expr(i.indpred, i.indrelid), '')
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_am m ON m.oid = c.relam
    CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, at)
    JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
    LEFT JOIN pg_opclass o ON o.oid = (i.indclass::oid[])[at - 1] AND NOT o.opcdefault
    LEFT JOIN pg_collation l ON l.oid = (i.indcollation::oid[])[at - 1] AND l.oid <> a.attcollation
    CROSS JOIN LATERAL (
        SELECT CASE WHEN k.attnum = ANY (attnums)
                    THEN format('%I', names[array_position(attnums, k.attnum)])
                    ELSE format('%I', a.attname)
                         || CASE WHEN l.oid IS NULL THEN '' ELSE format(
                                ' COLLATE %s.%I', l.collnamespace::regnamespace, l.collname) END
                         || CASE WHEN o.oid IS NULL THEN '' ELSE format(
                                ' %s.%I', o.opcnamespace::regnamespace, o.opcname) END
               END
               || CASE WHEN m.amname <> 'btree' OR at > i.indnkeyatts THEN ''
                       ELSE (ARRAY['', ' DESC NULLS LAST', ' NULLS FIRST', ' DESC'])
                            [(i.indoption::int2[])[at - 1] + 1] END) AS s(item)
    WHERE i.indexrelid = index
    GROUP BY m.amname, i.indnkeyatts, i.indnullsnotdistinct, i.indpred, i.indrelid
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_index(oid, smallint[], name[]) IS
    'internal: the definition of an index with some of its columns replaced';

CREATE FUNCTION prefixed_ulid.migration_indexes(relation regclass, attnums smallint[])
    RETURNS TABLE (index oid, name name, new name, is_unique boolean, is_plain boolean,
                   kind text, timing text)
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT i.indexrelid, c.relname, prefixed_ulid.migration_name(c.relname, '_new'), i.indisunique,
           m.amname IN ('btree', 'hash') AND i.indexprs IS NULL
           AND NOT EXISTS (SELECT FROM unnest(attnums) AS n
                           WHERE i.indpred::text LIKE '%:varattno ' || n || ' %'),
           CASE x.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' END,
           CASE WHEN x.condeferrable THEN ' DEFERRABLE' ELSE '' END
           || CASE WHEN x.condeferred THEN ' INITIALLY DEFERRED' ELSE '' END
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_am m ON m.oid = c.relam
    LEFT JOIN pg_constraint x ON x.conindid = i.indexrelid AND x.conrelid = i.indrelid
                             AND x.contype IN ('p', 'u', 'x')
    WHERE i.indrelid = relation AND i.indisvalid AND i.indkey::int2[] && attnums
    ORDER BY NOT i.indisprimary, c.relname
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_indexes(regclass, smallint[]) IS
    'internal: the indexes on columns that a migration replaces, plain if they can be made anew';

-- Whatever else depends on a column stays with it when it is renamed.
CREATE FUNCTION prefixed_ulid.migration_dependents(relation regclass, attnum smallint)
    RETURNS SETOF text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid)
    FROM pg_depend d
    WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid = relation
      AND d.refobjsubid = attnum
      AND CASE d.classid
          WHEN 'pg_constraint'::regclass THEN EXISTS (
              SELECT FROM pg_constraint c WHERE c.oid = d.objid AND c.contype IN ('c', 'x'))
          WHEN 'pg_class'::regclass THEN EXISTS (
              SELECT FROM prefixed_ulid.migration_indexes(relation, ARRAY[attnum]) i
              WHERE i.index = d.objid AND NOT i.is_plain)
              OR EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = d.objid
                         AND NOT attnum = ANY (i.indkey::int2[]))
          WHEN 'pg_attrdef'::regclass THEN NOT EXISTS (
              SELECT FROM pg_attrdef f
              WHERE f.oid = d.objid AND f.adrelid = relation AND f.adnum = attnum)
          WHEN 'pg_trigger'::regclass THEN EXISTS (
              SELECT FROM pg_trigger g WHERE g.oid = d.objid AND NOT g.tgisinternal)
          ELSE true END
    ORDER BY 1
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_dependents(regclass, smallint) IS
    'internal: what depends on a column and is not replaced by a migration';

CREATE FUNCTION prefixed_ulid.migration_key(parent regclass, key_column name) RETURNS smallint
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    relation pg_class;
    keys name[];
    key pg_attribute;
BEGIN
    SELECT * INTO relation FROM pg_class WHERE oid = parent;
    IF relation.oid IS NULL OR relation.relkind NOT IN ('r', 'p') THEN
        RAISE wrong_object_type USING MESSAGE = format('%s is not a table', parent);
    ELSIF NOT pg_has_role(relation.relowner, 'USAGE') THEN
        RAISE insufficient_privilege USING MESSAGE = format('must be owner of table %s', parent);
    ELSIF relation.relkind = 'p' THEN
        RAISE feature_not_supported USING
            MESSAGE = format('cannot plan the migration of partitioned table %s', parent),
            DETAIL = 'The primary key of a partitioned table contains its partition key, and no '
                     'index of it can become a primary key without a lock for the whole time.',
            HINT = 'Move the rows to a new table that is partitioned by ranges of its pulid key.';
    ELSIF EXISTS (SELECT FROM pg_inherits WHERE parent IN (inhrelid, inhparent)) THEN
        RAISE feature_not_supported USING
            MESSAGE = format('cannot plan the migration of table %s, which inherits or is '
                             'inherited from', parent),
            HINT = 'A partition does not have a key of its own; name an ordinary table.';
    END IF;
    SELECT array_agg(a.attname ORDER BY k.at) INTO keys
    FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, at)
    JOIN pg_attribute a ON true
    WHERE i.indrelid = parent AND i.indisprimary AND k.at <= i.indnkeyatts
      AND a.attrelid = parent AND a.attnum = k.attnum;
    IF keys IS NULL THEN
        RAISE invalid_table_definition USING
            MESSAGE = format('table %s has no primary key', parent),
            HINT = 'Add one, or a pulid column by hand and CALL prefixed_ulid.backfill.';
    ELSIF cardinality(keys) > 1 AND key_column IS NULL THEN
        RAISE invalid_parameter_value USING
            MESSAGE = format('the primary key of table %s has %s columns', parent,
                             cardinality(keys)),
            HINT = format('Say which of them gets the new ids: key_column => %s.',
                          (SELECT string_agg(quote_literal(k), ' or ') FROM unnest(keys) AS k));
    ELSIF key_column <> ALL (keys) THEN
        RAISE invalid_parameter_value USING
            MESSAGE = format('column "%s" is not in the primary key of table %s', key_column,
                             parent);
    END IF;
    SELECT * INTO key FROM pg_attribute
    WHERE attrelid = parent AND attname = COALESCE(key_column, keys[1]);
    IF key.atttypid NOT IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'uuid'::regtype,
                            'text'::regtype, 'varchar'::regtype)
    THEN
        RAISE datatype_mismatch USING
            MESSAGE = format('cannot plan the migration of column "%s" of type %s', key.attname,
                             format_type(key.atttypid, key.atttypmod)),
            HINT = 'A key that is to become a pulid is an integer, a uuid, text or varchar.';
    ELSIF EXISTS (SELECT FROM pg_constraint
                  WHERE conrelid = parent AND contype = 'f' AND key.attnum = ANY (conkey))
    THEN
        RAISE feature_not_supported USING
            MESSAGE = format('column "%s" of table %s is itself a foreign key', key.attname,
                             parent),
            HINT = 'Migrate the table that it references; this one follows.';
    END IF;
    RETURN key.attnum;
END $$;
COMMENT ON FUNCTION prefixed_ulid.migration_key(regclass, name) IS
    'internal: the column to be replaced, after a check of what migration_plan was given';

CREATE FUNCTION prefixed_ulid.migration_check(
    relation regclass, attnum smallint, new name, old name, parent regclass, key smallint
) RETURNS void
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    is_key boolean := relation = parent AND attnum = key;
    column_name name := (SELECT a.attname FROM pg_attribute a
                         WHERE a.attrelid = relation AND a.attnum = migration_check.attnum);
    taken name;
    other record;
BEGIN
    IF NOT (SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid =
        migration_check.relation) THEN
        RAISE insufficient_privilege USING
            MESSAGE = format('must be owner of table %s', migration_check.relation);
    END IF;
    SELECT attname INTO taken FROM pg_attribute
    WHERE attrelid = migration_check.relation AND attname IN (migration_check.new,
        migration_check.old) AND NOT attisdropped;
    IF taken IS NOT NULL THEN
        RAISE duplicate_column USING
            MESSAGE = format('column "%s" of table %s already exists', taken,
                migration_check.relation),
            HINT = 'The migration needs this name; rename the column, or undo a migration that '
                   'was begun before.';
    END IF;
    -- Foreign keys that lead on from the column, or to it, other than those that are replaced.
    SELECT c.conname, c.conrelid::regclass AS relation INTO other
    FROM pg_constraint c
    WHERE c.contype = 'f' AND c.conparentid = 0 AND NOT is_key
      AND (c.conrelid = migration_check.relation AND migration_check.attnum = ANY (c.conkey)
           AND NOT EXISTS (SELECT FROM unnest(c.conkey, c.confkey) AS k(attnum, key)
                           WHERE c.confrelid = migration_check.parent AND k.attnum =
                               migration_check.attnum
                             AND k.key = migration_check.key)
           OR c.confrelid = migration_check.relation AND migration_check.attnum = ANY (c.confkey))
    LIMIT 1;
    IF other.conname IS NOT NULL THEN
        RAISE feature_not_supported USING
            MESSAGE = format('cannot plan the migration of column "%s" of table %s',
                             column_name, migration_check.relation),
            DETAIL = format('Foreign key "%s" of table %s depends on it as well.', other.conname,
                            other.relation),
            HINT = 'Drop that foreign key, or let it depend on a key of its own, and plan again.';
    END IF;
    IF EXISTS (SELECT FROM pg_partitioned_table
               WHERE partrelid = migration_check.relation AND migration_check.attnum = ANY
                   (partattrs::int2[]))
       OR EXISTS (SELECT FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
                  WHERE i.indrelid = migration_check.relation AND c.relkind = 'p' AND i.indisunique
                    AND migration_check.attnum = ANY (i.indkey::int2[]))
    THEN
        RAISE feature_not_supported USING
            MESSAGE = format('cannot plan the migration of column "%s" of partitioned table %s',
                             column_name, migration_check.relation),
            DETAIL = 'The column is in the partition key or in a unique index.',
            HINT = 'Move the rows to a new table that has the new ids, or drop that index.';
    END IF;
END $$;
COMMENT ON FUNCTION prefixed_ulid.migration_check(regclass, smallint, name, name, regclass,
    smallint) IS
    'internal: refuses what a migration cannot replace';
