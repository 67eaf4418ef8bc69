CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
CREATE TABLE product (
    id      pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
    name    text NOT NULL,
    related pulid('prd')[]
);
CREATE TABLE sale (
    id      pulid('sal') PRIMARY KEY DEFAULT pulid_generate('sal'),
    product pulid('prd') REFERENCES product,
    data    jsonb
);
