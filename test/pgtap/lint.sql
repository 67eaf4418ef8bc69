-- prefixed_ulid.lint(): for each rule what it finds, what it lets be, and that its SQL mends it;
-- and enforce_unique_prefixes(). Restore and two sessions: test/t/data_model.pl.
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

SELECT plan(59);

CREATE SCHEMA shop;
SET LOCAL search_path = shop, public;

-- Rule and object of each finding.
CREATE FUNCTION findings() RETURNS SETOF text LANGUAGE sql
    AS 'SELECT rule || '' '' || object FROM prefixed_ulid.lint()';

-- Runs the SQL of all findings, and says how many had one.
CREATE FUNCTION mend() RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    finding record;
    mended int := 0;
BEGIN
    FOR finding IN SELECT * FROM prefixed_ulid.lint() AS l WHERE l.mend IS NOT NULL LOOP
        EXECUTE finding.mend;
        mended := mended + 1;
    END LOOP;
    RETURN mended;
END $$;

SELECT is_empty('SELECT * FROM findings()', 'Nothing is found where nothing is');

-- What is well

CREATE TABLE product (id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'), name text);
CREATE DOMAIN subscriber_id AS pulid CHECK (pulid_has_prefix(VALUE, 'sub'))
    DEFAULT pulid_generate('sub');
CREATE TABLE subscriber (id subscriber_id PRIMARY KEY, product pulid('prd') REFERENCES product);
CREATE TABLE invoice (id text COLLATE "C" PRIMARY KEY DEFAULT pulid_generate('inv')
    CHECK (pulid_is_canonical(id, 'inv')));
CREATE TABLE receipt (id varchar(40) COLLATE "POSIX" PRIMARY KEY DEFAULT pulid_generate_v4('rcpt')
    CHECK (pulid_is_canonical(id, 'rcpt')), invoice text COLLATE "C" REFERENCES invoice);
CREATE TABLE token (id pulid('') PRIMARY KEY DEFAULT pulid_generate_v4(''));
CREATE TABLE detail (id pulid('prd') PRIMARY KEY REFERENCES product, size int);
CREATE TABLE note (id pulid PRIMARY KEY, about text, at timestamptz);
CREATE TABLE visit (id pulid('vis') PRIMARY KEY DEFAULT pulid_generate('vis'))
    PARTITION BY RANGE (id);
CREATE TABLE visit_1 PARTITION OF visit DEFAULT;
CREATE TABLE parent (id pulid('par') PRIMARY KEY DEFAULT pulid_generate('par'));
CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent);
CREATE VIEW view_of_product AS SELECT * FROM product;
CREATE TABLE customer (key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id pulid('cus') NOT NULL UNIQUE DEFAULT pulid_generate_v4('cus'));
CREATE TABLE membership (customer bigint REFERENCES customer, product pulid('prd')
    REFERENCES product, PRIMARY KEY (customer, product));
CREATE TABLE account (no text COLLATE "C" PRIMARY KEY CHECK (digit_id_is_canonical(no, 'ACC', 8)));
CREATE TABLE category (id pulid('cat') PRIMARY KEY DEFAULT pulid_generate('cat'),
    parent_id pulid('cat') REFERENCES category);
CREATE TABLE derived (u uuid, id pulid('der') PRIMARY KEY
    GENERATED ALWAYS AS (pulid_from_uuid('der', u)) STORED);
CREATE TABLE number (n int PRIMARY KEY, big bigint DEFAULT 1);
CREATE TEMP TABLE scratch (id pulid('prd') PRIMARY KEY, u uuid);
INSERT INTO prefixed_ulid.reserved VALUES ('old', 'orders until 2024');
SELECT is_empty('SELECT * FROM findings()', 'Nor in a database as it should be');

-- duplicate_prefix

CREATE TABLE "Product 2" (id pulid PRIMARY KEY DEFAULT pulid_generate('prd'));
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('duplicate_prefix', 'error', 'shop."Product 2".id',
              'prefix "prd" also belongs to the primary key of shop.product', NULL),
             ('duplicate_prefix', 'error', 'shop.product.id',
              'prefix "prd" also belongs to the primary key of shop."Product 2"', NULL)$$,
    'One prefix, two primary keys');
