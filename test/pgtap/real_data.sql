-- Ids that other libraries made (test/data) and the TypeID specification's vectors (test/vectors):
-- what they say that an
-- id means is what pulid says. Runs in the project's top folder.
\unset ECHO
\set QUIET 1
\pset format unaligned
\pset tuples_only true
\pset pager off
\set ON_ERROR_ROLLBACK 1
\set ON_ERROR_STOP true

BEGIN;
SET LOCAL client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS pgtap;
CREATE EXTENSION IF NOT EXISTS prefixed_ulid;

SELECT plan(32);

CREATE TABLE reading (library text, id text NOT NULL, prefix text, unix_ms bigint, uuid uuid,
    n int GENERATED ALWAYS AS IDENTITY);
CREATE TABLE typed (id pulid NOT NULL, prefix text, unix_ms bigint, uuid uuid,
    n int GENERATED ALWAYS AS IDENTITY);

ALTER TABLE reading ALTER library SET DEFAULT 'oklog_go';
\copy reading (id, prefix, unix_ms, uuid) FROM 'test/data/oklog_go.csv' WITH csv HEADER
\copy typed (id, prefix, unix_ms, uuid) FROM 'test/data/oklog_go.csv' WITH csv HEADER
ALTER TABLE reading ALTER library SET DEFAULT 'python_ulid';
\copy reading (id, prefix, unix_ms, uuid) FROM 'test/data/python_ulid.csv' WITH csv HEADER
\copy typed (id, prefix, unix_ms, uuid) FROM 'test/data/python_ulid.csv' WITH csv HEADER
ALTER TABLE reading ALTER library SET DEFAULT 'ulid_js';
\copy reading (id, prefix, unix_ms, uuid) FROM 'test/data/ulid_js.csv' WITH csv HEADER
\copy typed (id, prefix, unix_ms, uuid) FROM 'test/data/ulid_js.csv' WITH csv HEADER
ALTER TABLE reading ALTER library SET DEFAULT 'ulidx_js';
\copy reading (id, prefix, unix_ms, uuid) FROM 'test/data/ulidx_js.csv' WITH csv HEADER
\copy typed (id, prefix, unix_ms, uuid) FROM 'test/data/ulidx_js.csv' WITH csv HEADER
ALTER TABLE reading ALTER library SET DEFAULT 'ulid_rust';
\copy reading (id, prefix, unix_ms, uuid) FROM 'test/data/ulid_rust.csv' WITH csv HEADER
\copy typed (id, prefix, unix_ms, uuid) FROM 'test/data/ulid_rust.csv' WITH csv HEADER
ALTER TABLE reading ALTER library SET DEFAULT 'typeid_js';
\copy reading (id, prefix, unix_ms, uuid) FROM 'test/data/typeid_js.csv' WITH csv HEADER
\copy typed (id, prefix, unix_ms, uuid) FROM 'test/data/typeid_js.csv' WITH csv HEADER
ALTER TABLE reading ALTER library SET DEFAULT 'typeid_go';
\copy reading (id, prefix, unix_ms, uuid) FROM 'test/data/typeid_go.csv' WITH csv HEADER
\copy typed (id, prefix, unix_ms, uuid) FROM 'test/data/typeid_go.csv' WITH csv HEADER
ALTER TABLE reading ALTER library SET DEFAULT 'typeid_python';
\copy reading (id, prefix, unix_ms, uuid) FROM 'test/data/typeid_python.csv' WITH csv HEADER
\copy typed (id, prefix, unix_ms, uuid) FROM 'test/data/typeid_python.csv' WITH csv HEADER

SELECT results_eq(
    $$SELECT library, count(*)::int, count(unix_ms) > 0, count(uuid) > 0, count(prefix) > 0
      FROM reading GROUP BY library ORDER BY library COLLATE "C"$$,
    $$VALUES ('oklog_go', 482, true, false, false), ('python_ulid', 490, true, true, false),
             ('typeid_go', 472, false, true, true), ('typeid_js', 475, false, true, true),
             ('typeid_python', 475, true, true, true), ('ulid_js', 485, true, true, false),
             ('ulid_rust', 495, true, true, false), ('ulidx_js', 485, true, true, false)$$,
    'Every file is read whole and has the readings that its library offers');

