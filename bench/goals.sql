-- What the extension is to reach, the ratios, and the two forms in which they are shown.

-- A ratio is how many times faster we are, or, where less is asked for, how many times as much we
-- use. limit_is is told when a goal is missed.
CREATE TABLE goal (
    what          text,
    neighbour     text,
    test          text,
    ours          text,
    theirs        text,
    more          boolean, -- whether more is better: at least, or at most, the target
    target        numeric,
    limit_is      text,
    position      int GENERATED ALWAYS AS IDENTITY
);

INSERT INTO goal VALUES
    ('generate an id', 'gen_random_uuid()',
     'generate', 'pulid_generate', 'gen_random_uuid', true, 12,
     'what is left is reading the clock, 5 bytes of the random pool and one allocation.'),
    ('parse a text', 'uuid_in', 'parse', 'pulid_in', 'uuid_in', true, 6,
     'what is left is 26 table look-ups, the check of the prefix and one allocation.'),
    ('print', 'uuid_out', 'print', 'pulid_out', 'uuid_out', true, 2,
     'what is left is 13 table look-ups and one allocation.'),
    ('INSERT, key by default: time', 'bigint identity',
     'insert', 'pulid', 'bigint', false, 1.05,
     'both append to heap and index; the tuples are 8 and 16 bytes longer.'),
    ('INSERT, key by default', 'uuid, version 4', 'insert', 'pulid', 'uuid4', true, 2.5,
     'version 4 pays for random bytes and for random leaf pages; how much depends on the cache.'),
    ('index build', 'text COLLATE "C"', 'index build', 'pulid', 'text', true, 2.2,
     'reading the table, and writing and logging the pages, is the same work for both.'),
    ('index build', 'uuid', 'index build', 'pulid', 'uuid4', true, 1.0,
     'index tuples of 32 bytes against 24, by alignment: 29 % more pages to write and log. The '
     'next line has uuid with as much in its tuples.'),
    ('index build', 'uuid INCLUDE (integer)',
     'index build', 'pulid', 'wide uuid4', true, 1.0,
     'forming tuples of variable length.'),
    ('sort', 'text COLLATE "C"', 'sort', 'pulid', 'text', true, 2.1,
     'text sorts by its first 8 bytes before the rest; with ids these are prefix and clock.'),
    ('sort', 'uuid', 'sort', 'pulid', 'uuid4', true, 0.95,
     'both sort by 64-bit keys; the tuples in memory are 8 bytes longer.'),
    ('sort, 8 prefixes', 'text COLLATE "C"', 'mixed sort', 'pulid', 'text', true, 1.5,
     'what is left is the sort by 64-bit keys, as in a column of one prefix.'),
    ('index lookup', 'uuid', 'lookup', 'pulid', 'uuid4', true, 0.97,
     'index tuples of 32 bytes against 24.'),
    ('index lookup by a text: time', 'by a pulid',
     'lookup by text', 'text', 'pulid', false, 1.10,
     '2500 instructions more than 12600 (callgrind, 100000 rows): 1200 in core, which looks up the '
     'comparison of the two types anew for each search and copies the text, 450 to parse it once, '
     'and 850 to make sure at each comparison that it is still the same text.'),
    ('prepared statement with a text: time', 'with a pulid',
     'statement by text', 'text', 'pulid', false, 1.10,
     'the search itself, see the index lookup by a text.'),
    ('hash join', 'uuid', 'hash join', 'pulid', 'uuid4', true, 0.97,
     '19 bytes are hashed against 16, in 263 instructions against 169, of 3700 per row '
     '(callgrind).'),
    ('CHECK on a text column', 'regular expression',
     'check', 'pulid_is_canonical', 'regular expression', true, 10,
     'what is left is the call and 26 table look-ups.'),
    ('heap: size', 'text COLLATE "C"', 'heap', 'pulid', 'text', false, 0.82,
     'alignment to 8 bytes.'),
    ('heap: size', 'uuid', 'heap', 'pulid', 'uuid4', false, 1.00, 'alignment to 8 bytes.'),
    ('index: size', 'text COLLATE "C"', 'index', 'pulid', 'text', false, 0.82,
     'tuples of 32 bytes against 40, by alignment, and 4 bytes for each pointer to them.'),
    ('index: size', 'uuid', 'index', 'pulid', 'uuid4', false, 1.30,
     'tuples of 32 bytes against 24, by alignment, and 4 bytes for each pointer to them.'),
    ('memory to sort', 'uuid and 8 bytes a row',
     'sort memory', 'pulid', 'uuid4 and 8 bytes', false, 1.00, 'alignment to 8 bytes.'),
    ('memory to hash', 'uuid and 8 bytes a row',
     'hash memory', 'pulid', 'uuid4 and 8 bytes', false, 1.00, 'alignment to 8 bytes.');