ALTER TABLE "Product 2" ADD FOREIGN KEY (id) REFERENCES product;
SELECT is_empty('SELECT * FROM findings()', 'unless one holds ids of the other');
DROP TABLE "Product 2";

-- prefix_length

CREATE TABLE p (id pulid('p') PRIMARY KEY DEFAULT pulid_generate('p'));
CREATE TABLE refers_to_p (p pulid('p') REFERENCES p, a pulid('a_b'), b pulid('abcde'),
    c pulid('ab'), d pulid('abcd'));
SELECT results_eq(
    $$SELECT * FROM prefixed_ulid.lint() WHERE object = 'shop.p.id'$$,
    $$VALUES ('prefix_length', 'advice', 'shop.p.id', 'prefix "p" does not have 3 or 4 letters',
              NULL)$$,
    'Advice to have prefixes of 3 or 4 letters');
SELECT set_eq('SELECT * FROM findings()',
    ARRAY['prefix_length shop.p.id', 'prefix_length shop.refers_to_p.a',
          'prefix_length shop.refers_to_p.b', 'prefix_length shop.refers_to_p.c'],
    'Too long, too short, no letters; but not at each foreign key');
DROP TABLE p, refers_to_p;

-- missing_default

CREATE TABLE "Order" ("Id" pulid('ord') PRIMARY KEY);
CREATE TABLE letter (id text COLLATE "C" PRIMARY KEY CHECK (pulid_is_canonical(id, 'let')));
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('missing_default', 'warning', 'shop."Order"."Id"', 'primary key has no default',
              'ALTER TABLE shop."Order" ALTER COLUMN "Id" SET DEFAULT pulid_generate(''ord'');'),
             ('missing_default', 'warning', 'shop.letter.id', 'primary key has no default',
              'ALTER TABLE shop.letter ALTER COLUMN id SET DEFAULT pulid_generate(''let'');')$$,
    'A primary key without default');
SELECT is(mend(), 2, 'The SQL runs');
SELECT is_empty('SELECT * FROM findings()', 'and mends it');
INSERT INTO "Order" DEFAULT VALUES;
INSERT INTO letter DEFAULT VALUES;
SELECT ok((SELECT pulid_has_prefix("Id", 'ord') FROM "Order")
      AND (SELECT id LIKE 'let\_%' FROM letter), 'for good');
DROP TABLE "Order", letter;

-- missing_check

CREATE TABLE letter (id text COLLATE "C" PRIMARY KEY DEFAULT pulid_generate('let'));
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('missing_check', 'warning', 'shop.letter.id',
              'text key has a default, but no CHECK that admits nothing else',
              'ALTER TABLE shop.letter ADD CHECK (pulid_is_canonical(id, ''let''));')$$,
    'A text key without CHECK');
SELECT is(mend(), 1, 'The SQL runs');
SELECT is_empty('SELECT * FROM findings()', 'and mends it');
SELECT throws_ok($$INSERT INTO letter VALUES ('x')$$, '23514', NULL, 'for good');
DROP TABLE letter;

-- collation

CREATE TABLE letter (id text PRIMARY KEY DEFAULT pulid_generate('let')
    CHECK (pulid_is_canonical(id, 'let')));
CREATE COLLATION other (PROVIDER = libc, LOCALE = 'C.UTF-8');
CREATE TABLE reply (id varchar(40) COLLATE other PRIMARY KEY DEFAULT pulid_generate('rep')
    CHECK (pulid_is_canonical(id, 'rep')), letter text REFERENCES letter, note text);
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('collation', 'warning', 'shop.letter.id',
              'text key is in collation "default", not in byte order',
              'ALTER TABLE shop.letter ALTER COLUMN id TYPE text COLLATE "C";'),
             ('collation', 'warning', 'shop.reply.id',
              'text key is in collation "other", not in byte order',
              'ALTER TABLE shop.reply ALTER COLUMN id TYPE character varying(40) COLLATE "C";'),
             ('collation', 'warning', 'shop.reply.letter',
              'text key is in collation "default", not in byte order',
              'ALTER TABLE shop.reply ALTER COLUMN letter TYPE text COLLATE "C";')$$,
    'A text key in another collation than byte order, and what references it');