-- Exact, which one multiplication of the milliseconds is not.
CREATE FUNCTION instant(unix_ms bigint) RETURNS timestamptz LANGUAGE sql AS $$
    SELECT timestamptz 'epoch' + (unix_ms / 1000) * interval '1 s' + (unix_ms % 1000) * interval
        '1 ms'
$$;

-- Texts become ids by the input function (COPY) and by the assignment cast.
CREATE TABLE stored (library text, id pulid NOT NULL, n int);
INSERT INTO stored SELECT library, id, n FROM reading;

SELECT is_empty(
    $$SELECT n, reading.id, typed.id, stored.id FROM reading JOIN typed USING (n) JOIN stored
        USING (n)
      WHERE typed.id <> stored.id OR typed.id <> pulid_parse(reading.id)
         OR typed.id IS DISTINCT FROM pulid_try_parse(reading.id)
         OR typed.id IS DISTINCT FROM pulid_tidy(reading.id)
         OR typed.id IS DISTINCT FROM reading.id::varchar::pulid$$,
    'COPY, assignment, the parsers and the casts read every text as the same id');
SELECT is((SELECT count(*) FROM typed), (SELECT count(*) FROM reading),
    'Every row was read both ways');

SELECT is_empty(
    format($$SELECT reading.id, stored.id FROM reading JOIN stored USING (n)
             WHERE reading.library = %L AND stored.id::text IS DISTINCT FROM lower(reading.id)$$,
                 library),
    'Ids of ' || library || ' print as they came, in lower case')
FROM (SELECT DISTINCT library FROM reading) l ORDER BY library;
SELECT is_empty(
    format($$SELECT reading.id, pulid_prefix(stored.id), pulid_timestamp(stored.id),
        pulid_uuid(stored.id)
             FROM reading JOIN stored USING (n) WHERE reading.library = %L
               AND (pulid_prefix(stored.id) IS DISTINCT FROM COALESCE(prefix, '')
                    OR pulid_timestamp(stored.id) <> instant(unix_ms)
                    OR pulid_uuid(stored.id) <> uuid)$$, library),
    'Ids of ' || library || ' have the prefix, instant and UUID that it reads')
FROM (SELECT DISTINCT library FROM reading) l ORDER BY library;

SELECT is_empty(
    $$SELECT reading.id, i FROM reading JOIN stored USING (n), pulid_inspect(stored.id) i
      WHERE i.prefix <> COALESCE(reading.prefix, '') OR i.created_at <> instant(unix_ms)
         OR i.uuid <> reading.uuid OR i.ulid <> lower(right(reading.id, 26))
         OR i.random <> right(replace(i.uuid::text, '-', ''), 20)$$,
    'pulid_inspect reads the same');
SELECT is_empty(
    $$SELECT reading.id FROM reading JOIN stored USING (n)
      WHERE pulid_from_uuid(COALESCE(prefix, ''), uuid) <> stored.id
         OR (prefix IS NULL AND uuid::pulid <> stored.id) OR stored.id::uuid <> uuid$$,
    'The prefix and the UUID make the same id again');
SELECT is_empty(
    $$SELECT id FROM reading WHERE NOT pulid_is_valid(id) OR NOT pulid_is_valid(id, COALESCE(prefix,
        ''))
         OR pulid_is_canonical(id) <> (id = lower(id) COLLATE "C")
         OR NOT pulid_is_canonical(lower(id)) OR NOT pulid_is_canonical(lower(id), COALESCE(prefix,
             ''))
         OR pulid_is_valid(id, 'otherprefix') OR pulid_is_canonical(lower(id), 'otherprefix')$$,
    'Every text is valid, and canonical where it is in lower case');
