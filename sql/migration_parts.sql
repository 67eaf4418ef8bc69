--
-- The parts of which the script of a cut-over is made
--

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
            statement := prefixed_ulid.migration_brief(
                format('ALTER INDEX %s.%I ATTACH PARTITION %s.%I;', part.parent_space,
                       part.parent_index, part.space, part.index));
            lock := format('ACCESS EXCLUSIVE on the index of %s, briefly', part.relation);
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
