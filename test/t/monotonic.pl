# pulid_generate_monotonic where it takes more than one session or more than one life of a server:
# concurrent sessions, parallel workers, crashes, a clock that is set, with and without preloading.

use strict;
use warnings;
use IPC::Run qw(start);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $bits = q{replace(pulid_uuid(id)::text, '-', '')};
my $word = "left($bits, 16)";        # what the processes share
my $random = "right($bits, 16)";     # what each of them draws
my $next = q{SELECT pulid_generate_monotonic('prd')};
my $preload = 'shared_preload_libraries = prefixed_ulid';

# A server that runs and has the extension. The settings are lines of postgresql.conf.
sub server {
    my ($name, @settings) = @_;
    my $node = PostgreSQL::Test::Cluster->new($name);
    $node->init;
    $node->append_conf('postgresql.conf', "$_\n") for 'restart_after_crash = on', @settings;
    $node->start;
    $node->safe_psql('postgres', 'CREATE EXTENSION prefixed_ulid');
    return $node;
}

sub query {
    my ($node, $sql) = @_;
    return $node->safe_psql('postgres', $sql);
}

# An id made now, and whether its millisecond is not before the clock, nor after it.
sub next_at_the_clock {
    my ($node, $name) = @_;
    my ($id, $verdict) = split /\|/, query($node, <<~'SQL');
        SELECT id, CASE WHEN pulid_timestamp(id) < date_trunc('milliseconds', since) THEN 'before'
                        WHEN pulid_timestamp(id) > clock_timestamp() THEN 'after' ELSE 'at' END
        FROM (SELECT clock_timestamp() AS since, pulid_generate_monotonic('prd') AS id
              OFFSET 0) AS made
        SQL
    is $verdict, 'at', $name;
    return $id;
}

sub without_preloading {
    my $node = server('plain');
    my $error = '';
    $node->psql('postgres', "LOAD 'prefixed_ulid';", stderr => \$error);
    is $error, '', 'LOAD succeeds';

    $node->psql('postgres', "\\set VERBOSITY verbose\n$next", stderr => \$error);
    if (query($node, "SELECT current_setting('server_version_num')::int >= 170000") eq 't') {
        is $error, '', 'PostgreSQL 17 and later need no preloading';
        $node->restart;    # so that many sessions are the first at once
        return $node;
    }
    like $error, qr/^psql:<stdin>:2: ERROR:  55000: .*shared memory/,
        'Before PostgreSQL 17, 55000 without preloading';
    like $error, qr/^HINT:  .*shared_preload_libraries/m, 'The hint says what to set';
    $node->psql('postgres', "LOAD 'prefixed_ulid'; $next", stderr => \$error);
    like $error, qr/shared memory/, 'Loading the library later does not help';
    $node->stop;
    return server('preloaded', $preload);
}

# Whatever one call returned before another began is smaller. A sequence, which all sessions see at
# once, counts the beginnings and ends of calls.
sub concurrent_sessions {
    my ($node) = @_;
    query($node, <<~'SQL');
        CREATE SEQUENCE ticket;
        CREATE UNLOGGED TABLE taken (session int, began bigint, id pulid('prd'), ended bigint);
        CREATE FUNCTION take(session int, ids int) RETURNS void LANGUAGE plpgsql AS $$
        DECLARE began bigint; id pulid('prd'); ended bigint;
        BEGIN
            FOR i IN 1..ids LOOP
                began := nextval('ticket');
                id := pulid_generate_monotonic('prd');
                ended := nextval('ticket');
                INSERT INTO taken VALUES (session, began, id, ended);
            END LOOP;
        END $$;
        SQL
    my $script = $node->basedir . '/take.sql';
    append_to_file($script, "SELECT take(:client_id, 50);\n");
    $node->command_ok(
        [qw(pgbench -n -c 16 -j 4 -t 40 -f), $script, $node->connstr('postgres')],
        '16 sessions take ids at once');

    my @row = split /\|/, query($node, <<~SQL);
        SELECT count(*), count(DISTINCT session), count(DISTINCT $word), count(DISTINCT $random)
        FROM taken
        SQL
    is_deeply \@row, [32_000, 16, 32_000, 32_000], 'All are distinct, in the word as in the rest';
    cmp_ok query($node, <<~'SQL'), '>', 100, 'The sessions did take turns';
        SELECT count(*) FROM (
            SELECT session <> lag(session) OVER (ORDER BY id) AS turn FROM taken) AS t
        WHERE turn
        SQL
    cmp_ok query($node, <<~'SQL'), '>', 0, 'Calls did overlap';
        SELECT count(*) FROM (
            SELECT began < max(ended) OVER (ORDER BY began ROWS BETWEEN UNBOUNDED PRECEDING
                                            AND 1 PRECEDING) AS overlap FROM taken) AS t
        WHERE overlap
        SQL
    is query($node, <<~'SQL'), 0, 'What was returned before a call began is smaller';
        SELECT count(*) FROM (
            SELECT id, max(returned) OVER (ORDER BY at) AS largest
            FROM (SELECT began AS at, id, NULL AS returned FROM taken
                  UNION ALL SELECT ended, NULL, id FROM taken) AS event) AS history
        WHERE id <= largest
        SQL
    is query($node, <<~SQL), 0, 'Each of the 64 random bits is one in half of the ids';
        SELECT count(*)
        FROM (SELECT bit, avg(get_bit(decode($random, 'hex'), bit)) AS share
              FROM taken, generate_series(0, 63) AS bit GROUP BY bit) AS s
        WHERE share NOT BETWEEN 0.47 AND 0.53
        SQL
}

