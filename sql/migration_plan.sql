--
-- The script of a cut-over, put together
--

CREATE FUNCTION prefixed_ulid.migration_steps(
    parent regclass, prefix text, key_column name, created_at name
)
    RETURNS TABLE (phase text, statement text, lock text, undo text, note text)
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    key smallint := prefixed_ulid.migration_key(parent, key_column);
    -- New ids are the old values in another form, or else they are made and looked up.
    by_value boolean;
    to_new text;
    to_old text;
    type text;
    generator text := format('pulid_generate(%L)', prefix);
    k record;
    col record;
    part record;
    idx record;
    ref record;
    relations regclass[];
    sync text;
    late text;
    late_drop text;
    swap text[] := '{}';
    swap_keys text[] := '{}';
    swap_names text[] := '{}';
    swap_end text[] := '{}';
    back_first text := '';
    back text[] := '{}';
    back_keys text[] := '{}';
    back_names text[] := '{}';
    back_end text[] := '{}';
    back_last text := '';
    dependents text;
    final text[];
BEGIN
    PERFORM pulid_min(prefix);
    SELECT created_at IS NULL AND a.atttypid IN ('uuid'::regtype, 'text'::regtype,
                                                 'varchar'::regtype),
           CASE WHEN a.atttypid = 'uuid'::regtype
                THEN format('pg_catalog.pulid_from_uuid(%L, %%s)', prefix)
                ELSE format('pg_catalog.pulid_parse(%%s, %L)', prefix) END,
           CASE WHEN a.atttypid = 'uuid'::regtype THEN 'pg_catalog.pulid_uuid(%s)'
                ELSE 'pg_catalog.pulid_text(%s)' END,
           CASE WHEN octet_length(prefix) > 6 THEN 'pulid' ELSE format('pulid(%L)', prefix) END
    INTO by_value, to_new, to_old, type
    FROM pg_attribute a WHERE a.attrelid = parent AND a.attnum = key;
    IF NOT by_value THEN
        created_at := COALESCE(created_at, 'created_at');
        PERFORM prefixed_ulid.backfill_instant(parent, created_at);
    END IF;
    SELECT * INTO k FROM prefixed_ulid.migration_columns(parent, key, NOT by_value) WHERE is_key;

    FOR col IN SELECT * FROM prefixed_ulid.migration_columns(parent, key, NOT by_value) LOOP
        PERFORM prefixed_ulid.migration_check(col.relation, col.attnum, col.new, col.old, parent,
                                              key);
        IF by_value AND to_old LIKE '%pulid_text%' THEN
            RETURN QUERY VALUES (
                'prepare',
                format('SELECT * FROM prefixed_ulid.check_text(%L, %L, %L);', col.relation,
                       col."column", prefix),
                format('ACCESS SHARE on %s', col.relation), '-- nothing to undo',
                'Rows that it returns would not convert; mend them first.');
        END IF;
    END LOOP;

    -- For each column, the parent's first: add it, keep it in step, fill it, make it NOT NULL. So
    -- the parent has all its ids when the first child looks for one.
    FOR col IN
        SELECT c.*, r.relname, r.relnamespace::regnamespace AS space,
               format('%s.%I', r.relnamespace::regnamespace, prefixed_ulid.migration_name(
                   (r.relname || '_' || c."column")::name, '_sync')) AS sync,
               -- BEFORE triggers fire in the order of their names, and this one should see what
               -- the others made of the row.
               prefixed_ulid.migration_name(('zz_' || c."column")::name, '_sync') AS trigger,
               format('%s.%I', r.relnamespace::regnamespace, prefixed_ulid.migration_name(
                   (r.relname || '_' || c."column")::name, '_late')) AS late,
               prefixed_ulid.migration_name(('zz_' || c."column")::name, '_late') AS late_trigger,
               prefixed_ulid.migration_name(c.new, '_prefix') AS prefix_check,
               prefixed_ulid.migration_name(c.new, '_in_step') AS in_step
        FROM prefixed_ulid.migration_columns(parent, key, NOT by_value) AS c
        JOIN pg_class r ON r.oid = c.relation
    LOOP
        statement := format('ALTER TABLE %s ADD COLUMN %I %s', col.relation, col.new, type)
            || CASE WHEN octet_length(prefix) > 6
                    THEN format(E',\n    ADD CONSTRAINT %I CHECK (pulid_has_prefix(%I, %L)) '
                                'NOT VALID', col.prefix_check, col.new, prefix)
                    ELSE '' END || ';';
        undo := format('ALTER TABLE %s DROP COLUMN %I;', col.relation, col.new);
        lock := format('ACCESS EXCLUSIVE on %s, briefly', col.relation);
        IF col.is_key AND NOT by_value THEN
            RETURN QUERY VALUES
                ('prepare', prefixed_ulid.migration_brief(statement), lock, undo,
                 'Without a default: with one, PostgreSQL would rewrite the whole table.'),
                ('prepare',
                 prefixed_ulid.migration_brief(format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT '
                                                      '%s;', col.relation, col.new, generator)),
                 lock,
                 format('ALTER TABLE %s ALTER COLUMN %I DROP DEFAULT;', col.relation, col.new),
                 'From here on new rows have an id.');
        ELSE
            sync := CASE
                WHEN by_value THEN format(to_new, format('NEW.%I', col."column"))
                ELSE format('(SELECT p.%I FROM %s AS p WHERE %s)', k.new, parent,
                            prefixed_ulid.migration_match(col.columns, col.keys, 'NEW')) END;
            late := '';
            late_drop := '';
            IF col.is_late THEN
                late := E'\n' || prefixed_ulid.migration_late(
                    col.late, col.late_trigger, parent, k.new, col.relation, col."column", col.new,
                    prefixed_ulid.migration_match(col.columns, col.keys, 'NEW'),
                    prefixed_ulid.migration_match(col.columns, col.keys, 'c'), true);
                late_drop := format(E'\nDROP TRIGGER %I ON %s;\nDROP FUNCTION %s();',
                                    col.late_trigger, col.relation, col.late);
                swap := swap || ltrim(late_drop, E'\n');
                swap_end := swap_end || prefixed_ulid.migration_late(
                    col.late, col.late_trigger, parent, k.old, col.relation, col."column", col.old,
                    prefixed_ulid.migration_match(col.columns, col.keys, 'NEW'),
                    prefixed_ulid.migration_match(col.columns, col.keys, 'c'), false);
                back := back || ltrim(late_drop, E'\n');
                back_end := back_end || ltrim(late, E'\n');
            END IF;
            RETURN QUERY VALUES
                ('prepare', prefixed_ulid.migration_brief(statement), lock, undo, NULL),
                ('prepare',
                 prefixed_ulid.migration_brief(
                     prefixed_ulid.migration_sync('CREATE', col.sync, col."column", col.new, sync,
                                                  NOT by_value),
                     format(E'CREATE TRIGGER %I BEFORE INSERT OR UPDATE ON %s\n    FOR EACH ROW '
                            'EXECUTE FUNCTION %s();', col.trigger, col.relation, col.sync) || late),
                 format('SHARE ROW EXCLUSIVE on %s, briefly', col.relation),
                 format(E'DROP TRIGGER %I ON %s;\nDROP FUNCTION %s();', col.trigger, col.relation,
                        col.sync) || late_drop,
                 'From here on the new column follows the old one.');
            swap_end := swap_end || prefixed_ulid.migration_sync(
                'CREATE OR REPLACE', col.sync, col."column", col.old,
                CASE WHEN by_value THEN format(to_old, format('NEW.%I', col."column"))
                     ELSE format('(SELECT p.%I FROM %s AS p WHERE %s)', k.old, parent,
                                 prefixed_ulid.migration_match(col.columns, col.keys, 'NEW')) END,
                NOT by_value);
            back_end := back_end || prefixed_ulid.migration_sync(
                'CREATE OR REPLACE', col.sync, col."column", col.new, sync, NOT by_value);
        END IF;

        SELECT string_agg(quote_ident(tgname), ', ' ORDER BY tgname) INTO dependents
        FROM pg_trigger
        WHERE tgrelid = col.relation AND NOT tgisinternal AND tgtype & 16 <> 0;
        RETURN QUERY VALUES (
            'fill',
            CASE WHEN col.is_key AND NOT by_value
                 THEN format('CALL prefixed_ulid.backfill(%L, %L, %L, created_at => %L);',
                             col.relation, col.new, prefix, created_at)
                 ELSE format(
                     'CALL prefixed_ulid.backfill_expression(%L, %L, %L, %L);', col.relation,
                     col.new,
                     CASE WHEN by_value THEN format(to_new, format('t.%I', col."column"))
                          ELSE format('(SELECT p.%I FROM %s AS p WHERE %s)', k.new, parent,
                                      prefixed_ulid.migration_match(col.columns, col.keys, 't'))
                     END,
                     (SELECT string_agg(format('t.%I IS NOT NULL', name), ' AND ')
                      FROM unnest(COALESCE(NULLIF(col.columns, '{}'), ARRAY[col."column"]))
                           AS name)) END,
            format('ROW EXCLUSIVE on %s; row locks, for a batch at a time', col.relation),
            '-- nothing to undo',
            'Not in a transaction block. May be killed and repeated.'
            || COALESCE(' These triggers fire for each row: ' || dependents || '.', ''));

        IF octet_length(prefix) > 6 THEN
            RETURN QUERY VALUES (
                'constrain', format('ALTER TABLE %s VALIDATE CONSTRAINT %I;', col.relation,
                                    col.prefix_check),
                format('SHARE UPDATE EXCLUSIVE on %s while it is read', col.relation),
                '-- nothing to undo', NULL);
        END IF;
        IF col.is_key OR (col.is_required AND NOT col.is_late) THEN
            RETURN QUERY SELECT * FROM prefixed_ulid.migration_not_null(col.relation, col.new,
                                                                        'constrain');
        ELSIF NOT col.is_late THEN
            RETURN QUERY VALUES
                ('constrain',
                 prefixed_ulid.migration_brief(format(
                     'ALTER TABLE %s ADD CONSTRAINT %I CHECK (%s OR %I IS NOT NULL) NOT VALID;',
                     col.relation, col.in_step,
                     (SELECT string_agg(format('%I IS NULL', name), ' OR ')
                      FROM unnest(col.columns) AS name), col.new)),
                 format('ACCESS EXCLUSIVE on %s, briefly', col.relation),
                 format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', col.relation, col.in_step),
                 'From here on no reference is lost.'),
                ('constrain',
                 format('ALTER TABLE %s VALIDATE CONSTRAINT %I;', col.relation, col.in_step),
                 format('SHARE UPDATE EXCLUSIVE on %s while it is read', col.relation),
                 '-- nothing to undo', 'If it fails, fill the column once more.');
        END IF;

        IF col.is_required AND NOT (col.is_key AND col.is_default) THEN
            swap_names := format('ALTER TABLE %s ALTER COLUMN %I DROP NOT NULL;', col.relation,
                                 col."column") || swap_names;
            back_end := back_end || format('ALTER TABLE %s ALTER COLUMN %I SET NOT NULL;',
                                           col.relation, col."column");
        END IF;
        swap_names := swap_names
            || format('ALTER TABLE %s RENAME COLUMN %I TO %I;', col.relation, col."column", col.old)
            || format('ALTER TABLE %s RENAME COLUMN %I TO %I;', col.relation, col.new,
                col."column");
        back_names := back_names
            || format('ALTER TABLE %s RENAME COLUMN %I TO %I;', col.relation, col."column", col.new)
            || format('ALTER TABLE %s RENAME COLUMN %I TO %I;', col.relation, col.old,
                col."column");
        IF col.is_key AND by_value THEN
            swap_end := swap_end || format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s;',
                                           col.relation, col."column", generator);
            back := back || format('ALTER TABLE %s ALTER COLUMN %I DROP DEFAULT;', col.relation,
                                   col."column");
        END IF;
    END LOOP;

    SELECT array_agg(DISTINCT c.relation) INTO relations
    FROM prefixed_ulid.migration_columns(parent, key, NOT by_value) AS c;
    relations := parent || array_remove(relations, parent);

    -- Indexes on old columns are built again on the new ones; foreign keys need those of the
    -- parent.
    FOR part IN
        SELECT c.relation, array_agg(c.attnum) AS attnums, array_agg(c.new) AS news,
               array_agg(c.old) AS olds
        FROM prefixed_ulid.migration_columns(parent, key, NOT by_value) AS c
        GROUP BY c.relation ORDER BY c.relation <> parent, c.relation::text
    LOOP
        FOR idx IN
            SELECT i.*, c.relnamespace::regnamespace AS space,
                   prefixed_ulid.migration_name(i.name, '_old') AS back
            FROM prefixed_ulid.migration_indexes(part.relation, part.attnums) AS i
            JOIN pg_class c ON c.oid = i.index
            WHERE i.is_plain
        LOOP
            RETURN QUERY SELECT * FROM prefixed_ulid.migration_new_index(
                part.relation, idx.index, idx.new, part.attnums, part.news);
            IF idx.kind IS NOT NULL THEN
                swap_keys := swap_keys || format('ALTER TABLE %s DROP CONSTRAINT %I;',
                                                 part.relation, idx.name);
                swap_end := format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I%s;',
                                   part.relation, idx.name, idx.kind, idx.new, idx.timing)
                    || swap_end;
                back_first := back_first || format(
                    E'CREATE UNIQUE INDEX CONCURRENTLY %I ON %s %s;\n', idx.back, part.relation,
                    prefixed_ulid.migration_index(idx.index, part.attnums, part.olds));
                back_keys := back_keys || format('ALTER TABLE %s DROP CONSTRAINT %I;',
                                                 part.relation, idx.name);
                back_end := format('ALTER TABLE %s ADD CONSTRAINT %I %s USING INDEX %I%s;',
                                   part.relation, idx.name, idx.kind, idx.back, idx.timing)
                    || back_end;
            END IF;
        END LOOP;
    END LOOP;

    FOR ref IN SELECT * FROM prefixed_ulid.migration_keys(parent, key) LOOP
        RETURN QUERY SELECT * FROM prefixed_ulid.migration_new_key(
            parent, ref.relation, ref.new, ref.definition, ref.is_partitioned);
        swap := format('ALTER TABLE %s DROP CONSTRAINT %I;', ref.relation, ref.name) || swap;
        FOR part IN SELECT ref.relation
                    UNION SELECT relid FROM pg_partition_tree(ref.relation) LOOP
            swap_end := swap_end || format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I;',
                                           part.relation, ref.new, ref.name);
        END LOOP;
        back := format('ALTER TABLE %s DROP CONSTRAINT %I;', ref.relation, ref.name) || back;
        back_end := back_end
            || format('ALTER TABLE %s ADD CONSTRAINT %I %s%s;', ref.relation, ref.name,
                      regexp_replace(ref.old_definition, ' NOT VALID$', ''),
                      CASE WHEN ref.is_partitioned THEN '' ELSE ' NOT VALID' END);
        IF NOT ref.is_partitioned AND ref.old_definition NOT LIKE '% NOT VALID' THEN
            back_last := back_last || format(E'\nALTER TABLE %s VALIDATE CONSTRAINT %I;',
                                             ref.relation, ref.name);
        END IF;
    END LOOP;

    SELECT string_agg(format('%s (column %I of %s)', d, c."column", c.relation), ', ')
    INTO dependents
    FROM prefixed_ulid.migration_columns(parent, key, NOT by_value) AS c,
         prefixed_ulid.migration_dependents(c.relation, c.attnum) AS d;
    statement := format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE;',
                        array_to_string(relations, ', '));
    RETURN QUERY VALUES (
        'swap',
        prefixed_ulid.migration_brief(VARIADIC
            statement || swap || swap_keys || swap_names || swap_end),
        format('ACCESS EXCLUSIVE on %s, briefly', array_to_string(relations, ', ')),
        back_first || prefixed_ulid.migration_brief(VARIADIC
            statement || back || back_keys || back_names || back_end) || back_last,
        'From here on the application uses the new ids. The undo leads back to before the new '
        'indexes; rows that came meanwhile need an old value.'
        || COALESCE(' These stay with the old columns: ' || dependents || '.', ''));

    FOR col IN SELECT * FROM prefixed_ulid.migration_columns(parent, key, NOT by_value)
               WHERE is_late AND is_required LOOP
        RETURN QUERY SELECT * FROM prefixed_ulid.migration_not_null(col.relation, col."column",
                                                                    'settle');
    END LOOP;

    FOR part IN
        SELECT c.relation, array_agg(c.attnum) AS attnums,
               array_agg(format(E'DROP TRIGGER %I ON %s;\nDROP FUNCTION %s.%I();',
                                prefixed_ulid.migration_name(('zz_' || c."column")::name, '_sync'),
                                c.relation, r.relnamespace::regnamespace,
                                prefixed_ulid.migration_name(
                                    (r.relname || '_' || c."column")::name, '_sync')))
               FILTER (WHERE by_value OR NOT c.is_key)
               || array_agg(format(E'DROP TRIGGER %I ON %s;\nDROP FUNCTION %s.%I();',
                                   prefixed_ulid.migration_name(('zz_' || c."column")::name,
                                       '_late'),
                                   c.relation, r.relnamespace::regnamespace,
                                   prefixed_ulid.migration_name(
                                       (r.relname || '_' || c."column")::name, '_late')))
               FILTER (WHERE c.is_late) AS functions,
               string_agg(format('DROP COLUMN %I', c.old), ', ') AS columns
        FROM prefixed_ulid.migration_columns(parent, key, NOT by_value) AS c
        JOIN pg_class r ON r.oid = c.relation
        GROUP BY c.relation ORDER BY c.relation = parent, c.relation::text
    LOOP
        final := COALESCE(part.functions, '{}')
            || format('ALTER TABLE %s %s;', part.relation, part.columns);
        FOR idx IN
            SELECT i.name, i.new, c.relnamespace::regnamespace AS space
            FROM prefixed_ulid.migration_indexes(part.relation, part.attnums) AS i
            JOIN pg_class c ON c.oid = i.index
            WHERE i.is_plain AND i.kind IS NULL
        LOOP
            final := final || format('ALTER INDEX %s.%I RENAME TO %I;', idx.space, idx.new,
                                     idx.name);
        END LOOP;
        RETURN QUERY VALUES (
            'drop', prefixed_ulid.migration_brief(VARIADIC final),
            format('ACCESS EXCLUSIVE on %s, briefly', part.relation),
            '-- cannot be undone: the old values are gone',
            'In a later release, when nothing reads the old columns any more.'
            || COALESCE((SELECT ' Drop or redefine first: ' || string_agg(d, ', ') || '.'
                         FROM unnest(part.attnums) AS n,
                              prefixed_ulid.migration_dependents(part.relation, n) AS d), ''));
    END LOOP;
