# The example of shards on several servers: what goes to them, and that the answers are right.

use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($coordinator, @shards) = map {
    my $node = PostgreSQL::Test::Cluster->new($_);
    $node->init;
    $node->start;
    $node
} qw(coordinator shard_0 shard_1);

$_->command_ok([ qw(psql -X -q -f examples/shard.sql -d), $_->connstr('postgres') ],
    'A shard is made') for @shards;
$coordinator->command_ok([ qw(psql -X -q -f examples/shards.sql),
    '-v', 'host_0=' . $shards[0]->host, '-v', 'port_0=' . $shards[0]->port,
    '-v', 'host_1=' . $shards[1]->host, '-v', 'port_1=' . $shards[1]->port,
    '-d', $coordinator->connstr('postgres') ],
    'The coordinator is made');

my $set = 'SET search_path = shards; SET enable_partitionwise_join = on;';

sub query {
    my ($node, $sql) = @_;
    return $node->safe_psql('postgres', "$set $sql");
}

# The SQL that a query sends, line by line; shards that it does not need are not asked.
sub remote {
    my ($sql, $settings) = @_;
    my $plan = query($coordinator, ($settings // '') . "EXPLAIN (VERBOSE, COSTS OFF) $sql");
    return $plan =~ /Remote SQL: (.*)/g;
}

my ($count_0, $count_1) = map { query($_, 'SELECT count(*) FROM customer') } @shards;
is $count_0 + $count_1, 1000, 'Each customer is on one shard';
cmp_ok $count_0, '>', 400, 'and each shard has its part';
cmp_ok $count_1, '>', 400, 'and so has the other';
is query($coordinator, 'SELECT count(DISTINCT id) FROM customer'), 1000, 'The coordinator has all';

# Shards make ids themselves as well; the hash says which of them may keep one.
query($_, q{CREATE TABLE made AS SELECT pulid_generate('cus') AS id FROM generate_series(1, 5000)})
    for $coordinator, @shards;
my %seen = map { $_ => 1 }
    map { split /\n/, query($_, 'SELECT id FROM made') } $coordinator, @shards;
is keys %seen, 15000, 'Ids made anywhere do not collide';

my $id = query($coordinator, 'SELECT id FROM customer ORDER BY id OFFSET 500 LIMIT 1');
my $one = qr/^SELECT id, name FROM shards\.customer WHERE \(\((id = '$id'|'$id' = id)\)\)$/;

for my $condition ("id = '$id'", "id = '$id'::pulid", "'$id' = id", "id = pulid_parse('$id')") {
    my @remote = remote("SELECT * FROM customer WHERE $condition");
    is @remote, 1, "$condition: one shard is asked";
    like $remote[0], $one, "$condition: for one id";
}
my @generic = remote("EXECUTE find('$id')", "SET plan_cache_mode = force_generic_plan;
    PREPARE find (pulid) AS SELECT * FROM customer WHERE id = \$1;");
is @generic, 1, 'Of a generic plan one shard is left';
like $generic[0], qr/WHERE \(\(id = \$1::pg_catalog\.pulid\)\)/, 'and the parameter goes there';

# What to send for a condition on ids, and the same answer as if it were not sent. PostgreSQL does
# not send what depends on a collation, which may be another there: texts.
my $bound = qr/'[^']+'::pg_catalog\.pulid_bound/;
my $range = qr/ WHERE \(\(id >= $bound\)\) AND \(\(id < $bound\)\)$/;
my @ranges = (
    [ q{id > '%s'}, qr/\(id > '\w+'\)/ ],
    [ q{id BETWEEN '%s' AND pulid_max('cus')}, qr/\(id >= '\w+'\).*\(id <= 'cus_7z+'\)/ ],
    [ q{pulid_has_prefix(id, 'cus')}, $range ],
    [ q{id ^@ left('%s', 28)}, $range ],
    [ q{pulid_created_between(id, '2020-01-01 UTC', '2090-01-01 UTC')}, $range ],
    [ q{id IN ('%s', 'cus_00000000000000000000000000')},
        qr/\(id = ANY \('\{.*\}'::pg_catalog\.pulid\[\]\)\)/ ],
    [ q{pulid_timestamp(id) > '2020-01-01 UTC'}, qr/pulid_timestamp\(id\) > / ],
    [ q{pulid_uuid(id) = '00000000-0000-0000-0000-000000000000' OR id <> '%s'},
        qr/pulid_uuid\(id\) = .* OR \(id <> '\w+'\)/ ],
    [ q{id = '%s'::text}, qr/customer$/ ],
    [ q{pulid_prefix(id) = 'cus'}, qr/customer$/ ],
);
for (@ranges) {
    my ($condition, $expected) = (sprintf($_->[0], $id), $_->[1]);
    my $sql = "SELECT id, name FROM customer WHERE $condition";
    my @remote = remote($sql);
    is grep({ !/$expected/ } @remote), 0, "$condition: what is sent" or diag join "\n", @remote;
    my $all = query($coordinator, "WITH c AS MATERIALIZED (SELECT * FROM customer)
        SELECT id, name FROM c WHERE $condition ORDER BY id");
    ok query($coordinator, "$sql ORDER BY id") eq $all, "$condition: the answer is right";
}

my $join = 'FROM customer AS c JOIN purchase AS p ON p.customer = c.id';
my @remote = remote("SELECT c.name, p.id $join WHERE c.id ^\@ 'cus_0'");
is @remote, 2, 'A join is one query to each shard';
like $_, qr/INNER JOIN shards\.purchase .*id >= .*::pg_catalog\.pulid_bound/, 'with the range'
    for @remote;
is query($coordinator, "SELECT count(*), sum(total) $join"), '1000|10000', 'The join is right';
@remote = remote('SELECT id FROM customer ORDER BY id DESC', 'SET enable_sort = off;');
is grep({ /ORDER BY id DESC/ } @remote), 2, 'Shards sort, as ids have no collation';
is query($coordinator, "UPDATE customer SET name = 'Ada' WHERE id = '$id' RETURNING name"), 'Ada',
    'A row is changed on its shard';

my $may = q{FROM visit WHERE pulid_created_between(id, '2026-05-01 UTC', '2026-06-01 UTC')};
unlike query($coordinator, "EXPLAIN (COSTS OFF) SELECT count(*) $may"), qr/Foreign/,
    'A range of time asks no server that has another';
is query($coordinator, "SELECT count(*) $may"), 31, 'and finds its rows';
@remote = remote(q{SELECT * FROM visit WHERE id < pulid_lower_bound('vis', '2025-02-01 UTC')});
is @remote, 1, 'An older one asks that server';
is query($coordinator,
    q{SELECT count(*) FROM visit WHERE id < pulid_lower_bound('vis', '2025-02-01 UTC')}), 31,
    'and finds its rows';
is query($shards[0], 'SELECT count(*) FROM visit'), 365, 'They are there';
$_->stop for $coordinator, @shards;
done_testing;
