# What is on the disks of users: ids that 1.0.0 wrote (test/data/stored.*) are read and written,
# byte for byte, as binary COPY and as a page of a table; their hashes, which hash indexes and hash
# partitions keep, are the same, and so are the numbers that stand for modifiers.

use strict;
use warnings;
use Config;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'the page is of a little-endian machine' if $Config{byteorder} !~ /^1234/;

my $node = PostgreSQL::Test::Cluster->new('stored');
$node->init;
# The page has no checksum.
$node->append_conf('postgresql.conf', 'ignore_checksum_failure = on');
$node->start;

sub query {
    return $node->safe_psql('postgres', join ";\n", @_);
}

my $data = "$ENV{TESTDIR}/test/data";
my $facts = slurp_file("$data/stored.csv");
my $as_csv = 'COPY (SELECT * FROM stored_facts) TO STDOUT (FORMAT csv)';
my $tuples = q{SELECT lp, t_infomask2 & 2047, encode(t_bits::text::bytea, 'hex'),
    encode(t_data, 'hex') FROM heap_page_items(get_raw_page('stored', 0))};

query('CREATE EXTENSION prefixed_ulid', 'CREATE EXTENSION pageinspect',
    slurp_file("$data/stored.sql"));
is query($as_csv) . "\n", $facts, 'Texts and hashes are as ever';
my $written = query($tuples);
is scalar(split /\n/, $written), 8, 'Tuples are written';

my $copy = $node->basedir . '/stored.copy';
query("COPY stored TO '$copy' (FORMAT binary)");
ok slurp_file($copy) eq slurp_file("$data/stored.copy"), 'Binary COPY writes the old bytes';
query('TRUNCATE stored', "COPY stored FROM '$data/stored.copy' (FORMAT binary)");
is query($as_csv) . "\n", $facts, 'and reads them';

query('TRUNCATE stored', 'INSERT INTO stored VALUES (0)', 'VACUUM (FREEZE) stored', 'CHECKPOINT');
my $page = $node->data_dir . '/' . query(q{SELECT pg_relation_filepath('stored')});
$node->stop;
(my $hex = slurp_file("$data/stored.page")) =~ s/\s//g;
unlink $page;
append_to_file($page, pack 'H*', $hex);
$node->start;
is query($as_csv) . "\n", $facts, 'A page of an old table is read';
is query($tuples), $written, 'and has the bytes that are written now';
is query('CREATE INDEX ON stored (id)', 'CREATE EXTENSION amcheck',
    q{SELECT bt_index_check('stored_id_idx', true)},
    'SET enable_seqscan = off',
    q{SELECT n FROM stored WHERE id = 'a__b_01jq3v8f6a7b2c8d9e0f1g2h3j'}),
    "\n6", 'Old tuples can be indexed';

query(q{CREATE TABLE modifier (a pulid(''), b pulid('prd'), c pulid('user'), d pulid('zzzzzz'))});
is query(q{SELECT string_agg(atttypmod::text, ' ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = 'modifier'::regclass AND attnum > 0}),
    '0 304364480 391067824 481890303', 'Modifiers are as ever';
$node->stop;
done_testing;
