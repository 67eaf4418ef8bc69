-- Who takes part: the generators, and the keys that are compared at all sizes. What this server
-- does not have is left out.

CREATE SEQUENCE ids;

CREATE TABLE generator AS
SELECT * FROM (VALUES
    ('pulid_generate', $$pulid_generate('prd')$$),
    ('pulid_generate_monotonic', $$pulid_generate_monotonic('prd')$$),
    ('pulid_generate_v7', $$pulid_generate_v7('prd')$$),
    ('pulid_generate_v4', $$pulid_generate_v4('prd')$$),
    ('gen_random_uuid', 'gen_random_uuid()'),
    ('uuidv7', 'uuidv7()'),
    ('nextval', $$nextval('bench.ids')$$)
) AS v (name, call)
WHERE possible(name, 'SELECT ' || call);

CREATE TABLE peer (
    name     text PRIMARY KEY,
    label    text NOT NULL,
    key      text NOT NULL, -- the definition of the column
    position int GENERATED ALWAYS AS IDENTITY
);

SELECT possible(name, 'CREATE EXTENSION ' || quote_ident(name))
FROM pg_available_extensions
WHERE name IN ('ulid', 'pgx_ulid', 'typeid', 'pg_uuidv7', 'upid_pg')
\g /dev/null

INSERT INTO peer (name, label, key)
SELECT * FROM (VALUES
    ('pulid', $$pulid('prd')$$, $$pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd')$$),
    ('uuid4', 'uuid v4', 'uuid PRIMARY KEY DEFAULT gen_random_uuid()'),
    ('uuid7', 'uuid v7', 'uuid PRIMARY KEY DEFAULT uuidv7()'),
    ('text', 'text, CHECK',
     $$text COLLATE "C" PRIMARY KEY DEFAULT pulid_generate('prd')::text
       CHECK (id ~ '^prd_[0-7][0-9a-hjkmnp-tv-z]{25}$')$$),
    ('bigint', 'bigint identity', 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'),
    ('ulid', 'ulid', 'ulid PRIMARY KEY DEFAULT gen_ulid()'),
    ('typeid', 'typeid', $$typeid PRIMARY KEY DEFAULT typeid_generate('prd')$$),
    ('pg_uuidv7', 'pg_uuidv7', 'uuid PRIMARY KEY DEFAULT uuid_generate_v7()'),
    ('upid', 'upid', $$upid PRIMARY KEY DEFAULT gen_upid('prd')$$),
    ('typeid_sql', 'typeid-sql',
     $$text COLLATE "C" PRIMARY KEY DEFAULT typeid_generate_text('prd')
       CHECK (typeid_check_text(id, 'prd'))$$)
) AS v (name, label, key)
WHERE possible(label, format('CREATE TABLE possible_%s (id %s)', name, key));

-- t_... is the table, s_... its ids in random order, p_... some of them, to be looked up.
INSERT INTO statement (test, contender, before, statement, answer)
SELECT 'insert', name, format('TRUNCATE t_%s RESTART IDENTITY', name),
       format('INSERT INTO t_%s (n) SELECT n FROM generate_series(1, {rows}) AS n', name),
       format('SELECT count(*) FROM t_%s', name)
FROM peer ORDER BY position;

INSERT INTO statement (test, contender, before, statement, answer)
SELECT 'index build', name, format('DROP INDEX IF EXISTS i_%s', name),
       format('CREATE UNIQUE INDEX i_%1$s ON s_%1$s (id)', name),
       format($$SELECT reltuples FROM pg_class WHERE oid = 'i_%s'::regclass$$, name)
FROM peer ORDER BY position;

-- What the size of the tuples costs: uuid with four bytes more in each.
INSERT INTO statement (test, contender, before, statement, answer) VALUES
    ('index build', 'wide uuid4', 'DROP INDEX IF EXISTS i_wide_uuid4',
     'CREATE UNIQUE INDEX i_wide_uuid4 ON wide_uuid4 (id) INCLUDE (n)',
     $$SELECT reltuples FROM pg_class WHERE oid = 'i_wide_uuid4'::regclass$$);

INSERT INTO statement (test, contender, statement, plan)
SELECT 'lookup', name,
       format('SELECT count(t.n) FROM p_%1$s AS p JOIN t_%1$s AS t ON t.id = p.id', name),
       format('Index Scan using t_%s_pkey', name)
FROM peer ORDER BY position;
