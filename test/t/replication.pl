# Replication: a physical standby, and logical replication in text and in binary mode, with ids as
# replica identity. PUBLISHER and SUBSCRIBER may name the installations of two majors, such as
# /usr/lib/postgresql/15; scripts/packages does that.

use strict;
use warnings;
use IPC::Run qw(start);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

sub node {
    my ($name, $install_path) = @_;
    return PostgreSQL::Test::Cluster->new($name,
        $install_path ? (install_path => $install_path) : ());
}

sub query {
    my ($node, @sql) = @_;
    return $node->safe_psql('postgres', join ";\n", @sql);
}

my $publisher = node('publisher', $ENV{PUBLISHER});
$publisher->init(allows_streaming => 'logical');
$publisher->start;
query($publisher, 'CREATE EXTENSION prefixed_ulid', 'CREATE EXTENSION amcheck', <<~'SQL');
    CREATE TABLE product (id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'), name text);
    INSERT INTO product (name) SELECT 'product ' || n FROM generate_series(1, 5000) AS n;
    INSERT INTO product VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'lamp');
    SQL

sub physical_standby {
    my $backup = 'standby';
    $publisher->backup($backup);
    my $standby = node('standby', $ENV{PUBLISHER});
    $standby->init_from_backup($publisher, $backup, has_streaming => 1);
    $standby->start;
    query($publisher, q{INSERT INTO product (name) SELECT 'later ' || n
        FROM generate_series(1, 1000) AS n}, 'DELETE FROM product WHERE name = \'product 7\'');
    $publisher->wait_for_catchup($standby, 'replay');

    my $all = 'SELECT id, name FROM product ORDER BY id';
    ok query($standby, $all) eq query($publisher, $all), 'The standby has what the primary has';
    is query($standby, 'SET enable_seqscan = off',
        q{SELECT name FROM product WHERE id = 'prd_01jq3v8f6a7b2c8d9e0f1g2h3j'},
        q{SELECT count(*) FROM product WHERE pulid_has_prefix(id, 'prd')}), "lamp\n6000",
        'It finds rows by the key';
    query($standby, q{SELECT bt_index_check('product_pkey', true)});
    pass 'Its index is complete';
    my $make = q{SELECT pulid_generate('prd') FROM generate_series(1, 5000)};
    my %seen = map { $_ => 1 } map { split /\n/, query($_, $make) } $standby, $publisher;
    is keys %seen, 10000, 'It makes ids, others than the primary';

    $standby->promote;
    query($standby, q{INSERT INTO product (name) VALUES ('promoted')});
    is query($standby, 'SELECT name FROM product ORDER BY id DESC LIMIT 1'), 'promoted',
        'Promoted, it makes ids after those of the primary';
    $standby->stop;
}

my $connection = $publisher->connstr . ' dbname=postgres';

# The type has another OID here, as it may.
my $subscriber = node('subscriber', $ENV{SUBSCRIBER});
$subscriber->init;
$subscriber->start;
query($subscriber, 'CREATE TYPE other AS ENUM ()', 'CREATE EXTENSION prefixed_ulid',
    'CREATE EXTENSION amcheck');

my $tables = <<'SQL';
    CREATE SCHEMA %1$s;
    CREATE TABLE %1$s.by_key (id pulid('key') PRIMARY KEY DEFAULT pulid_generate('key'), n int);
    CREATE TABLE %1$s.by_index (id pulid NOT NULL, n int,
        list pulid[] DEFAULT '{a_00000000000000000000000000}');
    CREATE UNIQUE INDEX by_index_id ON %1$s.by_index (id);
    ALTER TABLE %1$s.by_index REPLICA IDENTITY USING INDEX by_index_id;
    CREATE TABLE %1$s.by_row (id pulid(''), n int);
    ALTER TABLE %1$s.by_row REPLICA IDENTITY FULL;
    CREATE TABLE %1$s.by_part (id pulid('prt') PRIMARY KEY, n int) PARTITION BY HASH (id);
    CREATE TABLE %1$s.part_0 PARTITION OF %1$s.by_part FOR VALUES WITH (MODULUS 2, REMAINDER 0);
    CREATE TABLE %1$s.part_1 PARTITION OF %1$s.by_part FOR VALUES WITH (MODULUS 2, REMAINDER 1);
SQL

my @names = qw(by_key by_index by_row by_part);

sub rows {
    my ($node, $schema) = @_;
    return join "\n", map { query($node, "SELECT * FROM $schema.$_ ORDER BY n, id") } @names;
}

sub logical_replication {
    my ($mode) = @_;
    my $schema = "${mode}_mode";
    my $insert = join '; ', map { "INSERT INTO $schema.by_$_->[0]
        SELECT pulid_generate('$_->[1]'), n FROM generate_series(%1\$d, %2\$d) AS n" }
        [ key => 'key' ], [ index => 'any' ], [ row => '' ], [ part => 'prt' ];
    query($_, sprintf $tables, $schema) for $publisher, $subscriber;
    query($publisher, sprintf($insert, 1, 1000),
        "CREATE PUBLICATION $schema FOR TABLE " . join ', ', map { "$schema.$_" } @names);
    my $binary = $mode eq 'binary' ? 'true' : 'false';
    query($subscriber, "CREATE SUBSCRIPTION $schema CONNECTION '$connection' PUBLICATION $schema
        WITH (binary = $binary)");
    $subscriber->wait_for_subscription_sync($publisher, $schema);
    ok rows($subscriber, $schema) eq rows($publisher, $schema), "$mode: the initial copy";

    query($publisher, sprintf($insert, 1001, 2000),
        map { ("UPDATE $schema.$_ SET n = -n WHERE n % 3 = 0",
            "DELETE FROM $schema.$_ WHERE n % 5 = 0",
            "UPDATE $schema.$_ SET id = pulid_from_uuid(pulid_prefix(id), gen_random_uuid())
             WHERE n % 7 = 0") } @names);
    $publisher->wait_for_catchup($schema);
    ok rows($subscriber, $schema) eq rows($publisher, $schema),
        "$mode: inserts, updates, deletes and changed ids";
    is query($subscriber, "SELECT count(*) FROM $schema.by_key"), 1600, "$mode: all rows are there";
    query($subscriber, "SELECT bt_index_check('$schema.$_', true)") for qw(by_key_pkey by_index_id);
    pass "$mode: indexes are complete";

    # Both sides fill one table at the same time. A collision would stop the subscription.
    my $script = $publisher->basedir . "/$schema.sql";
    append_to_file($script, "INSERT INTO $schema.by_key (n) VALUES (:client_id);\n");
    my @runs = map {
        start [ qw(pgbench -n -c 4 -t 500 -f), $script, $_->connstr('postgres') ], '>', \my $out,
            '2>', \my $err
    } $publisher, $subscriber;
    $_->finish or die 'pgbench failed' for @runs;
    $publisher->wait_for_catchup($schema);
    is query($subscriber, "SELECT count(DISTINCT id) FROM $schema.by_key"), 1600 + 2 * 2000,
        "$mode: ids made on both sides at once do not collide";
    query($subscriber, "DROP SUBSCRIPTION $schema");
}

physical_standby();
logical_replication('text');
logical_replication('binary');
$subscriber->stop;
$publisher->stop;
done_testing;
