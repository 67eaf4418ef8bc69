-- Everything in a schema that can name an id: for dump.pl and for scripts/upgrade. Any owner of a
-- database may run it.

CREATE DOMAIN subscription AS pulid CHECK (pulid_has_prefix(VALUE, 'subscription'));
CREATE DOMAIN buyer AS pulid('user') NOT NULL;

-- Two prefixes that are reserved words of SQL.
CREATE TABLE "user" (
    id       pulid('user') PRIMARY KEY DEFAULT pulid_generate('user'),
    name     text NOT NULL,
    born     timestamptz GENERATED ALWAYS AS (pulid_timestamp(id)) STORED,
    body     uuid GENERATED ALWAYS AS (id::uuid) STORED,
    friends  pulid('user')[] NOT NULL DEFAULT '{}',
    anything pulid[] CHECK (anything[1] <> anything[2])
);
CREATE TABLE "order" (
    id           pulid('order') DEFAULT pulid_generate_v7('order'),
    buyer        buyer REFERENCES "user" ON UPDATE CASCADE,
    payer        pulid('user') REFERENCES "user",
    subscription subscription DEFAULT 'subscription_01jq3v8f6a7b2c8d9e0f1g2h3j',
    bare         pulid('') UNIQUE,
    old_id       text COLLATE "C" CHECK (pulid_is_canonical(old_id, 'order')),
    voice_id     text CHECK (digit_id_is_canonical(voice_id, 'ORD', 8)),
    booked       tstzrange,
    PRIMARY KEY (id),
    CHECK (id > 'order_01'::text AND id = old_id),
    CHECK (pulid_created_between(id, '2020-01-01 UTC', '2030-01-01 UTC')),
    EXCLUDE USING gist (buyer WITH =, booked WITH &&)
);
CREATE INDEX ON "order" (pulid_timestamp(id));
CREATE INDEX ON "order" ((buyer::text COLLATE "C"));
CREATE INDEX ON "order" (payer) WHERE payer ^@ 'user_01' AND pulid_has_prefix(id, 'order');
CREATE INDEX ON "order" USING hash (payer);
CREATE INDEX ON "order" USING brin (id pulid_minmax_multi_ops, payer);
CREATE INDEX ON "user" USING gin (friends);
CREATE STATISTICS who ON buyer, payer FROM "order";

CREATE TABLE visit (id pulid('visit'), page text, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE visit_first PARTITION OF visit FOR VALUES
    FROM (MINVALUE) TO ('visit_01jq3v8f6a0000000000000000');
CREATE TABLE visit_last PARTITION OF visit FOR VALUES
    FROM ('visit_01jq3v8f6a0000000000000000') TO (MAXVALUE);
CREATE TABLE event (id pulid, PRIMARY KEY (id)) PARTITION BY HASH (id);
CREATE TABLE event_0 PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE event_1 PARTITION OF event FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE kind (id pulid) PARTITION BY LIST (pulid_prefix(id));
CREATE TABLE kind_user PARTITION OF kind FOR VALUES IN ('user');
CREATE TABLE kind_other PARTITION OF kind DEFAULT;

CREATE FUNCTION new_user_id() RETURNS pulid BEGIN ATOMIC SELECT pulid_generate('user'); END;
ALTER TABLE "user" ALTER id SET DEFAULT new_user_id();

CREATE VIEW compared AS
SELECT id, o.buyer IS DISTINCT FROM o.payer AS gift, NULLIF(o.buyer, o.payer) AS giver,
       CASE o.payer WHEN o.buyer THEN 'self' ELSE 'other' END AS who,
       (o.id, o.buyer) >= (p.id, p.payer) AS in_order, o.payer IN (SELECT id FROM "user") AS known,
       o.old_id = id::text AS same, o.id = o.old_id AS same_text, o.payer::pulid('user') AS payer
FROM "order" o JOIN "order" p USING (id)
WHERE o.id ^@ 'order_01' AND o.buyer = ANY ('{user_01jq3v8f6a7b2c8d9e0f1g2h3j}'::pulid[])
   OR pulid_has_prefix(o.buyer, 'user');
CREATE MATERIALIZED VIEW latest AS SELECT buyer, max(id) AS id FROM "order" GROUP BY buyer;
CREATE UNIQUE INDEX ON latest (buyer);

CREATE TABLE payer_change ("order" pulid('order'), payer pulid('user'));
CREATE FUNCTION note_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.payer_change VALUES (NEW.id, NEW.payer);
    RETURN NULL;
END $$;
CREATE TRIGGER note_payer AFTER UPDATE ON "order" FOR EACH ROW
    WHEN (OLD.payer IS DISTINCT FROM NEW.payer) EXECUTE FUNCTION note_payer();

CREATE POLICY own ON "order" USING (buyer = current_setting('app.user', true));
CREATE RULE keep AS ON DELETE TO payer_change
    WHERE OLD."order" = 'order_01jq3v8f6a7b2c8d9e0f1g2h3j' DO INSTEAD NOTHING;

-- Ids of 2025, a minute apart; the constants have the long header, the computed ids the short one.
CREATE FUNCTION nth(prefix text, n int) RETURNS pulid IMMUTABLE
    RETURN pulid_from_uuid(prefix, overlay(md5(n::text) PLACING
        lpad(to_hex(1742812232906 + n * 60000::bigint), 12, '0') FROM 1)::uuid);
INSERT INTO "user" (id, name, friends)
SELECT nth('user', n), 'user ' || n, ARRAY[nth('user', n + 1)]
FROM generate_series(1, 500) AS n;
INSERT INTO "user" (id, name, anything)
    VALUES ('user_01jq3v8f6a7b2c8d9e0f1g2h3j', 'Ada',
            '{01jq3v8f6a7b2c8d9e0f1g2h3j,subscription_01jq3v8f6a7b2c8d9e0f1g2h3j,NULL}');
INSERT INTO "order" (id, buyer, payer, bare, old_id, voice_id, booked)
SELECT nth('order', n), nth('user', n % 500 + 1), nth('user', n % 7 + 1), nth('', n),
       nth('order', n)::text, 'ORD-0000-' || lpad(n::text, 4, '0'),
       tstzrange(timestamptz '2025-01-01 UTC' + n * interval '1 day',
                 timestamptz '2025-01-02 UTC' + n * interval '1 day')
FROM generate_series(1, 2000) AS n;
INSERT INTO "order" (id, buyer, old_id)
    VALUES ('order_01jq3v8f6a7b2c8d9e0f1g2h3j', 'user_01jq3v8f6a7b2c8d9e0f1g2h3j',
            'order_01jq3v8f6a7b2c8d9e0f1g2h3j');
INSERT INTO visit SELECT nth('visit', n - 500), 'page ' || n FROM generate_series(1, 1000) AS n;
INSERT INTO event SELECT id FROM "user" UNION ALL SELECT id FROM visit;
INSERT INTO kind SELECT id FROM event;
REFRESH MATERIALIZED VIEW latest;
UPDATE "order" SET payer = buyer WHERE id < nth('order', 10);