CREATE VIEW measured AS
    SELECT test, rows, contender, nanoseconds AS value FROM best UNION ALL
    SELECT test, rows, contender, value FROM fact UNION ALL
    SELECT test, rows, contender || ' and 8 bytes', value + rows * 8 / 1024.0 FROM fact
    WHERE test LIKE '% memory';

CREATE VIEW shown_ratio AS
    SELECT position, what, neighbour, ratio,
           CASE WHEN more THEN 'at least ' ELSE 'at most ' END || target AS target,
           CASE WHEN CASE WHEN more THEN ratio >= target ELSE ratio <= target END
                THEN 'reached' ELSE 'not reached' END AS result,
           limit_is
    FROM goal
         JOIN measured AS o ON o.test = goal.test AND o.contender = ours
         JOIN measured AS t ON t.test = goal.test AND t.contender = theirs AND t.rows = o.rows
         CROSS JOIN LATERAL (
             SELECT round(CASE WHEN more THEN t.value / o.value ELSE o.value / t.value END::numeric,
                          2) AS ratio
         ) AS r
    WHERE o.rows = (SELECT rows FROM best WHERE test = 'sort' LIMIT 1);

CREATE VIEW peer_figure AS
    SELECT position, label, rows, test AS figure, nanoseconds AS value
    FROM best JOIN peer ON name = contender
    WHERE test IN ('insert', 'index build', 'lookup') UNION ALL
    SELECT position, label, rows, test, value / rows
    FROM fact JOIN peer ON name = contender
    WHERE test IN ('heap', 'primary key', 'index') UNION ALL
    SELECT position, label, rows, 'size', sum(value) / rows
    FROM fact JOIN peer ON name = contender
    WHERE test IN ('heap', 'primary key') GROUP BY position, label, rows;

CREATE VIEW shown_peer AS
    SELECT label, rows,
           round(sum(value) FILTER (WHERE figure = 'insert')) AS insert,
           round(sum(value) FILTER (WHERE figure = 'index build')) AS index_build,
           round(sum(value) FILTER (WHERE figure = 'lookup')) AS lookup,
           round(sum(value) FILTER (WHERE figure = 'heap')) AS heap,
           round(sum(value) FILTER (WHERE figure = 'primary key')) AS primary_key,
           round(sum(value) FILTER (WHERE figure = 'index')) AS index
    FROM peer_figure GROUP BY position, label, rows ORDER BY rows, position;

CREATE VIEW shown_query AS
    SELECT test, contender, round(nanoseconds::numeric, 1) AS ns
    FROM best JOIN statement USING (test, contender)
    WHERE test NOT IN (SELECT figure FROM peer_figure) ORDER BY position;

CREATE VIEW shown_throughput AS
    SELECT name AS generator,
           round(max(value) FILTER (WHERE rows = 1)::numeric / 1e6, 2) AS one,
           round(max(value) FILTER (WHERE rows = 4)::numeric / 1e6, 2) AS four,
           round(max(value) FILTER (WHERE rows = 16)::numeric / 1e6, 2) AS sixteen
    FROM fact JOIN generator ON name = contender
    WHERE test = 'throughput' GROUP BY name ORDER BY min(generator.ctid);
