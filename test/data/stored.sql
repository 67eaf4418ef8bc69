-- The ids in stored.copy, stored.page and stored.csv. Constants have a header of four bytes, what a
-- function makes a short one.
CREATE TABLE stored (n integer, id pulid, typed pulid('prd'));
INSERT INTO stored VALUES
    (1, 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j'),
    (2, pulid_parse('prd_01jq3v8f6a7b2c8d9e0f1g2h3j'), pulid_min('prd')),
    (3, pulid_parse('01jq3v8f6a7b2c8d9e0f1g2h3j'), pulid_max('prd')),
    (4, pulid_min(''), NULL),
    (5, pulid_max('z'), NULL),
    (6, pulid_parse('a__b_01jq3v8f6a7b2c8d9e0f1g2h3j'), NULL),
    (7, pulid_parse(repeat('a', 31) || '_' || repeat('z', 31) || '_01jq3v8f6a7b2c8d9e0f1g2h3j'), NULL),
    (8, NULL, 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j');

-- What else is on disk because of them: indexes and hash partitions hold the hashes.
CREATE VIEW stored_facts AS
SELECT n, id, typed, pulid_hash(id), pulid_hash_extended(id, 0),
       pulid_hash_extended(id, 8816678312871386365) AS of_partitions
FROM stored ORDER BY n;