SELECT is(mend(), 3, 'The SQL runs');
SELECT is_empty('SELECT * FROM findings()', 'and mends it');
SELECT lives_ok('SELECT FROM reply JOIN letter ON letter.id = reply.letter', 'for joins, too');
DROP TABLE reply, letter;

-- foreign_key_mismatch

CREATE TABLE line (product pulid('pro') REFERENCES product, s subscriber_id REFERENCES product,
    right_one pulid('prd') REFERENCES product,
    c pulid('ven'), v pulid('vis') REFERENCES visit, FOREIGN KEY (c) REFERENCES category);
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('foreign_key_mismatch', 'error', 'shop.line.c',
              'references ids with the prefix "cat", but "ven" is declared', NULL),
             ('foreign_key_mismatch', 'error', 'shop.line.product',
              'references ids with the prefix "prd", but "pro" is declared', NULL),
             ('foreign_key_mismatch', 'error', 'shop.line.s',
              'references ids with the prefix "prd", but "sub" is declared', NULL)$$,
    'A foreign key whose sides have different prefixes');
DROP TABLE line;

-- plain_foreign_key

CREATE DOMAIN any_id AS pulid;
CREATE TABLE line (product pulid REFERENCES product, a any_id CONSTRAINT a REFERENCES product
    CONSTRAINT b REFERENCES product, n pulid REFERENCES note, invoice text COLLATE "C"
    REFERENCES invoice, d pulid CHECK (pulid_has_prefix(d, 'prd')) REFERENCES product);
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('plain_foreign_key', 'warning', 'shop.line.a',
              'references ids with the prefix "prd", but admits any',
              'ALTER TABLE shop.line ADD CHECK (pulid_has_prefix(a, ''prd''));'),
             ('plain_foreign_key', 'warning', 'shop.line.product',
              'references ids with the prefix "prd", but admits any',
              'ALTER TABLE shop.line ADD CHECK (pulid_has_prefix(product, ''prd''));')$$,
    'A foreign key of plain pulid to a key that has a prefix');
SELECT is(mend(), 2, 'The SQL runs');
SELECT is_empty('SELECT * FROM findings()', 'and mends it');
DROP TABLE line;

-- other_key

CREATE TABLE by_uuid (id uuid PRIMARY KEY);
CREATE TABLE by_serial (id bigserial PRIMARY KEY, other serial);
CREATE TABLE by_identity (tenant int, id int GENERATED BY DEFAULT AS IDENTITY,
    product pulid('prd') REFERENCES product UNIQUE, PRIMARY KEY (tenant, id));
CREATE TABLE part (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE part_1 PARTITION OF part DEFAULT;
CREATE TABLE same_key (id uuid PRIMARY KEY REFERENCES by_uuid);
CREATE SEQUENCE used;
CREATE TABLE by_sequence (id int PRIMARY KEY DEFAULT nextval('used'));
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('other_key', 'advice', 'shop.by_identity.id', 'primary key is an identity column',
              NULL),
             ('other_key', 'advice', 'shop.by_serial.id', 'primary key is a serial column', NULL),
             ('other_key', 'advice', 'shop.by_uuid.id', 'primary key is of type uuid', NULL),
             ('other_key', 'advice', 'shop.part.id', 'primary key is of type uuid', NULL)$$,
    'Advice on primary keys of other kinds');
DROP TABLE by_uuid, by_serial, by_identity, part, same_key, by_sequence;

-- reserved_prefix

INSERT INTO prefixed_ulid.reserved VALUES ('cat', NULL), ('vis', 'of the lab');
CREATE TABLE line (c pulid('cat') REFERENCES category, d text CHECK (pulid_is_canonical(d, 'old')));
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('reserved_prefix', 'error', 'shop.category.id', 'prefix "cat" is reserved', NULL),
             ('reserved_prefix', 'error', 'shop.line.d',
              'prefix "old" is reserved: orders until 2024', NULL),
             ('reserved_prefix', 'error', 'shop.visit.id',
              'prefix "vis" is reserved: of the lab', NULL)$$,
    'A prefix that is reserved');
DELETE FROM prefixed_ulid.reserved WHERE prefix <> 'old';
DROP TABLE line;

-- default_mismatch

