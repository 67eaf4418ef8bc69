# The example of pg_partman, where that is installed and knows encoders.

use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('partman');
$node->init;
$node->start;

sub query {
    return $node->safe_psql('postgres', join ";\n", @_);
}

if (query(q{SELECT count(*) FROM pg_available_extension_versions
        WHERE name = 'pg_partman' AND version ~ '^(5\.[1-9]|[6-9])'}) eq '0') {
    plan skip_all => 'there is no pg_partman 5.1 or later';
}

$node->command_ok([ qw(psql -X -q -o /dev/null -f examples/partman.sql -d),
    $node->connstr('postgres') ], 'The example runs');
is query(q{SELECT count(*) FROM log.visit_default}), 0, 'Each row has its partition';
is query(q{SELECT count(DISTINCT tableoid) FROM log.visit}), 3, 'one for each month';
is query(q{SELECT bool_and(log.visit_time(id) >= start AND log.visit_time(id) < start + '1 month')
    FROM (SELECT id, to_timestamp(right(tableoid::regclass::text, 8), 'YYYYMMDD') AS start
          FROM log.visit) AS v}), 't', 'that of its time';
my $partitions = q{SELECT count(*) FROM pg_inherits WHERE inhparent = 'log.visit'::regclass};
my $before = query($partitions);
query('CALL partman.run_maintenance_proc()');
cmp_ok query($partitions), '<', $before, 'Old partitions are dropped';
is query('SELECT page FROM log.visit ORDER BY id DESC LIMIT 1'), 'now', 'and no other';
like query(q{SET enable_seqscan = off}, q{EXPLAIN (COSTS OFF) SELECT * FROM log.visit
    WHERE id >= log.visit_id(now() - interval '1 hour')}), qr/_p\d+/, 'A range of time is planned';

$node->psql('postgres', <<~'SQL', stderr => \my $error);
    CREATE TABLE log.event (id pulid('evt') NOT NULL) PARTITION BY RANGE (id);
    SELECT partman.create_parent('log.event', 'id', '1 month', p_time_encoder => 'log.visit_id',
        p_time_decoder => 'log.visit_time');
    SQL
like $error, qr/Supplied column is of type pulid/,
    'pg_partman does not take the type itself; if this fails, the example can';
$node->stop;
done_testing;
