--
-- Filling a new column of a table in use: rows that would not convert, ids for rows that are there
--

CREATE FUNCTION prefixed_ulid.row_key(target regclass) RETURNS text
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
    SELECT COALESCE(
        (SELECT 'pg_catalog.jsonb_build_object('
                || string_agg(format('%L, t.%I', a.attname, a.attname), ', ' ORDER BY k.ordinality)
                || ')'
         FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, ordinality)
         JOIN pg_attribute a ON true
         WHERE i.indrelid = target AND i.indisprimary AND k.ordinality <= i.indnkeyatts
           AND a.attrelid = target AND a.attnum = k.attnum),
        'pg_catalog.jsonb_build_object(''ctid'', t.ctid)')
$$;
COMMENT ON FUNCTION prefixed_ulid.row_key(regclass) IS
    'internal: the expression that names a row t of a table: its primary key, or else its ctid';

CREATE FUNCTION prefixed_ulid.check_text(
    "table" regclass, "column" name, prefix text,
    OUT key jsonb, OUT value text, OUT reason text
) RETURNS SETOF record
    LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    kind "char";
    is_unique boolean;
BEGIN
    PERFORM pulid_min(prefix);
    SELECT y.typcategory INTO kind
    FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid
    WHERE a.attrelid = "table" AND a.attname = "column" AND a.attnum > 0 AND NOT a.attisdropped;
    IF kind IS NULL THEN
        RAISE undefined_column USING
            MESSAGE = format('table %s has no column "%s"', "table", "column");
    ELSIF kind <> 'S' THEN
        RAISE datatype_mismatch USING
            MESSAGE = format('column "%s" of table %s is not a text column', "column", "table");
    END IF;
    RETURN QUERY EXECUTE format(
        'SELECT %s, t.%I::text, pulid_problem(t.%2$I::text, $1) FROM %s AS t
         WHERE NOT pulid_is_valid(t.%2$I::text, $1)',
        prefixed_ulid.row_key("table"), "column", "table")
    USING prefix;

    -- Case is folded, so texts that differ in case become one id.
    SELECT EXISTS (
        SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid
        WHERE i.indrelid = "table" AND a.attname = "column" AND i.indisunique
          AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum AND i.indpred IS NULL)
    INTO is_unique;
    IF is_unique THEN
        RETURN QUERY EXECUTE format(
            'SELECT same.key, same.value, ''Another row has the same id in other letter case.''
             FROM (SELECT %s AS key, t.%I::text AS value,
                          count(*) OVER (PARTITION BY pulid_try_parse(t.%2$I::text, $1)) AS rows
                   FROM %s AS t WHERE pulid_is_valid(t.%2$I::text, $1)) AS same
             WHERE same.rows > 1 AND NOT pulid_is_canonical(same.value, $1)',
            prefixed_ulid.row_key("table"), "column", "table")
        USING prefix;
    END IF;
END $$;
COMMENT ON FUNCTION prefixed_ulid.check_text(regclass, name, text) IS
    'dry run of a conversion to pulid: the rows of a text column that are no id of this prefix, or '
    'in a unique column the same id as another row, and why; changes nothing, reads with the '
    'caller''s rights; 22023 if the prefix is malformed, 42703 for an unknown column, 42804 for '
    'one that is not text';

CREATE TABLE prefixed_ulid.backfill_progress (
    relation        regclass NOT NULL,
    "column"        name NOT NULL,
    started_by      name NOT NULL DEFAULT CURRENT_USER,
    pid             integer NOT NULL,
    started_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    rows_done       bigint NOT NULL,
    rows_rest       bigint NOT NULL,
    rows_per_second bigint NOT NULL GENERATED ALWAYS AS
        ((rows_done / GREATEST(extract(epoch FROM updated_at - started_at), 0.001))::bigint) STORED,
    finished        boolean NOT NULL,
    PRIMARY KEY (relation, "column", started_by)
);
COMMENT ON TABLE prefixed_ulid.backfill_progress IS
    'how far each backfill has come since it was last called: one row for each table, column and '
    'role, written with each batch by whoever runs the backfill, readable by all; not dumped';
-- Backfills run with the caller's rights, so each role may write its own rows.
GRANT SELECT, INSERT, UPDATE, DELETE ON prefixed_ulid.backfill_progress TO PUBLIC;
ALTER TABLE prefixed_ulid.backfill_progress ENABLE ROW LEVEL SECURITY;
CREATE POLICY readable ON prefixed_ulid.backfill_progress FOR SELECT USING (true);
COMMENT ON POLICY readable ON prefixed_ulid.backfill_progress IS 'all rows are for all to read';
CREATE POLICY own ON prefixed_ulid.backfill_progress USING (started_by = CURRENT_USER);
COMMENT ON POLICY own ON prefixed_ulid.backfill_progress IS 'each role writes its own rows';

