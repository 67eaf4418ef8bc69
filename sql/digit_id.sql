--
-- Digit ids: text such as ACC-4821-0937, for people to read aloud
--

CREATE FUNCTION digit_id_generate(prefix text, digits integer) RETURNS text
    AS 'MODULE_PATHNAME', 'digit_id_generate' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION digit_id_generate(text, integer) IS
    'new digit id: three upper-case letters, then 4 to 36 random digits in groups of four, as in '
    'ACC-4821-0937; every value is equally likely and may come again; 22023 if the prefix or the '
    'number of digits is malformed';

CREATE FUNCTION digit_id_is_canonical(text, prefix text, digits integer) RETURNS boolean
    AS 'MODULE_PATHNAME', 'digit_id_is_canonical'
    LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION digit_id_is_canonical(text, text, integer) IS
    'whether a text is a digit id of this prefix and number of digits in its canonical form, for '
    'CHECK; never an error';

CREATE FUNCTION digit_id_tidy(text) RETURNS text
    AS 'MODULE_PATHNAME', 'digit_id_tidy' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION digit_id_tidy(text) IS
    'the digit id that a person typed: case, blanks and hyphens, also missing ones, are forgiven; '
    'NULL if hopeless, as when a digit is missing';

CREATE FUNCTION digit_id_tidy(text, prefix text) RETURNS text
    AS 'MODULE_PATHNAME', 'digit_id_tidy_with_prefix' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION digit_id_tidy(text, text) IS
    'as digit_id_tidy(text); NULL also for another prefix, 22023 if the prefix is malformed';

CREATE FUNCTION digit_id_digits_for(expected_rows bigint) RETURNS integer
    AS 'MODULE_PATHNAME', 'digit_id_digits_for' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION digit_id_digits_for(bigint) IS
    'the smallest multiple of four digits, 4 to 24, at which fewer than one insert in 10,000 '
    'collides, even in a table of ten times the expected rows; 22023 if they are negative';

-- The search_path of the two functions that read catalogs is fixed. digit_id_insert itself leaves
-- it alone, because triggers and defaults of the table run inside it and must find what they find
-- in an ordinary INSERT; so there every name and operator is qualified, as in the statement.

CREATE FUNCTION prefixed_ulid.digit_id_insert_statement(
    target regclass, id_column name, fields jsonb
) RETURNS text
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    unknown text;
BEGIN
    IF jsonb_typeof(fields) <> 'object' THEN
        RAISE invalid_parameter_value USING
            MESSAGE = 'fields are not a JSON object',
            HINT = 'Name columns and values, as in jsonb_build_object(''name'', ''Ada'').';
    ELSIF fields ? id_column THEN
        RAISE invalid_parameter_value USING
            MESSAGE = format('column "%s" is among the fields, but its value is generated',
                             id_column);
    ELSIF NOT EXISTS (SELECT FROM pg_class WHERE oid = target AND relkind IN ('r', 'p')) THEN
        RAISE wrong_object_type USING
            MESSAGE = format('%s is not a table', target);
    END IF;

    SELECT string_agg(format('"%s"', named.column), ', ' ORDER BY named.column) INTO unknown
    FROM (SELECT id_column UNION ALL SELECT jsonb_object_keys(fields)) AS named("column")
    WHERE NOT EXISTS (
        SELECT FROM pg_attribute a
        WHERE a.attrelid = target AND a.attname = named.column
          AND a.attnum > 0 AND NOT a.attisdropped);
    IF unknown IS NOT NULL THEN
        RAISE undefined_column USING
            MESSAGE = format('table %s has no column %s', target, unknown);
    END IF;

    -- Otherwise a collision would go unnoticed, or be noticed only when the transaction ends.
    IF NOT EXISTS (
        SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
        WHERE i.indrelid = target AND a.attname = id_column
          AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
          AND i.indisunique AND i.indimmediate AND i.indisvalid)
    THEN
        RAISE invalid_column_reference USING
            MESSAGE = format('no unique constraint of table %s covers column "%s"',
                             target, id_column),
            HINT = 'Digit ids may come again, so add one, and not a deferrable one.';
    END IF;

    -- Types without their modifiers: it is INSERT that enforces those.
    RETURN (
        SELECT format('INSERT INTO %I.%I (%s) SELECT %s '
                      'FROM pg_catalog.jsonb_to_record($1) AS given (%s)',
                      min(tn.nspname::text), min(t.relname::text),
                      string_agg(format('%I', a.attname), ', ' ORDER BY a.attnum),
                      string_agg(format('given.%I', a.attname), ', ' ORDER BY a.attnum),
                      string_agg(format('%I %I.%I', a.attname, n.nspname, y.typname), ', '
                                 ORDER BY a.attnum))
        FROM pg_class t
        JOIN pg_namespace tn ON tn.oid = t.relnamespace
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0
        JOIN pg_type y ON y.oid = a.atttypid
        JOIN pg_namespace n ON n.oid = y.typnamespace
        WHERE t.oid = target AND (a.attname = id_column OR fields ? a.attname));
