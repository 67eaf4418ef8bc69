-- Writes stored.copy, stored.page and stored.csv, on PostgreSQL 15 on a little-endian machine. They
-- pin what is on the disks of our users, so they were written once and must not change:
--     scripts/with_server psql -Xq -f test/data/generators/stored.sql
CREATE EXTENSION prefixed_ulid;
\ir ../stored.sql
VACUUM (FREEZE) stored;
CHECKPOINT;
\copy stored TO 'test/data/stored.copy' (FORMAT binary)
\copy (SELECT * FROM stored_facts) TO 'test/data/stored.csv' (FORMAT csv)
\pset format unaligned
\pset tuples_only on
\o test/data/stored.page
SELECT regexp_replace(encode(pg_read_binary_file(pg_relation_filepath('stored')), 'hex'), '.{96}',
    E'\\&\n', 'g');
