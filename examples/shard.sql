-- One of the shards of examples/shards.sql.

\set ON_ERROR_STOP on
CREATE EXTENSION IF NOT EXISTS prefixed_ulid;

-- postgres_fdw looks for tables of the schema that they have on the coordinator.
CREATE SCHEMA shards;
SET search_path = shards;
CREATE TABLE customer (id pulid('cus') PRIMARY KEY, name text NOT NULL);
CREATE TABLE purchase (
    id       pulid('pur') NOT NULL,
    customer pulid('cus') NOT NULL REFERENCES customer,
    total    numeric NOT NULL,
    PRIMARY KEY (customer, id)
);
CREATE TABLE visit (id pulid('vis') PRIMARY KEY, page text);
