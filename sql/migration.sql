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
        RAISE wrong_object_type USING MESSAGE = format('"%s" is not a table', parent);
    ELSIF NOT pg_has_role(relation.relowner, 'USAGE') THEN
        RAISE insufficient_privilege USING MESSAGE = format('must be owner of table "%s"', parent);
    ELSIF relation.relkind = 'p' THEN
        RAISE feature_not_supported USING
            MESSAGE = format('cannot plan the migration of partitioned table "%s"', parent),
            DETAIL = 'The primary key of a partitioned table contains its partition key, and no '
                     'index of it can become a primary key without a lock for the whole time.',
            HINT = 'Move the rows to a new table that is partitioned by ranges of its pulid key.';
    ELSIF EXISTS (SELECT FROM pg_inherits WHERE parent IN (inhrelid, inhparent)) THEN
        RAISE feature_not_supported USING
            MESSAGE = format('cannot plan the migration of table "%s", which inherits or is '
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
            MESSAGE = format('table "%s" has no primary key', parent),
            HINT = 'Add one, or a pulid column by hand and CALL prefixed_ulid.backfill.';
    ELSIF cardinality(keys) > 1 AND key_column IS NULL THEN
        RAISE invalid_parameter_value USING
            MESSAGE = format('the primary key of table "%s" has %s columns', parent,
                             cardinality(keys)),
            HINT = format('Say which of them gets the new ids: key_column => %s.',
                          (SELECT string_agg(quote_literal(k), ' or ') FROM unnest(keys) AS k));
    ELSIF key_column <> ALL (keys) THEN
        RAISE invalid_parameter_value USING
            MESSAGE = format('column "%s" is not in the primary key of table "%s"', key_column,
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
            MESSAGE = format('column "%s" of table "%s" is itself a foreign key', key.attname,
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
            MESSAGE = format('must be owner of table "%s"', migration_check.relation);
    END IF;
    SELECT attname INTO taken FROM pg_attribute
    WHERE attrelid = migration_check.relation AND attname IN (migration_check.new,
        migration_check.old) AND NOT attisdropped;
    IF taken IS NOT NULL THEN
        RAISE duplicate_column USING
            MESSAGE = format('column "%s" of table "%s" already exists', taken,
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
            MESSAGE = format('cannot plan the migration of column "%s" of table "%s"',
                             column_name, migration_check.relation),
            DETAIL = format('Foreign key "%s" of table "%s" depends on it as well.', other.conname,
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
            MESSAGE = format('cannot plan the migration of column "%s" of partitioned table "%s"',
                             column_name, migration_check.relation),
            DETAIL = 'The column is in the partition key or in a unique index.',
            HINT = 'Move the rows to a new table that has the new ids, or drop that index.';
    END IF;
END $$;
COMMENT ON FUNCTION prefixed_ulid.migration_check(regclass, smallint, name, name, regclass,
    smallint) IS
    'internal: refuses what a migration cannot replace';

-- Before the swap the old column leads, after it the new one. A lookup needs the rights of the
-- table's owner, as that of a foreign key. At depth 2 it is a foreign key of the column that
-- follows
-- that sets it to null.
CREATE FUNCTION prefixed_ulid.migration_sync(
    verb text, name text, leader name, follower name, value text, is_definer boolean
) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT format(
        $f$%s FUNCTION %s() RETURNS trigger
    LANGUAGE plpgsql %sSET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    IF TG_OP = 'INSERT' OR NEW.%4$I IS DISTINCT FROM OLD.%4$I THEN
        NEW.%5$I := CASE WHEN NEW.%4$I IS NOT NULL THEN %6$s END;
    ELSIF pg_trigger_depth() > 1 AND NEW.%5$I IS NULL AND OLD.%5$I IS NOT NULL THEN
        NEW.%4$I := NULL;
    END IF;
    RETURN NEW;
END $body$;$f$,
        verb, name, CASE WHEN is_definer THEN 'SECURITY DEFINER ' ELSE '' END, leader, follower,
        value)
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_sync(text, text, name, name, text, boolean) IS
    'internal: the trigger function that derives one column from another';

-- A row of a deferrable key, or of a table that references itself, may come before the row that it
-- references: this one mends it as the transaction ends. A transaction with an old snapshot might
-- not see the id that there is, and must not lose its reference.
CREATE FUNCTION prefixed_ulid.migration_late(
    name text, trigger name, parent regclass, value name, relation regclass, leader name,
    follower name, match text, match_row text, is_guarded boolean
) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT format(
        $f$CREATE FUNCTION %1$s() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $body$
BEGIN
    UPDATE %2$s AS c SET %3$I = p.%4$I FROM %5$s AS p
    WHERE %6$s AND %7$s AND c.%3$I IS NULL;%8$s
    RETURN NULL;
END $body$;
CREATE CONSTRAINT TRIGGER %9$I AFTER INSERT OR UPDATE ON %2$s
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW.%3$I IS NULL AND NEW.%10$I IS NOT NULL) EXECUTE FUNCTION %1$s();$f$,
        name, relation, follower, value, parent, match_row, match,
        CASE WHEN is_guarded THEN format($f$
    IF EXISTS (SELECT FROM %s AS p WHERE %s AND p.%I IS NULL) THEN
        RAISE serialization_failure USING
            MESSAGE = 'could not see the new id of the referenced row';
    END IF;$f$, parent, match, value) ELSE '' END, trigger, leader)
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_late(
    text, name, regclass, name, regclass, name, name, text, text, boolean) IS
    'internal: the trigger for rows that came before the row that they reference';

CREATE FUNCTION prefixed_ulid.migration_not_null(relation regclass, "column" name, phase text)
    RETURNS TABLE (phase_ text, statement text, lock text, undo text, note text)
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT phase, s.statement, s.lock, s.undo, s.note
    FROM (SELECT prefixed_ulid.migration_name("column", '_not_null')) AS c(name),
    LATERAL (VALUES
        (prefixed_ulid.migration_brief(
             format('ALTER TABLE %s ADD CONSTRAINT %I CHECK (%I IS NOT NULL) NOT VALID;',
                    relation, c.name, "column")),
         format('ACCESS EXCLUSIVE on %s, briefly', relation),
         format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', relation, c.name),
         'From here on no row comes without a value.'),
        (format('ALTER TABLE %s VALIDATE CONSTRAINT %I;', relation, c.name),
         format('SHARE UPDATE EXCLUSIVE on %s while it is read', relation),
         '-- nothing to undo',
         'If it fails, fill the column once more.'),
        (prefixed_ulid.migration_brief(
             format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL, DROP CONSTRAINT %I;',
                    relation, "column", c.name)),
         format('ACCESS EXCLUSIVE on %s, briefly', relation),
         format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL;', relation, "column"),
         'The validated CHECK spares the scan of the table.'))
        AS s(statement, lock, undo, note)
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_not_null(regclass, name, text) IS
    'internal: the steps that make a column NOT NULL without a long lock';

CREATE FUNCTION prefixed_ulid.migration_new_index(
    relation regclass, index oid, new name, attnums smallint[], names name[]
)
    RETURNS TABLE (phase text, statement text, lock text, undo text, note text)
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    definition text := prefixed_ulid.migration_index(index, attnums, names);
    unique_ text := (SELECT CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END
                     FROM pg_index WHERE indexrelid = index);
    root_space text := (SELECT relnamespace::regnamespace FROM pg_class WHERE oid = relation);
    part record;
BEGIN
    FOR part IN
        SELECT c.oid::regclass AS relation, t.level, t.isleaf, c.relnamespace::regnamespace AS
            space,
               CASE t.level WHEN 0 THEN new
                    ELSE prefixed_ulid.migration_name((c.relname || '_' || new)::name, '') END
               AS index, parent.relname AS parent, parent.relnamespace::regnamespace AS
                   parent_space,
               CASE t.level WHEN 1 THEN new
                    ELSE prefixed_ulid.migration_name((parent.relname || '_' || new)::name, '') END
               AS parent_index
        FROM (SELECT * FROM pg_partition_tree(relation)
              UNION SELECT relation, NULL, true, 0) AS t(oid, parent_oid, isleaf, level)
        JOIN pg_class c ON c.oid = t.oid
        LEFT JOIN pg_class parent ON parent.oid = t.parent_oid
        WHERE t.level > 0 OR t.isleaf = (c.relkind = 'r')
        ORDER BY t.level, c.relname
    LOOP
        IF part.isleaf THEN
            statement := format('CREATE %sINDEX CONCURRENTLY %I ON %s %s;', unique_, part.index,
                                part.relation, definition);
            lock := format('SHARE UPDATE EXCLUSIVE on %s while it is read', part.relation);
            note := 'Not in a transaction block. If it fails, undo it and repeat it.';
        ELSE
            statement := prefixed_ulid.migration_brief(
                format('CREATE %sINDEX %I ON ONLY %s %s;', unique_, part.index, part.relation,
                       definition));
            lock := format('SHARE on %s, briefly', part.relation);
            note := 'It becomes valid when the last partition has it.';
        END IF;
        phase := 'constrain';
        -- What is attached goes with the index of the root.
        undo := CASE WHEN part.level > 0
                     THEN format(E'DROP INDEX IF EXISTS %s.%I;\nDROP INDEX IF EXISTS %s.%I;',
                                 root_space, new, part.space, part.index)
                     ELSE format('DROP INDEX %sIF EXISTS %s.%I;',
                                 CASE WHEN part.isleaf THEN 'CONCURRENTLY ' ELSE '' END,
                                 part.space, part.index) END;
        RETURN NEXT;
        IF part.level > 0 THEN
            statement := format('ALTER INDEX %s.%I ATTACH PARTITION %s.%I;', part.parent_space,
                                part.parent_index, part.space, part.index);
            lock := format('SHARE UPDATE EXCLUSIVE on the index of %s, briefly', part.relation);
            undo := '-- nothing to undo';
            note := NULL;
            RETURN NEXT;
        END IF;
    END LOOP;
END $$;
COMMENT ON FUNCTION prefixed_ulid.migration_new_index(regclass, oid, name, smallint[], name[]) IS
    'internal: the steps that build an index again over new columns';

CREATE FUNCTION prefixed_ulid.migration_new_key(
    parent regclass, relation regclass, name name, definition text, is_partitioned boolean
)
    RETURNS TABLE (phase text, statement text, lock text, undo text, note text)
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT 'constrain', s.statement, s.lock, s.undo, s.note
    FROM (SELECT relation AS part WHERE NOT is_partitioned
          UNION ALL SELECT t.relid FROM pg_partition_tree(relation) AS t WHERE t.isleaf) AS p,
    LATERAL (VALUES
        (prefixed_ulid.migration_brief(
             format('ALTER TABLE %s ADD CONSTRAINT %I %s NOT VALID;', part, name, definition)),
         format('SHARE ROW EXCLUSIVE on %s and %s, briefly', part, parent),
         format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', part, name),
         'From here on no row comes without the row that it references.'),
        (format('ALTER TABLE %s VALIDATE CONSTRAINT %I;', part, name),
         format('SHARE UPDATE EXCLUSIVE on %s, ROW SHARE on %s, while it is read', part, parent),
         '-- nothing to undo', NULL)) AS s(statement, lock, undo, note)
    UNION ALL
    SELECT 'constrain',
           prefixed_ulid.migration_brief(
               format('ALTER TABLE %s ADD CONSTRAINT %I %s;', relation, name, definition)),
           format('SHARE ROW EXCLUSIVE on %s, its partitions and %s, briefly', relation, parent),
           format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', relation, name),
           'The partitions have this key already, so nothing is read.'
    WHERE is_partitioned
$$;
COMMENT ON FUNCTION
    prefixed_ulid.migration_new_key(regclass, regclass, name, text, boolean) IS
    'internal: the steps that add a foreign key without a long lock';