END $$;
COMMENT ON FUNCTION prefixed_ulid.migration_steps(regclass, text, name, name) IS
    'internal: the steps of migration_plan';

CREATE FUNCTION prefixed_ulid.migration_plan(
    "table" regclass, prefix text, key_column name DEFAULT NULL, created_at name DEFAULT NULL,
    OUT step integer, OUT phase text, OUT statement text, OUT lock text, OUT undo text,
    OUT note text
) RETURNS SETOF record
    LANGUAGE sql STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT s.step::integer, s.phase, s.statement, s.lock, s.undo, s.note
    FROM prefixed_ulid.migration_steps("table", prefix, key_column, created_at)
         WITH ORDINALITY AS s(phase, statement, lock, undo, note, step)
    ORDER BY s.step
$$;
COMMENT ON FUNCTION prefixed_ulid.migration_plan(regclass, text, name, name) IS
    'the script that gives a table with an integer, uuid or text key a pulid key, and every '
    'foreign key with it, while the table is in use: each statement with the lock that it takes '
    'and how to undo it; changes nothing. Ids are made from the column created_at or, if none is '
    'named and the key is a uuid or a text, keep their value; key_column says which column of a '
    'key of several is replaced; 22023 if the prefix is malformed or key_column does not fit, '
    '42501 for other roles than the owner of the tables, 42P16 without a primary key, 42701 if a '
    'name is taken, 42703 without the column of times, 42804 for a key of another type, 42809 if '
    'it is no table, 0A000 where there is no such script';
