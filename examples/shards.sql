-- Ids over several servers with what PostgreSQL brings along: postgres_fdw below partitions.
--
-- This part runs on the coordinator, examples/shard.sql on each of two shards before:
-- psql -f examples/shards.sql -v host_0=... -v port_0=... -v host_1=... -v port_1=...

\set ON_ERROR_STOP on
CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE EXTENSION IF NOT EXISTS postgres_fdw;
CREATE SCHEMA shards;
SET search_path = shards;

-- extensions: what prefixed_ulid defines means the same there, so conditions on ids go there. With
-- the estimates of the shards, joins do.
CREATE SERVER shard_0 FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
    host :'host_0', port :'port_0', dbname :'DBNAME', extensions 'prefixed_ulid',
    use_remote_estimate 'true', async_capable 'true');
CREATE SERVER shard_1 FOREIGN DATA WRAPPER postgres_fdw OPTIONS (
    host :'host_1', port :'port_1', dbname :'DBNAME', extensions 'prefixed_ulid',
    use_remote_estimate 'true', async_capable 'true');
CREATE USER MAPPING FOR CURRENT_USER SERVER shard_0;
CREATE USER MAPPING FOR CURRENT_USER SERVER shard_1;

-- A partitioned table cannot have a key over foreign partitions. It needs none: an id belongs to
-- one shard by its hash, and the key there is unique.
CREATE TABLE customer (id pulid('cus') NOT NULL DEFAULT pulid_generate('cus'), name text NOT NULL)
    PARTITION BY HASH (id);
CREATE FOREIGN TABLE customer_0 PARTITION OF customer
    FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER shard_0 OPTIONS (table_name 'customer');
CREATE FOREIGN TABLE customer_1 PARTITION OF customer
    FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER shard_1 OPTIONS (table_name 'customer');

-- What belongs to a customer stands beside the customer, so they are joined there.
CREATE TABLE purchase (
    id       pulid('pur') NOT NULL DEFAULT pulid_generate('pur'),
    customer pulid('cus') NOT NULL,
    total    numeric NOT NULL
) PARTITION BY HASH (customer);
CREATE FOREIGN TABLE purchase_0 PARTITION OF purchase
    FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER shard_0 OPTIONS (table_name 'purchase');
CREATE FOREIGN TABLE purchase_1 PARTITION OF purchase
    FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER shard_1 OPTIONS (table_name 'purchase');
SET enable_partitionwise_join = on;

-- By time, with the old ones elsewhere: bounds are ids, so a range of ids or of time is one of
-- partitions.
CREATE TABLE visit (id pulid('vis') NOT NULL DEFAULT pulid_generate('vis'), page text)
    PARTITION BY RANGE (id);
CREATE FOREIGN TABLE visit_2025 PARTITION OF visit
    FOR VALUES FROM (MINVALUE) TO (pulid_lower_bound('vis', '2026-01-01 UTC'))
    SERVER shard_0 OPTIONS (table_name 'visit');
CREATE TABLE visit_2026 PARTITION OF visit
    FOR VALUES FROM (pulid_lower_bound('vis', '2026-01-01 UTC')) TO (MAXVALUE);

INSERT INTO customer (name) SELECT 'customer ' || n FROM generate_series(1, 1000) AS n;
INSERT INTO purchase (customer, total) SELECT id, 10 FROM customer;
INSERT INTO visit (id, page)
    SELECT pulid_generate('vis', timestamptz '2025-01-01 UTC' + n * interval '1 day'), 'page ' || n
    FROM generate_series(0, 729) AS n;
ANALYZE customer, purchase, visit;