CREATE TABLE thing (id pulid('thi') PRIMARY KEY DEFAULT pulid_generate('tho'));
CREATE TABLE things (id text COLLATE "C" PRIMARY KEY CHECK (pulid_is_canonical(id, 'thg'))
    DEFAULT pulid_generate('tho'), a pulid('aaa') DEFAULT pulid_generate_v4('abc'),
    b subscriber_id DEFAULT pulid_generate('bbb', now()), c subscriber_id DEFAULT NULL);
SELECT results_eq('SELECT * FROM prefixed_ulid.lint()',
    $$VALUES ('default_mismatch', 'error', 'shop.thing.id',
              'default makes ids with the prefix "tho", but "thi" is declared',
              'ALTER TABLE shop.thing ALTER COLUMN id SET DEFAULT pulid_generate(''thi'');'),
             ('default_mismatch', 'error', 'shop.things.a',
              'default makes ids with the prefix "abc", but "aaa" is declared', NULL),
             ('default_mismatch', 'error', 'shop.things.b',
              'default makes ids with the prefix "bbb", but "sub" is declared',
              'ALTER TABLE shop.things ALTER COLUMN b SET DEFAULT pulid_generate(''sub'');'),
             ('default_mismatch', 'error', 'shop.things.id',
              'default makes ids with the prefix "tho", but "thg" is declared',
              'ALTER TABLE shop.things ALTER COLUMN id SET DEFAULT pulid_generate(''thg'');')$$,
    'A default that is not of the declared prefix');
SELECT is(mend(), 3, 'The SQL runs');
SELECT set_eq('SELECT * FROM findings()', ARRAY['default_mismatch shop.things.a'],
    'and mends it, unless that might reveal the time');
DROP TABLE thing, things;

-- contradiction

CREATE DOMAIN contrary AS subscriber_id CHECK (pulid_has_prefix(VALUE, 'con'));
CREATE TABLE thing (
    id pulid('thi') PRIMARY KEY DEFAULT pulid_generate('thi') CHECK (pulid_has_prefix(id, 'tho')),
    a subscriber_id CHECK (pulid_has_prefix(a, 'bus')), b contrary,
    c pulid CHECK (pulid_has_prefix(c, 'ccc')) CHECK (pulid_has_prefix(c, 'ccd')),
    d pulid('ddd') CHECK (pulid_has_prefix(d, 'ddd')));
SELECT results_eq('SELECT * FROM prefixed_ulid.lint() WHERE rule <> ''default_mismatch''',
    $$VALUES ('contradiction', 'error', 'shop.thing.a', 'no id satisfies all that is declared: '
              'prefix "bus" by CHECK, prefix "sub" by domain', NULL),
             ('contradiction', 'error', 'shop.thing.b', 'no id satisfies all that is declared: '
              'prefix "con" by domain, prefix "sub" by domain', NULL),
             ('contradiction', 'error', 'shop.thing.c', 'no id satisfies all that is declared: '
              'prefix "ccc" by CHECK, prefix "ccd" by CHECK', NULL),
             ('contradiction', 'error', 'shop.thing.id', 'no id satisfies all that is declared: '
              'prefix "thi" by type, prefix "tho" by CHECK', NULL)$$,
    'Declarations that contradict each other');
DROP TABLE thing;

SELECT is_empty('SELECT * FROM findings()', 'After all that nothing is left');

-- Order

CREATE TABLE p (id pulid('p') PRIMARY KEY DEFAULT pulid_generate('q'));
CREATE TABLE q (id pulid('q') PRIMARY KEY);
SELECT results_eq('SELECT severity, rule, object FROM prefixed_ulid.lint()',
    $$VALUES ('error', 'default_mismatch', 'shop.p.id'),
             ('warning', 'missing_default', 'shop.q.id'), ('advice', 'prefix_length', 'shop.p.id'),
             ('advice', 'prefix_length', 'shop.q.id')$$,
    'Errors come first, advice last');
DROP TABLE p, q;

-- By anyone

CREATE ROLE prefixed_ulid_nobody;
CREATE TABLE "Order" (id pulid('ord') PRIMARY KEY);
SET ROLE prefixed_ulid_nobody;
SELECT is((SELECT mend FROM prefixed_ulid.lint()),
    'ALTER TABLE shop."Order" ALTER COLUMN id SET DEFAULT pulid_generate(''ord'');',
    'Who has no rights on a schema may lint it as well');
RESET ROLE;
DROP TABLE "Order";