sub parallel_workers {
    my ($node) = @_;
    my $before = query($node, $next);
    my $plan = query($node, <<~'SQL');
        CREATE UNLOGGED TABLE source AS SELECT n FROM generate_series(1, 100000) AS n;
        SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
        SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 4;
        EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF)
        CREATE UNLOGGED TABLE parallel AS SELECT pulid_generate_monotonic('prd') AS id FROM source;
        SQL
    my $after = query($node, $next);
    like $plan, qr/Workers Launched: [1-4]/, 'Parallel workers are launched';
    like $plan, qr/Gather.*Parallel Seq Scan[^\n]*\n *Output: pulid_generate_monotonic/s,
        'They make the ids';
    is query($node, <<~SQL), '100000|100000|t', 'Their ids are distinct and in their time';
        SELECT count(DISTINCT $word), count(DISTINCT $random),
            bool_and(id > '$before' AND id < '$after')
        FROM parallel
        SQL
}

# New sessions are forks of one process, which has loaded the library before if it is preloaded.
sub new_sessions {
    my ($node) = @_;
    my @ids = map { query($node, $next) } 1 .. 40;
    is_deeply [sort @ids], \@ids, 'One session after the other: ids increase';
    my %seen = map { (substr($_, 17) => 1) } @ids;    # behind 48 + 16 bits
    is keys %seen, 40, 'No two sessions begin with the same random bits';

    query($node, 'CREATE DATABASE other');
    $node->safe_psql('other', 'CREATE EXTENSION prefixed_ulid');
    @ids = map { $node->safe_psql($_ % 2 ? 'other' : 'postgres', $next) } 1 .. 10;
    is_deeply [sort @ids], \@ids, 'Databases share the sequence';
}

sub after_a_crash {
    my ($node) = @_;
    my @ids = next_at_the_clock($node, 'An id is of the millisecond in which it was made');
    $node->stop('immediate');
    $node->start;
    push @ids, next_at_the_clock($node, 'So it is after an immediate shutdown');

    my $session = start [qw(psql -XAtq -d), $node->connstr('postgres'),
        '-c', 'SET application_name = victim', '-c', $next, '-c', 'SELECT pg_sleep(600)'],
        '>', \my $out, '2>', \my $err;
    my $victim = "FROM pg_stat_activity WHERE application_name = 'victim'";
    $node->poll_query_until('postgres', "SELECT count(*) = 1 $victim AND query LIKE '%pg_sleep%'");
    my $pid = query($node, "SELECT pid $victim");
    kill KILL => $pid;
    $session->finish;
    $node->poll_query_until('postgres', "SELECT NOT EXISTS (SELECT $victim)");
    ok slurp_file($node->logfile) =~ /\(PID $pid\) was terminated by signal 9/,
        'A backend is killed and the server starts anew';
    push @ids, next_at_the_clock($node, 'So it is after a crash');
    is_deeply [sort @ids], \@ids, 'Ids increase over both';
}

# The clock of this server is ours to set.
sub set_clock {
    my ($node) = @_;
    my $clock = $node->basedir . '/shifted_clock';
    system_or_bail('g++', qw(-O1 -shared -fPIC -o), "$clock.so", 'test/t/shifted_clock.cpp');
    my $set = sub { unlink $clock; append_to_file($clock, shift) };
    my $restart = sub {
        local $ENV{LD_PRELOAD} = "$clock.so";
        local $ENV{SHIFTED_CLOCK} = $clock;
        $node->restart;
    };
    my $year = 31_536_000;
    my $ahead = sub { # days that an id is ahead of the true clock
        return query($node,
            "SELECT round(extract(epoch FROM pulid_timestamp('$_[0]') - now()) / 86400)");
    };

    $set->(0);
    $restart->();
    my @ids = next_at_the_clock($node, 'A clock that is right');
    $set->($year);
    push @ids, query($node, $next);
    is $ahead->($ids[-1]), 365, 'A clock set ahead is followed';
    $set->(-$year);
    push @ids, split /\n/, query($node, "$next FROM generate_series(1, 100000)");
    push @ids, query($node, $next);
    is $ahead->($ids[-1]), 365, 'Set back, ids stay where they are';
    is query($node, "SELECT pulid_timestamp('$ids[-1]') - pulid_timestamp('$ids[1]')"),
        '00:00:00.001', 'and each 65536 of them are a millisecond';
    is_deeply [sort @ids], \@ids, 'and increase';

    $set->(-100 * $year);
    my $error = '';
    $node->psql('postgres', "\\set VERBOSITY verbose\n$next", stderr => \$error);
    like $error, qr/ERROR:  22008:/, 'A clock before 1970 is an error';
    $set->(281474976710655 / 1000 - time);
    $node->psql('postgres', "\\set VERBOSITY verbose\n$next", stderr => \$error);
    like $error, qr/ERROR:  22008:/, 'and so is one after the last instant of an id';

    $set->(0);
    push @ids, query($node, $next);
    is $ahead->($ids[-1]), 365, 'The clock is right again, ids go on';
    $restart->();
    next_at_the_clock($node, 'A restart forgets what was ahead of the clock');
    $node->restart;
}

my $node = without_preloading();
concurrent_sessions($node);
parallel_workers($node);
new_sessions($node);
after_a_crash($node);
set_clock($node);

# What a single session sees, in the situation that the other layers of tests do not have.
$node->adjust_conf('postgresql.conf', 'shared_preload_libraries', 'prefixed_ulid');
$node->restart;
query($node, 'CREATE EXTENSION pgtap');
$node->command_ok(
    ['pg_prove', '--dbname', 'postgres', 'test/pgtap/generate_monotonic.sql'],
    'pgTAP tests of the function pass in a preloaded server');
$node->stop;

done_testing;
