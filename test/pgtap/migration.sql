-- What the tools of a migration refuse, with which words, and what they leave alone; check_text;
-- the rights of those who call them. The cut-over itself is in test/t/migration.pl.
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

SELECT plan(54);

-- check_text

CREATE TABLE tag (id varchar PRIMARY KEY, note text, n int);
INSERT INTO tag VALUES
    ('tag_01jq3v8f6a7b2c8d9e0f1g2h3j', 'tag_01jq3v8f6a7b2c8d9e0f1g2h3j', 1),
    ('TAG_01JQ3V8F6A7B2C8D9E0F1G2H3J', 'TAG_01JQ3V8F6A7B2C8D9E0F1G2H3J', 2),
    ('TAG_01JQ3V8F6A7B2C8D9E0F1G2H3K', NULL, 3), ('cat_01jq3v8f6a7b2c8d9e0f1g2h3j', ' ', 4),
    ('01jq3v8f6a7b2c8d9e0f1g2h3j', '', 5), ('tag_01jq3v8f6a7b2c8d9e0f1g2h3l', '☃', 6);

SELECT set_eq(
    $$SELECT key ->> 'id', value, reason FROM prefixed_ulid.check_text('tag', 'id', 'tag')$$,
    $$SELECT v, v AS same, r FROM (VALUES
        ('TAG_01JQ3V8F6A7B2C8D9E0F1G2H3J', 'Another row has the same id in other letter case.'),
        ('cat_01jq3v8f6a7b2c8d9e0f1g2h3j',
         'id "cat_01jq3v8f6a7b2c8d9e0f1g2h3j" has prefix "cat", but prefix "tag" is required'),
        ('01jq3v8f6a7b2c8d9e0f1g2h3j',
         'id "01jq3v8f6a7b2c8d9e0f1g2h3j" has no prefix, but prefix "tag" is required'),
        ('tag_01jq3v8f6a7b2c8d9e0f1g2h3l',
         'Character "l" at position 30 is not one of 0-9, a-h, j, k, m, n, p-t, v-z.')) AS e(v,
             r)$$,
    'check_text lists what would not convert, and why');
SELECT set_eq(
    $$SELECT (key ->> 'id') ~ '^(cat|01|tag)', value, split_part(reason, ' ', 1)
      FROM prefixed_ulid.check_text('tag', 'note', 'tag')$$,
    $$VALUES (true, ' ', 'Expected'), (true, '', 'The'), (true, '☃', 'Character')$$,
    'In a column that is not unique the same id may come twice; NULL converts');
SELECT set_eq(
    $$SELECT value FROM prefixed_ulid.check_text('tag', 'id', '')$$,
    $$SELECT id FROM tag WHERE id <> '01jq3v8f6a7b2c8d9e0f1g2h3j'$$,
    'The prefix may be empty: bare ULIDs');
CREATE TABLE "No key" (t text);
INSERT INTO "No key" VALUES ('x');
SELECT results_eq(
    $$SELECT key FROM prefixed_ulid.check_text('"No key"', 't', 'tag')$$,
    $$VALUES ('{"ctid": "(0,1)"}'::jsonb)$$, 'A row without a key is named by its place');
SELECT throws_ok($$SELECT * FROM prefixed_ulid.check_text('tag', 'id', 'TAG')$$, '22023');
SELECT throws_ok($$SELECT * FROM prefixed_ulid.check_text('tag', 'nope', 'tag')$$, '42703',
    'table public.tag has no column "nope"');
SELECT throws_ok($$SELECT * FROM prefixed_ulid.check_text('tag', 'n', 'tag')$$, '42804',
    'column "n" of table public.tag is not a text column');
SELECT results_eq($$SELECT pulid_problem('tag_01jq3v8f6a7b2c8d9e0f1g2h3j', 'tag')$$,
    $$VALUES (NULL::text)$$, 'No problem is NULL');

-- migration_plan

CREATE TABLE parent (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, created_at timestamptz,
    id_too int UNIQUE);