-- enforce_unique_prefixes()

CREATE TABLE duplicate (id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'));
SELECT throws_ok('SELECT prefixed_ulid.enforce_unique_prefixes()', '42710',
    'shop.duplicate.id: prefix "prd" also belongs to the primary key of shop.product',
    'Not while a prefix belongs to two primary keys');
SELECT is_empty('SELECT FROM pg_event_trigger', 'There is no event trigger then');
DROP TABLE duplicate;

SET ROLE prefixed_ulid_nobody;
SELECT throws_ok('SELECT prefixed_ulid.enforce_unique_prefixes()', '42501',
    'permission denied to enforce unique prefixes', 'Only a superuser may');
RESET ROLE;
SELECT lives_ok('SELECT prefixed_ulid.enforce_unique_prefixes()', 'From here it is enforced');
SELECT lives_ok('SELECT prefixed_ulid.enforce_unique_prefixes()', 'which may be said twice');
SELECT results_eq(
    $$SELECT evtname::text COLLATE "default", evtfoid::regproc::text FROM pg_event_trigger$$,
    $$VALUES ('prefixed_ulid_unique_prefixes', 'prefixed_ulid.check_unique_prefixes')$$,
    'There is one event trigger');

-- All that stands here is of one transaction; what was before it: test/t/data_model.pl.
SELECT throws_ok(statement, '42710',
    'prefix "prd" already belongs to the primary key of table shop.product', statement)
FROM unnest(ARRAY[
    'CREATE TABLE taken (id pulid(''prd'') PRIMARY KEY)',
    'CREATE TABLE taken (LIKE product INCLUDING ALL)',
    'CREATE TABLE taken (id text PRIMARY KEY DEFAULT pulid_generate(''prd''))',
    'CREATE TABLE taken (id pulid PRIMARY KEY CHECK (pulid_has_prefix(id, ''prd'')))',
    'CREATE SCHEMA nested CREATE TABLE taken (id pulid(''prd'') PRIMARY KEY)',
    'CREATE TABLE taken (id pulid(''prd''), n int, PRIMARY KEY (id, n)) PARTITION BY LIST (n)',
    'ALTER TABLE note ADD CHECK (pulid_has_prefix(id, ''prd''))',
    'ALTER TABLE note ALTER id TYPE pulid(''prd'')',
    'ALTER TABLE note ALTER id SET DEFAULT pulid_generate(''prd'')']) AS statement;
CREATE TABLE keyless (id pulid('prd'), n int);
SELECT throws_ok('ALTER TABLE keyless ADD PRIMARY KEY (id)', '42710', NULL,
    'A key that comes later');
SELECT throws_ok(format('DO %L', 'BEGIN EXECUTE ''ALTER TABLE keyless ADD PRIMARY KEY (id)''; END'),
    '42710', NULL, 'in a block');
CREATE DOMAIN of_product AS pulid;
CREATE TABLE by_domain (id of_product PRIMARY KEY);
SELECT throws_ok('ALTER DOMAIN of_product ADD CHECK (pulid_has_prefix(VALUE, ''prd''))', '42710',
    NULL, 'A domain that gets a CHECK');
SELECT lives_ok(statement, statement)
FROM unnest(ARRAY[
    'ALTER TABLE keyless ADD x int',
    'ALTER TABLE keyless ADD PRIMARY KEY (n)',
    'CREATE TABLE free (id pulid(''fre'') PRIMARY KEY, product pulid(''prd'') REFERENCES product)',
    'CREATE TABLE more (id pulid(''prd'') PRIMARY KEY REFERENCES product)',
    'CREATE TEMP TABLE copied (LIKE product INCLUDING ALL)',
    'CREATE TABLE visit_2 PARTITION OF visit FOR VALUES FROM (MINVALUE) TO (pulid_min(''vis''))',
    'CREATE TABLE heir (PRIMARY KEY (id)) INHERITS (product)',
    'CREATE TABLE other (id int PRIMARY KEY)',
    'ALTER TABLE product RENAME TO article']) AS statement;
DROP EVENT TRIGGER prefixed_ulid_unique_prefixes;
SELECT lives_ok('CREATE TABLE taken (id pulid(''prd'') PRIMARY KEY)', 'Dropped, it is silent');

SELECT * FROM finish();
ROLLBACK;
