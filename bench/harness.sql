-- The harness: what is to be compared stands in statement (functions.sql, peers.sql), run() takes
-- the times, goals.sql says what they should be.

CREATE EXTENSION prefixed_ulid;
CREATE SCHEMA bench;
SET search_path = bench, public;
SET client_min_messages = warning;

-- One contender in one test. {rows} in a statement stands for the number of rows.
CREATE TABLE statement (
    test      text,
    contender text,
    statement text NOT NULL,
    before    text,     -- run before each trial, not timed
    answer    text,     -- the query for the answer, when the statement itself gives none
    plan      text,     -- a node that the plan must have
    empty     text,     -- the contender whose time is that of the loop around the function
    position  int GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (test, contender)
);

-- units is the number of rows that the statement gave or made.
CREATE TABLE trial (
    test         text,
    rows         bigint,
    contender    text,
    units        bigint,
    milliseconds float8, -- of the processor
    wall_clock   float8  -- also milliseconds
);

-- What is no time: bytes, kilobytes.
CREATE TABLE fact (test text, rows bigint, contender text, value float8);

-- What cannot take part here.
CREATE TABLE absent (name text);

-- Whether a statement can be run; if not, that is noted.
CREATE FUNCTION possible(name text, statement text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN true;
EXCEPTION WHEN others THEN
    INSERT INTO absent VALUES (name);
    RETURN false;
END $$;

CREATE PROCEDURE check_plan(statement text, plan text) LANGUAGE plpgsql AS $$
DECLARE
    line text;
    lines text := '';
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (COSTS OFF) ' || statement LOOP
        lines := lines || line || E'\n';
    END LOOP;
    IF position(plan IN lines) = 0 THEN
        RAISE 'no % in the plan of %', plan, statement USING DETAIL = lines;
    END IF;
END $$;

-- The processor time of this backend, in milliseconds: what others do on the machine adds little
-- to it. The kernel brings its figure up to date when the process gives way, so we sleep. Where it
-- keeps none, the wall clock has to do.
CREATE FUNCTION processor_time() RETURNS float8 LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_sleep(0.001);
    RETURN split_part(pg_read_file('/proc/self/schedstat'), ' ', 1)::float8 / 1e6;
EXCEPTION WHEN undefined_file THEN
    RETURN extract(epoch FROM clock_timestamp()) * 1000;
END $$;

-- Takes the times of a test: one trial of each contender after the other, so many rounds. All must
-- give the same answer, which is a number of rows, or there is nothing to compare.
CREATE PROCEDURE run(test text, rows bigint, rounds int) LANGUAGE plpgsql AS $$
DECLARE
    s statement;
    begun timestamptz;
    used float8;
    elapsed interval;
    given bigint;
    expected bigint;
BEGIN
    FOR round IN 1..rounds LOOP
        FOR s IN SELECT * FROM statement WHERE statement.test = run.test ORDER BY position LOOP
            s.statement := replace(s.statement, '{rows}', rows::text);
            IF s.plan IS NOT NULL AND round = 1 THEN
                CALL check_plan(s.statement, s.plan);
            END IF;
            IF s.before IS NOT NULL THEN
                EXECUTE s.before;
                COMMIT;
                CHECKPOINT; -- so that none falls into a trial
            END IF;
            used := processor_time();
            begun := clock_timestamp();
            IF s.answer IS NULL THEN
                EXECUTE s.statement INTO given;
            ELSE
                EXECUTE s.statement;
            END IF;
            elapsed := clock_timestamp() - begun;
            used := processor_time() - used;
            IF s.answer IS NOT NULL THEN
                EXECUTE s.answer INTO given;
            END IF;
            INSERT INTO trial VALUES (test, rows, s.contender, given, used,
                                      extract(epoch FROM elapsed) * 1000);
            COMMIT;
            expected := coalesce(expected, given);
            IF given IS DISTINCT FROM expected THEN
                RAISE '%: % of % gives % and not %', test, rows, s.contender, given, expected;
            END IF;
        END LOOP;
    END LOOP;
END $$;

-- The best time of each contender, without that of its empty loop.
CREATE VIEW best AS
    WITH lowest AS (
        SELECT test, rows, contender, empty, units, min(milliseconds) AS milliseconds
        FROM trial JOIN statement USING (test, contender)
        GROUP BY test, rows, contender, empty, units
    ), net AS (
        SELECT l.test, l.rows, l.contender, l.units,
               l.milliseconds - coalesce(e.milliseconds, 0) AS milliseconds
        FROM lowest AS l
             LEFT JOIN lowest AS e ON (e.test, e.rows, e.contender) = (l.test, l.rows, l.empty)
        WHERE l.contender NOT LIKE 'empty%'
    )
    SELECT *, nullif(milliseconds, 0) * 1e6 / units AS nanoseconds FROM net;