CREATE TABLE child (id int PRIMARY KEY, parent bigint REFERENCES parent, more bigint);
CREATE TABLE keyless (id int, created_at timestamptz);
CREATE TABLE timeless (id int PRIMARY KEY, created_at text);
CREATE TABLE two (a int, b int, created_at date, PRIMARY KEY (a, b));
CREATE TABLE ready (id pulid('rea') PRIMARY KEY, created_at date);
CREATE TABLE parted (id int PRIMARY KEY, created_at date) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (1) TO (9);
CREATE TABLE heir () INHERITS (keyless);
CREATE VIEW seen AS SELECT * FROM parent;
CREATE TABLE only_reference (parent bigint PRIMARY KEY REFERENCES parent, created_at date);

CREATE FUNCTION plan_throws(arguments text, sqlstate_ text, message text, hint text DEFAULT NULL)
RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE m text; s text; h text;
BEGIN
    BEGIN
        EXECUTE format('SELECT * FROM prefixed_ulid.migration_plan(%s)', arguments);
    EXCEPTION WHEN others THEN
        GET STACKED DIAGNOSTICS m = MESSAGE_TEXT, s = RETURNED_SQLSTATE, h = PG_EXCEPTION_HINT;
    END;
    RETURN NEXT is(format('%s: %s', s, m), format('%s: %s', sqlstate_, message),
        'migration_plan(' || arguments || ') is refused');
    IF hint IS NOT NULL THEN
        RETURN NEXT matches(h, hint, 'with a hint');
    END IF;
END $$;

SELECT plan_throws($$'parent', 'PRD'$$, '22023', 'invalid prefix: "PRD"');
SELECT plan_throws($$'seen', 'prd'$$, '42809', 'public.seen is not a table');
SELECT plan_throws($$'keyless', 'prd'$$, '0A000', 'cannot plan the migration of table '
    'public.keyless, which inherits or is inherited from', 'ordinary table');
SELECT plan_throws($$'parted', 'prd'$$, '0A000',
    'cannot plan the migration of partitioned table public.parted', 'Move the rows');
SELECT plan_throws($$'parted_1', 'prd'$$, '0A000', 'cannot plan the migration of table '
    'public.parted_1, which inherits or is inherited from', 'A partition');
SELECT plan_throws($$'"No key"', 'prd'$$, '42P16', 'table public."No key" has no primary key',
    'Add one');
SELECT plan_throws($$'timeless', 'prd'$$, '42804',
    'column "created_at" of table public.timeless is of type text, which is no time');
SELECT plan_throws($$'child', 'prd'$$, '42703', 'table public.child has no column "created_at"',
    'created_at =>');
SELECT plan_throws($$'parent', 'prd', created_at => 'nope'$$, '42703',
    'table public.parent has no column "nope"');
SELECT plan_throws($$'two', 'prd'$$, '22023', 'the primary key of table public.two has 2 columns',
    $$key_column => 'a' or 'b'$$);
SELECT plan_throws($$'two', 'prd', key_column => 'created_at'$$, '22023',
    'column "created_at" is not in the primary key of table public.two');
SELECT plan_throws($$'ready', 'prd'$$, '42804',
    $$cannot plan the migration of column "id" of type pulid('rea')$$, 'an integer');
SELECT plan_throws($$'only_reference', 'prd'$$, '0A000',
    'column "parent" of table public.only_reference is itself a foreign key',
        'Migrate the table');

SELECT lives_ok($$SELECT * FROM prefixed_ulid.migration_plan('parent', 'prd')$$,
    'This one has a plan');
SELECT is((SELECT count(*) FROM pg_attribute WHERE attname IN ('id_new', 'id_old')), 0::bigint,
    'A plan changes nothing');
CREATE TABLE grandchild (c bigint REFERENCES only_reference);
SELECT plan_throws($$'parent', 'prd'$$, '0A000',
    'cannot plan the migration of column "parent" of table public.only_reference', 'Drop that');
DROP TABLE grandchild;
ALTER TABLE child ADD parent_old int;
SELECT plan_throws($$'parent', 'prd'$$, '42701',
    'column "parent_old" of table public.child already exists', 'rename');
