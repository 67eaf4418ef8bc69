# Runs the commands of docs/operating.md: those of packages and of pg_upgrade stand in
# test/packages.sh and test/pg_upgrade.sh.

use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($node, $other) = map {
    my $node = PostgreSQL::Test::Cluster->new($_);
    $node->init(allows_streaming => 'logical');
    $node->start;
    $node
} qw(one other);


$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{subscriber} = $other->connstr('postgres');
$ENV{publisher} = $node->connstr . ' dbname=shop';
$other->safe_psql('postgres', 'CREATE EXTENSION prefixed_ulid');
$node->safe_psql('postgres', 'CREATE DATABASE shop');
$ENV{PGDATABASE} = 'shop';

my $run = 0;
my $page = slurp_file('docs/operating.md');
while ($page =~ /^```sh\n(.*?)^```/msg) {
    my $block = $1;
    next if $block =~ m{^pg_buildext|/bin/pg_upgrade"|^pg_amcheck --install-missing};
    command_ok([ 'bash', '-euc', $block ], $block =~ s/\n.*//sr);
    $node->safe_psql('shop', q{CREATE TABLE product (id pulid('prd') PRIMARY KEY, name text);
        INSERT INTO product VALUES (pulid_generate('prd'), 'lamp')}) if !$run++;
}
is $run, 4, 'All but what belongs to other tests was run';
is $node->safe_psql('restored', 'SELECT name FROM product'), 'lamp', 'The dump was restored';
$other->wait_for_subscription_sync($node, 'shop');
is $other->safe_psql('postgres', 'SELECT name FROM product'), 'lamp', 'The subscription works';
$other->safe_psql('postgres', 'DROP SUBSCRIPTION shop');
$_->stop for $other, $node;
done_testing;