END $$;
COMMENT ON FUNCTION prefixed_ulid.digit_id_insert_statement(regclass, name, jsonb) IS
    'internal: the INSERT of digit_id_insert, whose parameter is the row as a JSON object';

-- A unique index that has the id among its columns is violated only if the id is taken: a fresh
-- one mends it. The index may be that of a partition.
CREATE FUNCTION prefixed_ulid.digit_id_is_taken(
    target regclass, id_column name, index_schema text, index_name text
) RETURNS boolean
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT EXISTS (
        SELECT FROM pg_index i
        JOIN pg_class c ON c.oid = i.indexrelid
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = i.indrelid
        WHERE n.nspname = index_schema AND c.relname = index_name
          AND (i.indrelid = target OR target IN (SELECT pg_partition_ancestors(i.indrelid)))
          AND a.attname = id_column
          AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
          AND i.indisunique)
$$;
COMMENT ON FUNCTION prefixed_ulid.digit_id_is_taken(regclass, name, text, text) IS
    'internal: whether the violation of this unique index means that the id is taken';

CREATE FUNCTION prefixed_ulid.digit_id_insert(
    target regclass, id_column name, prefix text, digits integer, fields jsonb DEFAULT '{}'
) RETURNS text
    LANGUAGE plpgsql VOLATILE PARALLEL UNSAFE
AS $$
DECLARE
    statement pg_catalog.text;
    id pg_catalog.text;
    inserted bigint;
    schema_ pg_catalog.text;
    table_ pg_catalog.text;
    constraint_ pg_catalog.text;
BEGIN
    IF target IS NULL OR id_column IS NULL OR prefix IS NULL OR digits IS NULL OR fields IS NULL
    THEN
        RAISE null_value_not_allowed USING
            MESSAGE = 'the arguments of digit_id_insert must not be null';
    END IF;
    statement := prefixed_ulid.digit_id_insert_statement(target, id_column, fields);
    FOR attempt IN 0..5 LOOP
        id := pg_catalog.digit_id_generate(prefix, digits);
        BEGIN
            EXECUTE statement
            USING fields OPERATOR(pg_catalog.||) pg_catalog.jsonb_build_object(id_column, id);
            GET DIAGNOSTICS inserted = ROW_COUNT;
            IF inserted OPERATOR(pg_catalog.=) 0 THEN
                RETURN NULL;
            END IF;
            RETURN id;
        EXCEPTION WHEN unique_violation THEN
            GET STACKED DIAGNOSTICS
                schema_ = SCHEMA_NAME, table_ = TABLE_NAME, constraint_ = CONSTRAINT_NAME;
            IF prefixed_ulid.digit_id_is_taken(target, id_column, schema_, constraint_) THEN
                NULL; -- try another
            ELSE
                RAISE;
            END IF;
        END;
    END LOOP;
    RAISE program_limit_exceeded USING
        MESSAGE = pg_catalog.format('could not find a free id for column "%s" of table %s',
                                    id_column, target),
        DETAIL = 'Six ids in a row were taken.',
        HINT = 'Use ids with more digits; digit_id_digits_for(expected_rows) says how many.',
        SCHEMA = schema_, TABLE = table_, COLUMN = id_column, CONSTRAINT = constraint_;
END $$;
COMMENT ON FUNCTION prefixed_ulid.digit_id_insert(regclass, name, text, integer, jsonb) IS
    'inserts a row, with the caller''s rights, and returns its new digit id: the named fields and '
    'the id column, all other columns by their defaults; an id that is taken is replaced by a '
    'fresh one up to five times, then 54000; every other error is passed on; NULL if a trigger '
    'suppressed the row; 22004 for a NULL argument, 22023 if prefix, digits or fields are '
    'malformed, 42703 for an unknown column, 42809 if target is not a table, 42P10 if no unique '
    'constraint covers the id column';
