-- Partitions by time that pg_partman makes and drops (5.1 or later, for its encoders).
--
-- pg_partman takes keys of type text, uuid, numbers and times only, by name, so here ids stand in a
-- text column with the CHECK. For a pulid column the boundaries are the same: FROM
-- (pulid_lower_bound('vis', month)) TO (pulid_lower_bound('vis', next_month)).
--
-- psql -f examples/partman.sql, in a database of your own.

\set ON_ERROR_STOP on
CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE SCHEMA IF NOT EXISTS partman;
CREATE EXTENSION IF NOT EXISTS pg_partman SCHEMA partman;
CREATE SCHEMA log;

-- The encoder gives the first id of an instant, the decoder the instant of an id.
CREATE FUNCTION log.visit_id(instant timestamptz) RETURNS text IMMUTABLE STRICT
RETURN pulid_lower_bound('vis', instant)::text;
CREATE FUNCTION log.visit_time(id text) RETURNS timestamptz IMMUTABLE STRICT
RETURN pulid_timestamp(pulid_parse(id, 'vis'));

CREATE TABLE log.visit (
    id   text COLLATE "C" PRIMARY KEY DEFAULT pulid_generate('vis')
         CHECK (pulid_is_canonical(id, 'vis')),
    page text
) PARTITION BY RANGE (id);

SELECT partman.create_parent('log.visit', 'id', '1 month', p_premake => 2,
    p_start_partition => to_char(now() - interval '3 months', 'YYYY-MM-01'),
    p_time_encoder => 'log.visit_id', p_time_decoder => 'log.visit_time');

INSERT INTO log.visit (page) VALUES ('now');
INSERT INTO log.visit
SELECT pulid_generate('vis', now() - n * interval '1 month'), n || ' months ago'
FROM generate_series(1, 2) AS n;
UPDATE partman.part_config SET retention = '1 month', retention_keep_table = false
WHERE parent_table = 'log.visit';