ALTER TABLE child DROP parent_old;
CREATE TABLE part (parent bigint REFERENCES parent, PRIMARY KEY (parent)) PARTITION BY HASH
    (parent);
SELECT plan_throws($$'parent', 'prd'$$, '0A000',
    'cannot plan the migration of column "parent" of partitioned table public.part', 'Move');
DROP TABLE part;
CREATE VIEW parents AS SELECT id FROM parent;
CREATE TRIGGER touched BEFORE UPDATE ON parent FOR EACH ROW
    EXECUTE FUNCTION suppress_redundant_updates_trigger();
SELECT matches(
    (SELECT note FROM prefixed_ulid.migration_plan('parent', 'prd') WHERE phase = 'swap'),
    'These stay with the old columns: .*view public.parents', 'Views are named where they matter');
SELECT matches(
    (SELECT note FROM prefixed_ulid.migration_plan('parent', 'prd') WHERE phase = 'fill' LIMIT 1),
    'fire for each row: touched', 'and so are triggers');
SELECT is_empty(
    $$SELECT step FROM prefixed_ulid.migration_plan('parent', 'prd')
      WHERE COALESCE(statement, '') = '' OR COALESCE(lock, '') = '' OR COALESCE(undo, '') = ''$$,
    'Every step has a statement, a lock and an undo');
SELECT results_eq(
    $$SELECT count(*)::int = max(step) AND min(step) = 1
      FROM prefixed_ulid.migration_plan('parent', 'prd')$$, $$VALUES (true)$$,
    'Steps are numbered');
SELECT is_empty(
    $$SELECT step FROM prefixed_ulid.migration_plan('parent', 'prd')
      WHERE statement ~ 'ADD COLUMN' AND statement ~ 'DEFAULT'$$,
    'No column comes with a default');

-- Rights

CREATE ROLE pulid_other;
GRANT SELECT ON tag, parent TO pulid_other;
SET ROLE pulid_other;
SELECT plan_throws($$'parent', 'prd'$$, '42501', 'must be owner of table public.parent');
SELECT throws_ok($$CALL prefixed_ulid.backfill('parent', 'id_too', 'prd')$$, '42501',
    'must be owner of table public.parent');
SELECT is((SELECT count(*) FROM prefixed_ulid.check_text('tag', 'id', 'tag')), 4::bigint,
    'Whoever may read may check');
SELECT throws_ok($$SELECT * FROM prefixed_ulid.check_text('"No key"', 't', 'tag')$$, '42501');
SELECT throws_ok($$INSERT INTO prefixed_ulid.backfill_progress
    VALUES ('tag', 'id', 'somebody', 1, now(), now(), 0, 0, DEFAULT, false)$$, '42501');
RESET ROLE;

-- backfill: what it refuses before it begins

SELECT throws_ok($$CALL prefixed_ulid.backfill('seen', 'id', 'prd')$$, '42809',
    'public.seen is not a table');
SELECT throws_ok($$CALL prefixed_ulid.backfill('parent', 'nope', 'prd')$$, '42703',
    'table public.parent has no column "nope"');
SELECT throws_ok($$CALL prefixed_ulid.backfill('parent', 'id_too', 'prd', batch => 0)$$, '22023',
    'invalid number of rows in a batch: 0');
SELECT throws_ok($$CALL prefixed_ulid.backfill('parent', 'id_too', NULL)$$, '22004');
SELECT throws_ok($$CALL prefixed_ulid.backfill('parent', 'id_too', 'PRD')$$, '22023');
SELECT throws_ok($$CALL prefixed_ulid.backfill('parent', 'id_too', 'prd')$$, '2D000',
    'invalid transaction termination');
SELECT is((SELECT count(*) FROM prefixed_ulid.backfill_progress
           WHERE relation IN ('parent'::regclass, 'seen'::regclass)), 0::bigint,
    'and leaves no trace');

SELECT * FROM finish();
ROLLBACK;