SELECT is_empty(
    $$SELECT reading.id FROM reading JOIN stored USING (n)
      WHERE pulid_extract(format('GET /v1/x/%s?y="1"', reading.id)) <> ARRAY[stored.id]
        AND reading.id ~ '[A-Za-z]'$$,
    'Every id is found in a log line');
SELECT is_empty(
    $$SELECT reading.id FROM reading JOIN stored USING (n)
      WHERE reading.unix_ms IS NOT NULL AND NOT
            (stored.id BETWEEN pulid_lower_bound(COALESCE(prefix, ''), instant(unix_ms))
                           AND pulid_upper_bound(COALESCE(prefix, ''), instant(unix_ms)))$$,
    'Every id lies between the bounds of its instant');
SELECT results_eq(
    'SELECT id FROM stored ORDER BY id, n',
        'SELECT s.id FROM stored s JOIN reading r USING (n) ORDER BY lower(r.id) COLLATE "C", n',
    'The order of the ids is that of the libraries'' texts');
SELECT results_eq(
    'SELECT count(DISTINCT id)::int FROM stored',
        'SELECT count(DISTINCT lower(id))::int FROM reading',
    'Different texts are different ids');

-- The vectors of the TypeID specification

CREATE TABLE valid_vector (name text, id text, prefix text, uuid uuid);
\copy valid_vector FROM 'test/vectors/typeid_valid.csv' WITH csv HEADER
CREATE TABLE invalid_vector (name text, id text, input_function text, is_canonical boolean);
\copy invalid_vector FROM 'test/vectors/typeid_invalid.csv' WITH csv HEADER
UPDATE valid_vector SET prefix = COALESCE(prefix, '');
UPDATE invalid_vector SET id = COALESCE(id, '');

CREATE FUNCTION state_of_cast(t text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM t::pulid;
    RETURN 'accepted';
EXCEPTION WHEN others THEN
    RETURN SQLSTATE;
END $$;
CREATE FUNCTION state_of_input(t text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT %L::pulid', t);
    RETURN 'accepted';
EXCEPTION WHEN others THEN
    RETURN SQLSTATE;
END $$;

SELECT
    results_eq('SELECT (SELECT count(*)::int FROM valid_vector), (SELECT count(*)::int
        FROM invalid_vector)',
    'VALUES (9, 21)', 'All vectors are read');
SELECT is_empty(
    $$SELECT name, id FROM valid_vector
      WHERE (id::pulid)::text <> id OR pulid_prefix(id::pulid) <> prefix
          OR pulid_uuid(id::pulid) <> uuid
         OR pulid_from_uuid(prefix, uuid) <> id::pulid$$,
    'Valid TypeIDs have the prefix and the UUID of the specification, there and back');
SELECT is_empty(
    $$SELECT name, id FROM valid_vector WHERE NOT pulid_is_canonical(id)
        OR NOT pulid_is_canonical(id, prefix)$$,
    'Valid TypeIDs are canonical');
SELECT is_empty(
    $$SELECT name, id FROM invalid_vector
      WHERE state_of_cast(id) <> CASE input_function WHEN 'folds' THEN 'accepted'
          ELSE input_function END
         OR state_of_input(id) <> CASE input_function WHEN 'folds' THEN 'accepted'
             ELSE input_function END$$,
    'Invalid TypeIDs are refused with 22P02, but for upper case');
SELECT is_empty(
    $$SELECT name, id FROM invalid_vector WHERE input_function = 'folds'
        AND id::pulid::text IS DISTINCT FROM lower(id)$$,
    'Upper case is folded');
SELECT is_empty(
    $$SELECT name, id FROM invalid_vector
      WHERE pulid_is_canonical(id) IS DISTINCT FROM is_canonical
         OR pulid_is_valid(id) IS DISTINCT FROM (input_function = 'folds')
         OR (pulid_try_parse(id) IS NOT NULL) IS DISTINCT FROM (input_function = 'folds')$$,
    'Invalid TypeIDs are not canonical, and valid only where their case is folded');

SELECT * FROM finish();
ROLLBACK;