CREATE FUNCTION prefixed_ulid.backfill_tables(target regclass, target_column name, batch integer)
    RETURNS regclass[]
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    relation pg_class;
BEGIN
    IF target IS NULL OR target_column IS NULL OR batch IS NULL THEN
        RAISE null_value_not_allowed USING
            MESSAGE = 'table, column and batch of a backfill must not be null';
    END IF;
    SELECT * INTO relation FROM pg_class WHERE oid = target;
    IF relation.oid IS NULL OR relation.relkind NOT IN ('r', 'p') THEN
        RAISE wrong_object_type USING
            MESSAGE = format('%s is not a table', target);
    ELSIF NOT pg_has_role(relation.relowner, 'USAGE') THEN
        RAISE insufficient_privilege USING
            MESSAGE = format('must be owner of table %s', target);
    ELSIF row_security_active(target) THEN
        RAISE insufficient_privilege USING
            MESSAGE = format('row-level security of table %s would hide rows from the backfill',
                             target),
            HINT = 'Use ALTER TABLE ... NO FORCE ROW LEVEL SECURITY for the time of the backfill.';
    ELSIF batch < 1 THEN
        RAISE invalid_parameter_value USING
            MESSAGE = format('invalid number of rows in a batch: %s', batch),
            HINT = 'A batch has one row or more.';
    ELSIF NOT EXISTS (SELECT FROM pg_attribute
                      WHERE attrelid = target AND attname = target_column AND attnum > 0)
    THEN
        RAISE undefined_column USING
            MESSAGE = format('table %s has no column "%s"', target, target_column);
    END IF;
    RETURN ARRAY(
        WITH RECURSIVE part(oid) AS (
            SELECT target::oid
            UNION SELECT i.inhrelid FROM part JOIN pg_inherits i ON i.inhparent = part.oid)
        SELECT c.oid::regclass FROM part JOIN pg_class c USING (oid)
        WHERE c.relkind = 'r' ORDER BY c.oid);
END $$;
COMMENT ON FUNCTION prefixed_ulid.backfill_tables(regclass, name, integer) IS
    'internal: the tables that hold the rows of a table, after a check of what backfill was given';

CREATE PROCEDURE prefixed_ulid.backfill_report(
    target regclass, target_column name, done bigint, total bigint, is_end boolean
)
    LANGUAGE plpgsql
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    before bigint;
    progress prefixed_ulid.backfill_progress;
BEGIN
    SELECT p.rows_done INTO before FROM prefixed_ulid.backfill_progress AS p
    WHERE p.relation = target AND p."column" = target_column AND p.started_by = CURRENT_USER;
    INSERT INTO prefixed_ulid.backfill_progress AS p
        VALUES (target, target_column, DEFAULT, pg_backend_pid(), clock_timestamp(),
                clock_timestamp(), done, GREATEST(total - done, 0), DEFAULT, is_end)
    ON CONFLICT (relation, "column", started_by) DO UPDATE SET
        pid = EXCLUDED.pid, updated_at = EXCLUDED.updated_at, rows_done = EXCLUDED.rows_done,
        rows_rest = EXCLUDED.rows_rest, finished = EXCLUDED.finished,
        started_at = CASE WHEN done = 0 AND NOT is_end
                          THEN EXCLUDED.started_at ELSE p.started_at END
    RETURNING * INTO progress;
    -- One notice for each twentieth of the rows.
    IF is_end OR (done > 0 AND done < total AND done * 20 / total > before * 20 / total) THEN
        RAISE NOTICE '%', format(
            'backfill of column "%s" of table %s: %s rows done, %s rows a second, %s rows to do',
            target_column, target, progress.rows_done, progress.rows_per_second,
            progress.rows_rest);
    END IF;
END $$;
COMMENT ON PROCEDURE prefixed_ulid.backfill_report(regclass, name, bigint, bigint, boolean) IS
    'internal: the progress of a backfill, as a row and now and then as a NOTICE';

CREATE FUNCTION prefixed_ulid.backfill_instant(target regclass, created_at name) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE
    SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    type regtype;
