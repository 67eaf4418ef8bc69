-- Bad input: every door refuses it with the promised SQLSTATE, stores nothing, leaks nothing and
-- leaves the session usable;
-- and all doors agree on what is bad.
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
SET LOCAL jit = off;
SET LOCAL max_parallel_workers_per_gather = 0;

SELECT plan(120);

CREATE FUNCTION state(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'accepted';
EXCEPTION WHEN others THEN
    RETURN SQLSTATE;
END $$;

CREATE TABLE door_plain (id pulid);
CREATE TABLE door_prd (id pulid('prd'));
CREATE TABLE door_prds (ids pulid('prd')[]);
CREATE TABLE door_text (t text);
CREATE DOMAIN prd_id AS pulid('prd');
CREATE DOMAIN long_id AS pulid CHECK (pulid_has_prefix(VALUE, 'abcdefgh'));
CREATE TABLE door_domain (id prd_id);
PREPARE by_parameter AS INSERT INTO door_plain VALUES ($1);
PREPARE by_text(text) AS INSERT INTO door_plain VALUES ($1);
PREPARE by_varchar(varchar) AS INSERT INTO door_plain VALUES ($1);
PREPARE prd_by_parameter AS INSERT INTO door_prd VALUES ($1);
PREPARE prd_by_text(text) AS INSERT INTO door_prd VALUES ($1);

-- Through COPY in the binary format. A bytea goes over that wire as the bytes that it has, so recv
-- gets any bytes.
CREATE FUNCTION binary_copy(target text, bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE file text := format('/tmp/prefixed_ulid_bad_input_%s', pg_backend_pid());
BEGIN
    EXECUTE format('COPY (SELECT %L::bytea) TO PROGRAM %L (FORMAT binary)', bytes, 'cat >' || file);
    RETURN state(format('COPY %s FROM PROGRAM %L (FORMAT binary)', target,
        format('cat %s; rm -f %1$s', file)));
END $$;

-- Malformed

CREATE TABLE malformed (name text, t text);
INSERT INTO malformed VALUES
    ('nothing', ''), ('a word', 'foo'), ('an underscore', '_'), ('a prefix alone', 'prd_'),
    ('one above the largest id', 'prd_80000000000000000000000000'), ('a body that overflows',
        'zzzzzzzzzzzzzzzzzzzzzzzzzz'),
    ('a short body', 'prd_01jq3v8f6a7b2c8d9e0f1g2h3'), ('a long body',
        'prd_01jq3v8f6a7b2c8d9e0f1g2h3j0'),
    ('the letter i', 'prd_01arz3ndeitsv4rrffq69g5fav'), ('the letter l',
        'prd_0lllllllllllllllllllllllll'),
    ('the letter o', 'prd_o1jq3v8f6a7b2c8d9e0f1g2h3j'), ('the letter u',
        'prd_01jq3v8f6a7b2c8d9e0f1g2h3u'),
    ('a newline behind', E'prd_01jq3v8f6a7b2c8d9e0f1g2h3j\n'), ('a blank before',
        ' prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('a blank behind', 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j '), ('hyphens',
        'prd_01jq3v8f-6a7b2c8d9e0f1g2h3'),
    ('a hyphen for the underscore', 'prd-01jq3v8f6a7b2c8d9e0f1g2h3j'), ('an empty prefix',
        '_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('an underscore before', '_prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('two underscores',
        'prd__01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('a digit in the prefix', 'p2d_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('an accent',
        'pré_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('an accent in the body', 'prd_é1jq3v8f6a7b2c8d9e0f1g2h3j'), ('the Kelvin sign',
        'prd_01jq3v8f6a7b2c8d9e0f1g2h3' || chr(8490)),
    ('the long s', 'ſrd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('a prefix of 64', repeat('a', 64)
        || '_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('a megabyte', repeat('a', 1000000)), ('a megabyte of accents', repeat('é', 500000)),
        ('a UUID',
        '0195c7b4-3cca-3ac4-c435-2e03c3014472'),
    ('no separator', 'prd01jq3v8f6a7b2c8d9e0f1g2h3j'), ('a control character',
        E'prd_01jq3v8f6a7b2c8d9e0f1g2h3\x01');

SELECT is_empty(
    format($$SELECT name, state FROM (SELECT name, %s AS state FROM malformed OFFSET 0) s
             WHERE state IS DISTINCT FROM %L$$, call, expected),
    format('Malformed text is refused with %s by %s', expected, door))
FROM (VALUES
    ('a literal', $$state(format('SELECT %L::pulid', t))$$, '22P02'),
    ('a typed literal', $$state(format('SELECT pulid %L', t))$$, '22P02'),
    ('the input function', $$state(format('SELECT pulid_in(%L, 0, -1)', t))$$, '22P02'),
    ('the cast from text', $$state(format('SELECT %L::text::pulid', t))$$, '22P02'),
    ('the cast from varchar', $$state(format('SELECT %L::varchar::pulid', t))$$, '22P02'),
    ('INSERT of a literal', $$state(format('INSERT INTO door_plain VALUES (%L)', t))$$, '22P02'),
    ('INSERT of a text', $$state(format('INSERT INTO door_plain SELECT %L::text', t))$$, '22P02'),
    ('INSERT into a column with a modifier', $$state(format('INSERT INTO door_prd VALUES (%L)',
        t))$$, '22P02'),
    ('an untyped parameter', $$state(format('EXECUTE by_parameter(%L)', t))$$, '22P02'),
    ('a text parameter', $$state(format('EXECUTE by_text(%L)', t))$$, '22P02'),
    ('a varchar parameter', $$state(format('EXECUTE by_varchar(%L)', t))$$, '22P02'),
    ('an array literal', $$state(format('SELECT %L::pulid[]', ARRAY[t]))$$, '22P02'),
    ('the cast from an array of text', $$state(format('SELECT %L::text[]::pulid[]', ARRAY[t]))$$,
        '22P02'),
    ('a row literal', $$state(format('SELECT %L::door_plain', row(t)))$$, '22P02'),
    ('jsonb_populate_record', $$state(format('SELECT jsonb_populate_record(NULL::door_plain, %L)',
        jsonb_build_object('id', t)))$$, '22P02'),
    ('jsonb_to_record', $$state(format('SELECT id FROM jsonb_to_record(%L) AS r(id pulid)',
        jsonb_build_object('id', t)))$$, '22P02'),
    ('a PL/pgSQL variable', $$state(format('DO %L', format('DECLARE v pulid := %L::text; BEGIN END',
        t)))$$, '22P02'),
    ('a PL/pgSQL variable set to a literal', $$state(format('DO %L',
        format('DECLARE v pulid := %L; BEGIN END', t)))$$, '22P02'),
    ('a domain', $$state(format('SELECT %L::prd_id', t))$$, '22P02'),
    ('a domain with a CHECK', $$state(format('SELECT %L::text::long_id', t))$$, '22P02'),
    ('a comparison with a literal', $$state(format('SELECT FROM door_plain WHERE id = %L', t))$$,
        '22P02'),
    ('pulid_parse', $$state(format('SELECT pulid_parse(%L)', t))$$, '22P02'),
    ('pulid_parse with a prefix', $$state(format('SELECT pulid_parse(%L, ''prd'')', t))$$, '22P02'),
    ('binary COPY', $$binary_copy('door_plain', convert_to(t, 'UTF8'))$$, '22P03'),
    ('binary COPY into a column with a modifier', $$binary_copy('door_prd', convert_to(t,
        'UTF8'))$$, '22P03')
) AS v(door, call, expected);

CREATE FUNCTION text_copy(t text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE file text := format('/tmp/prefixed_ulid_bad_input_%s', pg_backend_pid());
BEGIN
    EXECUTE format('COPY (SELECT %L::text) TO PROGRAM %L', t, 'cat >' || file);
    RETURN state(format('COPY door_plain FROM PROGRAM %L', format('cat %s; rm -f %1$s', file)));
END $$;
SELECT is_empty($$SELECT name, state FROM (SELECT name, text_copy(t) AS state
    FROM malformed OFFSET 0) s WHERE state <> '22P02'$$,
    'Malformed text is refused with 22P02 by COPY');
SELECT is_empty(
    $$SELECT bytes, state FROM (SELECT bytes, binary_copy('door_plain', bytes) AS state
        FROM unnest(ARRAY[
          '\x', '\x00', '\xff', '\x0195c7b43cca3ac4c4352e03c3014472',
              '\x7072645f0195c7b43cca3ac4c4352e03c3014472',
          convert_to('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'UTF8') || '\x00', '\x00'
              || convert_to('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'UTF8'),
          set_byte(convert_to('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'UTF8'), 2, 0),
          set_byte(convert_to('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'UTF8'), 2, 255),
          set_byte(convert_to('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'UTF8'), 3, 0),
          set_byte(convert_to('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'UTF8'), 29, 200),
          decode(repeat('c3', 90), 'hex'), decode(repeat('80', 100000), 'hex')]::bytea[]) bytes
          OFFSET 0) s WHERE state <> '22P03'$$,
    'Bytes that are no text are refused with 22P03, sixteen raw ones among them');
SELECT is_empty($$SELECT id FROM door_plain UNION ALL SELECT id FROM door_prd$$,
    'Nothing of all that was stored');
SELECT results_eq(
    $$SELECT binary_copy('door_plain', 'PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J'), binary_copy('door_plain',
        '01jq3v8f6a7b2c8d9e0f1g2h3j')$$,
    $$VALUES ('accepted', 'accepted')$$, 'Binary input accepts what text input accepts');
SELECT results_eq('SELECT id::text FROM door_plain ORDER BY id',
    $$VALUES ('01jq3v8f6a7b2c8d9e0f1g2h3j'), ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j')$$,
        'And means the same by it');
DELETE FROM door_plain;

SELECT throws_ok(format('SELECT %L::pulid', t), '22P02',
    format('invalid input syntax for type pulid: "%s"', shown), 'The message shows ' || name)
FROM malformed JOIN (VALUES
    ('nothing', ''), ('a word', 'foo'), ('a newline behind', 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j\x0a'),
    ('an accent', 'pr\xc3\xa9_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('a megabyte', repeat('a', 100)
        || '...'),
    ('a megabyte of accents', repeat('\xc3\xa9', 50) || '...')) AS v(name, shown) USING (name);

CREATE FUNCTION detail(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
    EXECUTE statement;
    RETURN 'accepted';
EXCEPTION WHEN others THEN
    GET STACKED DIAGNOSTICS result = PG_EXCEPTION_DETAIL;
    RETURN result;
END $$;
SELECT is_empty(
    $$SELECT name, detail(format('SELECT %L::pulid', t)), detail(format('SELECT %L::text::pulid',
        t)) FROM malformed
      WHERE detail(format('SELECT %L::pulid', t)) !~ '^[A-Z][ -~]{10,160}\.$'
         OR detail(format('SELECT %L::pulid', t)) <> detail(format('SELECT %L::text::pulid', t))$$,
    'Every detail is one sentence of printable characters, the same from both doors');
SELECT is(detail(format('SELECT %L::pulid', t)), expected, 'The detail tells what is wrong: '
    || name)
FROM malformed JOIN (VALUES
    ('nothing', 'The text is empty.'),
    ('a short body', 'Expected a body of 26 characters, found 25.'),
    ('one above the largest id',
        'Character "8" at position 5 overflows 128 bits: a body begins with 0 to 7.'),
    ('the letter i', 'Character "i" at position 14 is not one of 0-9, a-h, j, k, m, n, p-t, v-z.'),
    ('an empty prefix', 'The prefix before the underscore is empty.'),
    ('a prefix of 64', 'The prefix has 64 characters, but 63 are the limit.')) AS v(name, expected)
        USING (name);

-- The wrong prefix

CREATE TABLE wrong (t text);
INSERT INTO wrong VALUES ('usr_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prdx_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('pr_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('p_r_d_01jq3v8f6a7b2c8d9e0f1g2h3j'), (repeat('z', 63)
        || '_01jq3v8f6a7b2c8d9e0f1g2h3j');
INSERT INTO door_prd VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j');
CREATE TABLE door_part (id pulid('prd')) PARTITION BY LIST (id);
SELECT is_empty(
    format($$SELECT t, state FROM (SELECT t, %s AS state FROM wrong OFFSET 0) s
        WHERE state IS DISTINCT FROM '23514'$$, call),
    'A wrong prefix is refused with 23514 by ' || door)
FROM (VALUES
    ('a literal', $$state(format('SELECT %L::pulid(''prd'')', t))$$),
    ('a cast', $$state(format('SELECT %L::pulid::pulid(''prd'')', t))$$),
    ('a cast from text', $$state(format('SELECT %L::text::pulid(''prd'')', t))$$),
    ('INSERT of a literal', $$state(format('INSERT INTO door_prd VALUES (%L)', t))$$),
    ('INSERT of an id', $$state(format('INSERT INTO door_prd SELECT %L::pulid', t))$$),
    ('INSERT of a text', $$state(format('INSERT INTO door_prd SELECT %L::text', t))$$),
    ('UPDATE', $$state(format('UPDATE door_prd SET id = %L', t))$$),
    ('an untyped parameter', $$state(format('EXECUTE prd_by_parameter(%L)', t))$$),
    ('a text parameter', $$state(format('EXECUTE prd_by_text(%L)', t))$$),
    ('a domain', $$state(format('INSERT INTO door_domain VALUES (%L)', t))$$),
    ('a domain with a CHECK', $$state(format('SELECT %L::long_id', t))$$),
    ('an array element', $$state(format('INSERT INTO door_prds VALUES (ARRAY[%L]::pulid[])', t))$$),
    ('an array literal', $$state(format('INSERT INTO door_prds VALUES (%L)', ARRAY[t]))$$),
    ('an array subscript', $$state(format('INSERT INTO door_prds (ids[3]) VALUES (%L::pulid)',
        t))$$),
    ('a row literal', $$state(format('SELECT %L::door_prd', row(t)))$$),
    ('jsonb_populate_record', $$state(format('SELECT jsonb_populate_record(NULL::door_prd, %L)',
        jsonb_build_object('id', t)))$$),
    ('a PL/pgSQL variable', $$state(format('DO %L',
        format('DECLARE v pulid(''prd'') := %L; BEGIN END', t)))$$),
    ('a PL/pgSQL row', $$state(format('DO %L',
        format('DECLARE v door_prd; BEGIN v.id := %L::pulid; END', t)))$$),
    ('a partition bound',
        $$state(format('CREATE TABLE door_part_1 PARTITION OF door_part FOR VALUES IN (%L)', t))$$),
    ('a DEFAULT',
        $$state(format('CREATE TABLE door_default (id pulid(''prd'') DEFAULT %L::pulid);
            INSERT INTO door_default DEFAULT VALUES', t))$$),
    ('a new type of a column',
        $$state(format('CREATE TABLE door_alter AS SELECT %L::pulid AS id;
            ALTER TABLE door_alter ALTER id TYPE pulid(''prd'')', t))$$),
    ('pulid_parse', $$state(format('SELECT pulid_parse(%L, ''prd'')', t))$$),
    ('binary COPY', $$binary_copy('door_prd', convert_to(t, 'UTF8'))$$)
) AS v(door, call);
SELECT results_eq('SELECT id::text FROM door_prd', $$VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j')$$,
    'Nothing of all that was stored or changed');
SELECT throws_ok($$SELECT 'usr_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid('prd')$$, '23514',
    'id "usr_01jq3v8f6a7b2c8d9e0f1g2h3j" has prefix "usr", but prefix "prd" is required',
        'The message names both prefixes');
SELECT throws_ok($$SELECT '01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid('prd')$$, '23514',
    'id "01jq3v8f6a7b2c8d9e0f1g2h3j" has no prefix, but prefix "prd" is required',
        'The message names a missing prefix');
SELECT throws_ok($$SELECT 'usr_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid('')$$, '23514',
    'id "usr_01jq3v8f6a7b2c8d9e0f1g2h3j" has prefix "usr", but a bare ULID is required',
        'The message names the bare ULID');
SELECT throws_ok($$SELECT pulid_with_prefix('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd')$$, '23514',
    'id "usr_01jq3v8f6a7b2c8d9e0f1g2h3j" has prefix "usr", but prefix "prd" is required',
        'pulid_with_prefix replaces no prefix');
CREATE FUNCTION datatype_of(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE type_schema text; type_name text;
BEGIN
    EXECUTE statement;
    RETURN 'accepted';
EXCEPTION WHEN check_violation THEN
    GET STACKED DIAGNOSTICS type_schema = SCHEMA_NAME, type_name = PG_DATATYPE_NAME;
    RETURN type_schema || '.' || type_name;
END $$;
SELECT is(datatype_of(statement), 'pg_catalog.pulid', 'The error names the type: ' || statement)
FROM unnest(ARRAY[$$SELECT 'usr_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid('prd')$$,
                  $$INSERT INTO door_prd SELECT '01jq3v8f6a7b2c8d9e0f1g2h3j'::text$$]) statement;

-- Modifiers and prefix arguments

SELECT throws_ok(format('CREATE TEMP TABLE refused (id pulid(%s))', modifier), '22023', message,
    format('The modifier %s is refused', modifier))
FROM (VALUES ('''PRD''', 'invalid prefix: "PRD"'), ('''p1''', 'invalid prefix: "p1"'), ('1',
    'invalid prefix: "1"'),
             ('''_a''', 'invalid prefix: "_a"'), ('''a_''', 'invalid prefix: "a_"'), ('''é''',
                 'invalid prefix: "\xc3\xa9"'),
             ('''abcdefg''', 'prefix "abcdefg" is too long for a type modifier'),
             ('''prd'', ''usr''', 'invalid type modifier for type pulid')) AS v(modifier, message);
SELECT is_empty(
    $$SELECT a, state(format('SELECT pulid_typmod_in(%L)', a)) FROM unnest(ARRAY['{}', '{a,b}',
        '{{a},{b}}', '{{a}}', '{"a b"}']) a
      WHERE state(format('SELECT pulid_typmod_in(%L)', a)) <> '22023'$$,
    'The modifier function refuses every array but that of one prefix');
SELECT is_empty(
    $$SELECT code, state(format('SELECT pulid_coerce(%L, %s, true)',
        'prd_01jq3v8f6a7b2c8d9e0f1g2h3j', code))
      FROM unnest(ARRAY[1, 27, 28 * 28 + 2, 481890304, 2147483647, -2, -2147483648]) code
      WHERE state(format('SELECT pulid_coerce(%L, %s, true)', 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j',
          code)) NOT IN ('22023', '23514')$$,
    'A code that is no modifier admits nothing and crashes nothing');

SELECT is_empty(
    format($$SELECT p, state FROM (SELECT p, state(format(%L, p)) AS state
                FROM unnest(ARRAY['PRD', 'p1', '_a', 'a_', '_', 'a-b', ' prd', 'é', repeat('a',
                    64),
                    repeat('é', 100000)]) p OFFSET 0) s
             WHERE state IS DISTINCT FROM '22023'$$, call),
    'A malformed prefix is refused with 22023 by ' || call)
FROM unnest(ARRAY[
    'SELECT pulid_from_uuid(%L, ''0195c7b4-3cca-3ac4-c435-2e03c3014472'')',
        'SELECT pulid_with_prefix(''01jq3v8f6a7b2c8d9e0f1g2h3j'', %L)',
    'SELECT pulid_parse(''prd_01jq3v8f6a7b2c8d9e0f1g2h3j'', %L)', 'SELECT pulid_parse(''foo'', %L)',
    'SELECT pulid_try_parse(''prd_01jq3v8f6a7b2c8d9e0f1g2h3j'', %L)',
        'SELECT pulid_try_parse(''foo'', %L)',
    'SELECT pulid_tidy(''prd_01jq3v8f6a7b2c8d9e0f1g2h3j'', %L)', 'SELECT pulid_tidy(''foo'', %L)',
        'SELECT pulid_min(%L)',
    'SELECT pulid_max(%L)', 'SELECT pulid_lower_bound(%L, ''infinity'')',
        'SELECT pulid_upper_bound(%L, ''-infinity'')']) call;
SELECT is_empty(
    $$SELECT p FROM unnest(ARRAY['PRD', 'p1', '_a', 'a_', '_', 'a-b', ' prd', 'é', repeat('a', 64),
        repeat('é', 100000)]) p
      WHERE pulid_has_prefix('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', p) IS DISTINCT FROM false
         OR pulid_is_valid('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', p) IS DISTINCT FROM false
         OR pulid_is_canonical('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', p) IS DISTINCT FROM false
         OR ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid ^@ p) IS DISTINCT FROM false$$,
    'A malformed prefix makes the predicates false and raises nothing');

-- Instants

SELECT throws_ok(format('SELECT %s', call), '22008', 'timestamp out of range for type pulid',
    'There is no id for ' || call)
FROM unnest(ARRAY[
    $$pulid_lower_bound('prd', '10889-08-02 05:31:50.655001+00')$$, $$pulid_lower_bound('prd',
        'infinity')$$,
    $$pulid_upper_bound('prd', '1969-12-31 23:59:59.999999+00')$$, $$pulid_upper_bound('prd',
        '-infinity')$$]) call;
SELECT is_empty(
    $$SELECT a, b FROM
        unnest('{-infinity,infinity,4713-01-01 BC,1970-01-01 00:00:00+00,
            294276-12-31 23:59:59.999999+00}'::timestamptz[]) a,
                       unnest('{-infinity,infinity,4713-01-01 BC,1970-01-01 00:00:00+00,
                           294276-12-31 23:59:59.999999+00}'::timestamptz[]) b,
                       unnest('{prd_01jq3v8f6a7b2c8d9e0f1g2h3j,00000000000000000000000000,
                           7zzzzzzzzzzzzzzzzzzzzzzzzz}'::pulid[]) id
      WHERE pulid_created_between(id, a, b) IS DISTINCT FROM (pulid_timestamp(id) >= a
          AND pulid_timestamp(id) < b)$$,
    'pulid_created_between takes any instants');

-- One rule behind every door: thousands of mutated ids, judged by a pattern that shares no code
-- with ours

CREATE TABLE mutated (n int, s text);
CREATE FUNCTION mutate(s text, seed text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE kind
        WHEN 0 THEN overlay(s PLACING letter FROM place FOR 1)
        WHEN 1 THEN overlay(s PLACING letter FROM place FOR 0)
        WHEN 2 THEN overlay(s PLACING '' FROM place FOR 1)
        WHEN 3 THEN overlay(s PLACING upper(substr(s, place, 1)) FROM place FOR 1)
        WHEN 4 THEN upper(left(s, place)) || substr(s, place + 1)
        WHEN 5 THEN left(s, place) || substr(s, place)
        WHEN 6 THEN left(s, place)
        ELSE replace(s, substr(s, place, 1), letter) END
    FROM (SELECT abs(hashtext('k' || seed)) % 8, 1 + abs(hashtext('p'
        || seed)) % greatest(length(s), 1),
                 substr('0179zjaA_I lLoOuU-89gqſéı' || chr(8490) || E'\n', 1 + abs(hashtext('l'
                     || seed)) % 27, 1)) AS v(kind, place, letter)
$$;
INSERT INTO mutated
SELECT i, CASE i % 4 WHEN 0 THEN s WHEN 1 THEN mutate(s, 'a' || i) WHEN 2 THEN mutate(mutate(s, 'b'
    || i), 'c' || i)
                     ELSE mutate(mutate(mutate(s, 'd' || i), 'e' || i), 'f' || i) END
FROM generate_series(1, 20000) i,
     LATERAL (SELECT (ARRAY['', 'prd', 'a', 'pre_fix', 'a__b', repeat('z', 63), repeat('y', 62)
         || 'z'])[1 + i % 7]) p(p),
     LATERAL (SELECT pulid_from_uuid(p, md5(i::text)::uuid)::text) s(s);
CREATE VIEW judged AS
SELECT s, folded ~ '^([a-z]([a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}$' COLLATE "C" AS good,
    folded
FROM mutated, LATERAL (SELECT translate(s, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    'abcdefghijklmnopqrstuvwxyz')) f(folded);
SELECT ok(count(*) FILTER (WHERE good) > 5000 AND count(*) FILTER (WHERE NOT good) > 5000,
    'Some thousand mutated texts are ids and some thousand are not') FROM judged;
SELECT is_empty($$SELECT s, good, pulid_is_valid(s) FROM judged WHERE pulid_is_valid(s) <> good$$,
    'pulid_is_valid agrees with the pattern');
SELECT is_empty($$SELECT s FROM judged WHERE state(format('SELECT %L::pulid', s)) <> CASE
    WHEN pulid_is_valid(s) THEN 'accepted' ELSE '22P02' END$$,
    'pulid_is_valid says whether the input function succeeds');
SELECT is_empty(
    $$SELECT s FROM judged WHERE state(format('SELECT %L::text::pulid', s)) <> CASE
        WHEN pulid_is_valid(s) THEN 'accepted' ELSE '22P02' END
         OR (pulid_try_parse(s) IS NOT NULL) <> pulid_is_valid(s)$$,
    'pulid_is_valid says whether the cast and pulid_try_parse succeed');
SELECT is_empty($$SELECT s FROM judged WHERE good AND pulid_try_parse(s)::text IS DISTINCT
    FROM folded$$,
    'What is valid prints as its own text, folded');
SELECT is_empty(
    $$SELECT s FROM judged WHERE pulid_is_canonical(s) IS DISTINCT FROM (good
        AND s = folded COLLATE "C")
         OR pulid_is_valid(s, 'prd') IS DISTINCT FROM (good AND folded LIKE 'prd\_%'
             AND length(folded) = 30)
         OR pulid_is_canonical(s, 'prd') IS DISTINCT FROM (good AND s LIKE 'prd\_%'
             AND length(s) = 30 AND s = folded COLLATE "C")$$,
    'pulid_is_canonical and the predicates with a prefix agree with the pattern');
SELECT is_empty($$SELECT s, pulid_tidy(s) FROM judged WHERE good AND pulid_tidy(s) IS DISTINCT
    FROM pulid_parse(s)$$,
    'pulid_tidy reads what is valid as the parser does');

-- Soft errors, from 16 on

SELECT current_setting('server_version_num')::int >= 160000 AS soft \gset
\if :soft
SELECT is_empty($$SELECT s FROM judged WHERE pg_input_is_valid(s, 'pulid') <> good$$,
    'pg_input_is_valid agrees with the pattern');
SELECT is_empty($$SELECT t FROM wrong WHERE pg_input_is_valid(t, 'pulid(''prd'')')$$,
    'pg_input_is_valid refuses a wrong prefix');
SELECT results_eq(
    $$SELECT sql_error_code, message FROM pg_input_error_info('foo', 'pulid')
      UNION ALL SELECT sql_error_code, message FROM
          pg_input_error_info('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 'pulid(''prd'')')$$,
    $$VALUES ('22P02', 'invalid input syntax for type pulid: "foo"'),
             ('23514', 'id "usr_01jq3v8f6a7b2c8d9e0f1g2h3j" has prefix "usr", '
                       || 'but prefix "prd" is required')$$,
    'pg_input_error_info tells what the error would be');
\else
SELECT skip('soft errors came with PostgreSQL 16', 3);
\endif

-- Memory

CREATE FUNCTION backend_memory(OUT contexts bigint, OUT resident bigint) LANGUAGE sql VOLATILE AS $$
    SELECT sum(total_bytes)::bigint, 1024 * substring(pg_read_file('/proc/self/status')
        FROM 'VmRSS:\s+(\d+)')::bigint
    FROM pg_backend_memory_contexts
$$;
CREATE FUNCTION failing_parses(n int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE texts text[] := ARRAY['foo', 'prd_80000000000000000000000000', '_', repeat('é', 300),
    'usr_01jq3v8f6a7b2c8d9e0f1g2h3j'];
        value pulid; prd pulid('prd'); failed int := 0;
BEGIN
    FOR i IN 1 .. n LOOP
        BEGIN
            IF i % 5 = 4 THEN prd := texts[5]::pulid; ELSE value := texts[1 + i % 5 % 4]; END IF;
        EXCEPTION WHEN invalid_text_representation OR check_violation THEN
            failed := failed + 1;
        END;
    END LOOP;
    RETURN failed;
END $$;
SELECT is(failing_parses(20000), 20000, 'Every one of the first failing parses fails');
CREATE TEMP TABLE memory AS SELECT 'before' AS at, m.* FROM backend_memory() m;
SELECT is(failing_parses(1000000), 1000000, 'A million parses fail');
INSERT INTO memory SELECT 'after', m.* FROM backend_memory() m;
SELECT cmp_ok((SELECT contexts FROM memory WHERE at = 'after') - (SELECT contexts FROM memory
    WHERE at = 'before'),
    '<', 1000000::bigint, 'A million failing parses leave no memory allocated');
SELECT cmp_ok((SELECT resident FROM memory WHERE at = 'after') - (SELECT resident FROM memory
    WHERE at = 'before'),
    '<', 8000000::bigint, 'A million failing parses leave the process as small as it was');
DELETE FROM memory;
SELECT is(count(pulid_try_parse(repeat('x', i % 200))), 0::bigint,
    'pulid_try_parse returns NULL for junk') FROM generate_series(1, 1000) i;
INSERT INTO memory SELECT 'before', m.* FROM backend_memory() m;
SELECT is((SELECT count(*) FROM (SELECT generate_series(1, 1000000) AS i) s
           WHERE pulid_try_parse('prd_' || repeat('x', i % 200)) IS NULL
               AND NOT pulid_is_valid(i::text) AND pulid_tidy(i::text || 'é') IS NULL
             AND pulid_extract(i::text) = '{}'), 1000000::bigint,
    'A million junk texts are no ids to any parser that returns NULL');
INSERT INTO memory SELECT 'after', m.* FROM backend_memory() m;
SELECT cmp_ok((SELECT resident FROM memory WHERE at = 'after') - (SELECT resident FROM memory
    WHERE at = 'before'),
    '<', 8000000::bigint, 'A million junk texts leave the process as small as it was');

SELECT is(state(format('SELECT %L::pulid_bound', repeat('a', 91))), '22P02',
    'A bound that is longer than any id is refused');

SELECT is('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid::text, 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j',
    'The session is usable after all that');

SELECT * FROM finish();
ROLLBACK;
