-- Text in and out: what is read, what is refused and in which words; COPY, arrays, JSON; the wire
-- format.
\set SHOW_CONTEXT never
-- SQLSTATE, DETAIL and message that an input raises; NULL if it is accepted
CREATE FUNCTION refused(input text, OUT code text, OUT detail text, OUT message text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('SELECT %L::pulid', input);
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, detail = PG_EXCEPTION_DETAIL,
                            message = MESSAGE_TEXT;
END $$;
-- read as written
SELECT pulid 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j';
SELECT '01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid;
SELECT input::pulid::text COLLATE "C" = input AS same, input FROM (VALUES
    ('00000000000000000000000000'), ('7zzzzzzzzzzzzzzzzzzzzzzzzz'),
    ('a_00000000000000000000000000'), ('a_7zzzzzzzzzzzzzzzzzzzzzzzzz'),
    ('pre_fix_00000000000000000000000001'), ('a__b_0123456789abcdefghjkmnpqrs'),
    ('x_x_x_x_x_7tvwxyz0000000000000000000'),
    ('abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz_abcdefghi_01jq3v8f6a7b2c8d9e0f1g2h3j')
) v(input);
-- upper case is folded, in prefix and body
SELECT 'PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J'::pulid, 'Pre_Fix_0123456789ABCDEFGHjkmnpqrs'::pulid,
       '01JQ3V8F6A7B2C8D9E0F1G2H3J'::pulid;
SELECT NULL::pulid IS NULL AS is_null;
-- refused, as a person sees it
SELECT 'foo'::pulid;
SELECT pulid 'prd_01jq3v8f6a7b2c8d9e0f1g2hij';
SELECT 'PRD_01JQ3V8F6A7B2C8D9E0F1G2H3'::pulid;
-- refused: each kind, with the position counted from 1; the text is quoted as it was written
SELECT input, code, detail,
       message = format('invalid input syntax for type pulid: "%s"', input) AS quoted
FROM (VALUES
    (''), ('_'), ('prd'), ('prd_'), ('_prd_'),                               -- length
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3'), ('prd_01jq3v8f6a7b2c8d9e0f1g2h3jk'),
    ('01jq3v8f6a7b2c8d9e0f1g2h3'), ('01jq3v8f6a7b2c8d9e0f1g2h3jk'),
    ('prd01jq3v8f6a7b2c8d9e0f1g2h3j'), ('123456789012345678901234567890'),
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h_j'),
    ('prd_i1jq3v8f6a7b2c8d9e0f1g2h3j'), ('prd_0ljq3v8f6a7b2c8d9e0f1g2h3j'),  -- alphabet
    ('prd_01jq3v8f6a7b2c8d9e0f1g2h3o'), ('prd_01jq3v8f6a7b2c8d9e0f1g2hUj'),
    ('01jq3v8f6a7b2c8d9e0f1g2h3!'), ('prd_01jq3v8f6a7b2c8d9e0f1g2h3:'),
    ('0lllllllllllllllllllllllll'), ('prd_ooooooiiiiiiuuuuuuulllllll'),
    ('prd_01arz3ndeitsv4rrffq69g5fav'),
    ('prd_80000000000000000000000000'), ('prd_zzzzzzzzzzzzzzzzzzzzzzzzzz'),  -- overflow
    ('8arz3ndektsv4rrffq69g5fav0'), ('Z1JQ3V8F6A7B2C8D9E0F1G2H3J'),
    ('_00000000000000000000000000'), ('__00000000000000000000000000'),       -- prefix
    ('_prefix_00000000000000000000000000'), ('prefix__00000000000000000000000000'),
    ('pre1_00000000000000000000000000'), ('12345_00000000000000000000000000'),
    ('pre.fix_00000000000000000000000000'), ('pre-fix_00000000000000000000000000'),
    (' prd_00000000000000000000000000'), ('prd_00000000000000000000000000 '), -- blanks, hyphens
    ('prd _00000000000000000000000000'), ('prd_ 00000000000000000000000000'),
    (' 01jq3v8f6a7b2c8d9e0f1g2h3'), ('prd-01jq3v8f6a7b2c8d9e0f1g2h3j'),
    ('prd_01jq3v-8f6a7b-2c8d9e-0f1g2h3j'), ('0195c7b4-3cca-3ac4-c435-2e03c3014472'),
    ('0195c7b43cca3ac4c4352e03c3014472'), ('{prd_00000000000000000000000000}'),
    ('"prd_00000000000000000000000000"'), ('prd_"0000000000000000000000000')
) v(input), refused(input);
-- 63 letters are a prefix, 64 are none
SELECT n, code, detail FROM (VALUES (63), (64), (65)) v(n),
                            refused(repeat('a', n) || '_00000000000000000000000000');
-- control characters and non-ASCII are shown in hexadecimal, a character whole
SELECT code, message, detail FROM (VALUES
    (1, E'prd_01jq3v8f6a7b2c8d9e0f1g2h3j\n'), (2, E'\tprd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    (3, E'prd_01jq3v8f6a7b2c8d9e0f1g2h3\x7f'), (4, E'pr\u00e9_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    (5, E'prd_01jq3v8f6a7b2c8d9e0f1g2h3\u20ac'), (6, E'prd_01jq\U0001F600'),
    (7, E'prd\u201301jq3v8f6a7b2c8d9e0f1g2h3j'), (8, E'\u00a001jq3v8f6a7b2c8d9e0f1g2h3j'),
    (9, E'prd_01jq3v8f6a7b2c8d9e0f1g2h3\uff4a'), (10, E'\u0130_01jq3v8f6a7b2c8d9e0f1g2h3j')
) v(n, input), refused(input) ORDER BY n;
-- a megabyte is quoted short
SELECT code, length(message), right(message, 12) AS message_end, detail FROM (VALUES
    (1, repeat('a', 1000000)), (2, repeat('0', 1000000)), (3, repeat('_', 1000000)),
    (4, repeat('a', 1000000) || '_01jq3v8f6a7b2c8d9e0f1g2h3j'), (5, repeat(E'\u20ac', 1000000)),
    (6, repeat(' ', 100)), (7, repeat(' ', 101))
) v(n, input), refused(input) ORDER BY n;
-- the functions themselves: an unknown type does no harm
SELECT pulid_in('PRD_01jq3v8f6a7b2c8d9e0f1g2h3j', 0, -1), pulid_in(NULL, 0, -1) IS NULL AS is_null,
       pulid_out('prd_01jq3v8f6a7b2c8d9e0f1g2h3j');
-- the wire format is the text
SELECT encode(pulid_send('PRD_01jq3v8f6a7b2c8d9e0f1g2h3j'), 'escape') AS prefixed,
       pulid_send('00000000000000000000000000') AS bare;
SELECT right(encode(array_send(ARRAY['a_00000000000000000000000001'::pulid]), 'hex'), 64)
       = '0000001c' || encode('a_00000000000000000000000001', 'hex') AS array_element;
-- stored: prefix, 16 bytes, and one byte before them
CREATE TABLE ids (id pulid);
CREATE TABLE texts (id text);
INSERT INTO texts VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), ('01jq3v8f6a7b2c8d9e0f1g2h3j'),
    (repeat('a', 63) || '_01jq3v8f6a7b2c8d9e0f1g2h3j'), (NULL);
INSERT INTO ids SELECT id FROM texts;
SELECT pg_column_size(id), length(id::text) FROM ids;
DROP TABLE texts;
SELECT reltoastrelid FROM pg_class WHERE oid = 'ids'::regclass;
-- PostgreSQL gives every constant of a statement a 4-byte header, and plain storage keeps it
TRUNCATE ids;
INSERT INTO ids VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j');
SELECT pg_column_size(id) AS constant FROM ids;
-- COPY
TRUNCATE ids;
COPY ids FROM stdin;
PRD_01JQ3V8F6A7B2C8D9E0F1G2H3J
01jq3v8f6a7b2c8d9e0f1g2h3j
\N
pre_fix_00000000000000000000000001
\.
COPY ids TO stdout;
COPY ids TO stdout (FORMAT csv, NULL 'null');
\set SHOW_CONTEXT errors
COPY ids FROM stdin;
prd_00000000000000000000000002
prd_0000000000000000000000000l
\.
COPY ids FROM stdin;
prd_00000000000000000000000002\x20
\.
COPY ids FROM stdin;

\.
\set SHOW_CONTEXT never
SELECT count(*) AS still FROM ids;
-- arrays need no quotes
SELECT ARRAY['PRD_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid, NULL]::text;
SELECT '{prd_01jq3v8f6a7b2c8d9e0f1g2h3j, "PRD_00000000000000000000000001" ,NULL}'::pulid[];
SELECT '{prd_01jq3v8f6a7b2c8d9e0f1g2h3j,foo}'::pulid[];
SELECT pg_column_size((ARRAY['prd_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid])[1]) AS in_array;
SELECT array_agg(id ORDER BY id) FROM ids;
-- rows
SELECT ROW('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid, 1)::text;
-- JSON
SELECT to_jsonb('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'::pulid),
       to_json(ARRAY['a_00000000000000000000000001'::pulid]),
       jsonb_build_object('a_00000000000000000000000001'::pulid, NULL::pulid);
SELECT * FROM jsonb_populate_record(NULL::ids, '{"id": "PRD_01jq3v8f6a7b2c8d9e0f1g2h3j"}');
SELECT * FROM json_populate_recordset(NULL::ids,
    '[{"id": null}, {}, {"id": "a_00000000000000000000000001"}]');
SELECT * FROM jsonb_populate_record(NULL::ids, '{"id": "prd_01jq"}');
SELECT * FROM jsonb_populate_record(NULL::ids, '{"id": 42}');
-- a parameter without a type is a pulid
PREPARE echo AS SELECT $1::pulid;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'echo';
EXECUTE echo('PRD_01jq3v8f6a7b2c8d9e0f1g2h3j');
EXECUTE echo('prd_8');
DEALLOCATE echo;
-- the SQLSTATE that programs catch
DO $$ BEGIN
    PERFORM 'foo'::pulid;
EXCEPTION WHEN invalid_text_representation THEN RAISE INFO 'caught';
END $$;
\set VERBOSITY sqlstate
SELECT 'foo'::pulid;
SELECT ''::pulid;
SELECT 'foo'::text::pulid;
SELECT 'foo'::varchar::pulid;
SELECT '{foo}'::pulid[];
COPY ids FROM stdin;
foo
\.
SELECT pulid_in('usr_01jq3v8f6a7b2c8d9e0f1g2h3j', 4294967295, 5); -- no such type, no such modifier
\set VERBOSITY default
DROP TABLE ids;
DROP FUNCTION refused;