BEGIN
    SELECT COALESCE(NULLIF(y.typbasetype, 0), y.oid) INTO type
    FROM pg_attribute a JOIN pg_type y ON y.oid = a.atttypid
    WHERE a.attrelid = target AND a.attname = created_at AND a.attnum > 0 AND NOT a.attisdropped;
    IF type IS NULL THEN
        RAISE undefined_column USING
            MESSAGE = format('table %s has no column "%s"', target, created_at),
            HINT = 'Name the column that says when a row was made: created_at => ''...''.';
    END IF;
    IF type NOT IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype) THEN
        RAISE datatype_mismatch USING
            MESSAGE = format('column "%s" of table %s is of type %s, which is no time',
                             created_at, target, type);
    END IF;
    RETURN CASE type
        WHEN 'timestamptz'::regtype THEN format('t.%I', created_at)
        WHEN 'timestamp'::regtype THEN format('pg_catalog.timezone(''UTC'', t.%I)', created_at)
        WHEN 'date'::regtype
            THEN format('pg_catalog.timezone(''UTC'', t.%I::pg_catalog.timestamp)', created_at)
    END;
END $$;
COMMENT ON FUNCTION prefixed_ulid.backfill_instant(regclass, name) IS
    'internal: the expression for the instant at which a row t was made';

-- A procedure that commits must not have a SET clause, so every name and operator is qualified.
--
-- Rows are taken in the order in which they are stored. The first pass never waits for a row while
-- it holds others, so it takes part in no deadlock: a row that somebody holds is skipped, and one
-- that moves is missed. What is left after the pass is taken row by row, each in its own
-- transaction, first what nobody holds, until nothing is left. Rows that come meanwhile have their
-- value by default or trigger. Nothing but the column itself says what is done: that is why it can
-- be killed.
CREATE PROCEDURE prefixed_ulid.backfill_expression(
    "table" regclass, "column" name, expression text, condition text DEFAULT 'true',
    batch integer DEFAULT 10000, easy text DEFAULT 'true'
)
    LANGUAGE plpgsql
AS $$
DECLARE
    parts pg_catalog.regclass[] := prefixed_ulid.backfill_tables("table", "column", batch);
    part pg_catalog.regclass;
    missing pg_catalog.text := pg_catalog.format('t.%I IS NULL AND (%s)', "column", condition);
    block bigint;
    blocks bigint;
    step bigint;
    done bigint := 0;
    total bigint := 0;
    filled bigint;
    left_over pg_catalog.tid[];
    row_tid pg_catalog.tid;
    is_patient boolean;
    is_filled boolean;
    row_key pg_catalog.jsonb;
    state pg_catalog.text;
    message pg_catalog.text;
BEGIN
    EXECUTE pg_catalog.format('SELECT pg_catalog.count(*) FROM %s AS t WHERE %s', "table", missing)
    INTO total;
    CALL prefixed_ulid.backfill_report("table", "column", 0, total, false);
    COMMIT;

    FOREACH part IN ARRAY parts LOOP
        block := 0;
        SELECT pg_catalog.pg_relation_size(part)
                   OPERATOR(pg_catalog./) pg_catalog.current_setting('block_size')::bigint,
               pg_catalog.ceil(batch OPERATOR(pg_catalog./)
                   CASE WHEN c.reltuples OPERATOR(pg_catalog.>) 0
                        THEN GREATEST(c.reltuples OPERATOR(pg_catalog./)
                                      GREATEST(c.relpages, 1), 1)
                        ELSE 100 END)
        INTO blocks, step
        FROM pg_catalog.pg_class AS c WHERE c.oid OPERATOR(pg_catalog.=) part;
        WHILE block OPERATOR(pg_catalog.<) blocks LOOP
            EXECUTE pg_catalog.format(
                'WITH updated AS (
                     UPDATE ONLY %s AS t SET %I = %s
                     WHERE t.ctid OPERATOR(pg_catalog.=) ANY (ARRAY(
                         SELECT t.ctid FROM ONLY %1$s AS t
                         WHERE t.ctid OPERATOR(pg_catalog.>=) $1
                           AND t.ctid OPERATOR(pg_catalog.<) $2 AND %4$s AND (%5$s)
                         LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)) AND t.%2$I IS NULL
                     RETURNING t.%2$I AS value)
                 SELECT pg_catalog.count(value) FROM updated',
                part, "column", expression, missing, easy)
            INTO filled USING pg_catalog.format('(%s,0)', block)::pg_catalog.tid,
                  pg_catalog.format('(%s,0)', block OPERATOR(pg_catalog.+) step)::pg_catalog.tid,
                  batch;
            -- A full batch may have left something in its range.
            IF filled OPERATOR(pg_catalog.<) batch THEN
                block := block OPERATOR(pg_catalog.+) step;
            END IF;
            IF filled OPERATOR(pg_catalog.>) 0 THEN
                done := done OPERATOR(pg_catalog.+) filled;
                CALL prefixed_ulid.backfill_report("table", "column", done, total, false);
                COMMIT;
            END IF;
        END LOOP;

        is_patient := false;
        LOOP
            filled := 0;
            EXECUTE pg_catalog.format(
                'SELECT pg_catalog.array_agg(left_over.ctid)
                 FROM (SELECT t.ctid FROM ONLY %s AS t WHERE %s LIMIT $1) AS left_over',
                part, missing)
            INTO left_over USING batch;
            EXIT WHEN left_over IS NULL;
            FOREACH row_tid IN ARRAY left_over LOOP
                state := NULL;
                is_filled := NULL;
                BEGIN
                    EXECUTE pg_catalog.format(
                        'UPDATE ONLY %s AS t SET %I = %s
                         WHERE t.ctid OPERATOR(pg_catalog.=) (
                             SELECT t.ctid FROM ONLY %1$s AS t
                             WHERE t.ctid OPERATOR(pg_catalog.=) $1 FOR NO KEY UPDATE %6$s)
                             AND %4$s
                         RETURNING t.%2$I IS NOT NULL, %5$s',
                        part, "column", expression, missing, prefixed_ulid.row_key(part),
                        CASE WHEN is_patient THEN '' ELSE 'SKIP LOCKED' END)
                    INTO is_filled, row_key USING row_tid;
                EXCEPTION WHEN data_exception OR check_violation THEN
                    GET STACKED DIAGNOSTICS
                        state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
                END;
                IF is_filled THEN
                    filled := filled OPERATOR(pg_catalog.+) 1;
                    done := done OPERATOR(pg_catalog.+) 1;
                    CALL prefixed_ulid.backfill_report("table", "column", done, total, false);
                ELSIF NOT is_filled OR state IS NOT NULL THEN
                    IF state IS NOT NULL THEN
                        EXECUTE pg_catalog.format(
                            'SELECT %s FROM ONLY %s AS t WHERE t.ctid OPERATOR(pg_catalog.=) $1',
                            prefixed_ulid.row_key(part), part)
                        INTO row_key USING row_tid;
                    END IF;
                    RAISE EXCEPTION USING
                        ERRCODE = COALESCE(state, 'null_value_not_allowed'),
                        MESSAGE = COALESCE(message, pg_catalog.format(
                            'no value for column "%s" of a row of table %s', "column", part)),
                        DETAIL = pg_catalog.format('The row is %s, the expression %s.', row_key,
                                                   expression),
                        HINT = 'Mend the row and call the backfill again: what is filled stays '
                               'filled.',
                        TABLE = part, COLUMN = "column";
                END IF;
                COMMIT;
            END LOOP;
            is_patient := filled OPERATOR(pg_catalog.=) 0;
        END LOOP;
    END LOOP;
    CALL prefixed_ulid.backfill_report("table", "column", done, total, true);
END $$;
COMMENT ON PROCEDURE prefixed_ulid.backfill_expression(regclass, name, text, text, integer, text) IS
    'sets a column, where it is null, to an expression over the row t, in batches that commit; '
    'condition says which rows need a value, easy which of those to leave for the end, where an '
    'error can name the row; progress in prefixed_ulid.backfill_progress and by NOTICE; may be '
    'killed and called again; 2D000 in a transaction block, 22004 where the expression is null, '
    '22023 for an empty batch, 42501 for other roles than the owner of the table, 42703 for an '
    'unknown column, 42809 if it is no table';

CREATE PROCEDURE prefixed_ulid.backfill(
    "table" regclass, "column" name, prefix text, created_at name DEFAULT 'created_at',
    batch integer DEFAULT 10000
)
    LANGUAGE plpgsql
AS $$
DECLARE
    instant pg_catalog.text := prefixed_ulid.backfill_instant("table", created_at);
BEGIN
    IF prefix IS NULL THEN
        RAISE null_value_not_allowed USING MESSAGE = 'prefix of a backfill must not be null';
    END IF;
    PERFORM pg_catalog.pulid_min(prefix);
    CALL prefixed_ulid.backfill_expression(
        "table", "column", pg_catalog.format('pg_catalog.pulid_generate(%L, %s)', prefix, instant),
        'true', batch,
        pg_catalog.format(
            '%s OPERATOR(pg_catalog.>=) ''1970-01-01 00:00:00+00''::pg_catalog.timestamptz '
            'AND %1$s OPERATOR(pg_catalog.<=) '
            '''10889-08-02 05:31:50.655+00''::pg_catalog.timestamptz',
            instant));
END $$;
COMMENT ON PROCEDURE prefixed_ulid.backfill(regclass, name, text, name, integer) IS
    'gives each row whose column is null an id of the time in another column, which is a '
    'timestamptz, or a timestamp or date in UTC, so that the order of ids is the order of times; '
    'in batches that commit, as backfill_expression, with its errors and progress; 22023 if the '
    'prefix is malformed, 22004 or 22008, which name the row, for a time that is null or that no '
    'id can hold, once all other rows are done';
