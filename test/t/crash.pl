# What a crash may leave. Sessions insert, update and delete at random while another one vacuums;
# every process of the server is killed in the middle of it, several times. After each recovery the
# table has what was committed, no more and no less, amcheck finds heap and indexes complete, and
# other kinds of index find every row, on the primary and on a standby, which is killed as well.
#
# Each row follows from three numbers, and each session keeps to its own rows; so it is known what
# must be there after any number of its steps. SEED repeats the steps of a run.

use strict;
use warnings;
use IPC::Run qw(start);
use List::Util qw(sum);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $rounds = 3;
my $sessions = 4;
my $steps = 6000;    # of each session, more than there is time for
my $seed = $ENV{SEED} // time;
note "SEED=$seed";
srand $seed;

sub query {
    my ($node, @sql) = @_;
    return $node->safe_psql('postgres', join ";\n", @sql);
}

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 1);
# Nothing has to reach a disk here: what a process has handed to the kernel survives it.
$primary->append_conf('postgresql.conf', "$_\n")
    for 'autovacuum = off', 'wal_keep_size = 1GB', 'log_statement = none';
$primary->start;
$primary->backup('standby');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'standby', has_streaming => 1);
$standby->start;

query($primary, 'CREATE EXTENSION prefixed_ulid', 'CREATE EXTENSION amcheck', <<~'SQL');
    CREATE FUNCTION id_of(session int, nr int, version int) RETURNS pulid IMMUTABLE
    RETURN pulid_from_uuid((ARRAY['a', 'prd', 'user', ''])[nr % 4 + 1],
        overlay(md5(format('%s %s %s', session, nr, version)) PLACING
            -- half of them in order of time
            CASE nr % 2 WHEN 0 THEN lpad(to_hex(1742812232906 + nr), 12, '0') ELSE '' END
            FROM 1)::uuid);
    CREATE FUNCTION other_of(session int, nr int, version int) RETURNS pulid IMMUTABLE
    RETURN pulid_from_uuid('oth', md5(format('%s/%s/%s', session, nr, version))::uuid);
    CREATE TABLE item (session int, nr int, version int, id pulid PRIMARY KEY, other pulid UNIQUE,
        hashed pulid, ranged pulid, listed pulid[]);
    CREATE INDEX ON item (pulid_prefix(id), pulid_timestamp(id), other);
    CREATE INDEX ON item USING hash (hashed);
    CREATE INDEX ON item USING gist (ranged);
    CREATE INDEX ON item USING gin (listed);
    CREATE TABLE step (session int, step int, PRIMARY KEY (session, step));
    SQL

# One statement of a session, and what it does to the session's rows, { nr => version }.
sub make_step {
    my ($session, $step, $rows, $next) = @_;
    my $columns = "id_of($session, nr, %1\$s), other_of($session, nr, %1\$s),
        other_of($session, nr, %1\$s), other_of($session, nr, %1\$s),
        ARRAY[other_of($session, nr, %1\$s), id_of($session, nr, %1\$s)]";
    my $sql = "WITH ledger AS (INSERT INTO step VALUES ($session, $step))";
    my %some = map { ($_ => 1) } grep { exists $rows->{$_} }
        map { int rand $$next } 1 .. 1 + rand 25;
    my $where = "WHERE session = $session AND nr IN (" . join(', ', sort keys %some) . ')';
    my $kind = %some ? rand : 0;
    my $effect;
    if ($kind < 0.4) {
        my ($first, $last) = ($$next, $$next + int rand 20);
        $$next = $last + 1;
        $sql .= " INSERT INTO item SELECT $session, nr, 0, " . sprintf($columns, 0)
            . " FROM generate_series($first, $last) AS nr;";
        $effect = sub { $_[0]{$_} = 0 for $first .. $last };
    } elsif ($kind < 0.75) {
        $sql .= " UPDATE item SET (version, id, other, hashed, ranged, listed) =
            ROW (version + 1, " . sprintf($columns, 'version + 1') . ") $where;";
        $effect = sub { $_[0]{$_}++ for keys %some };
    } else {
        $sql .= " DELETE FROM item $where;";
        $effect = sub { delete @{ $_[0] }{ keys %some } };
    }
    $effect->($rows);
    return { sql => $sql =~ s/\s+/ /gr, effect => $effect };
}

# The steps of each session, from the first one on.
my @plan = map {
    my ($session, $next, %rows) = ($_, 1);
    [ map { make_step($session, $_, \%rows, \$next) } 1 .. $steps ];
} 0 .. $sessions - 1;

# The rows, as session|nr|version, when each session has done that many steps.
sub rows_after {
    my @done = @_;
    return map {
        my ($session, %rows) = ($_);
        $_->{effect}->(\%rows) for @{ $plan[$session] }[ 0 .. $done[$session] - 1 ];
        map { "$session|$_|$rows{$_}" } keys %rows;
    } 0 .. $sessions - 1;
}

sub psql_runs {
    my ($name, @lines) = @_;
    my $script = $primary->basedir . "/$name.sql";
    unlink $script;
    append_to_file($script, join "\n", @lines, '');
    my %run = (out => '', err => '');
    $run{run} = start [ qw(psql -XAt -v ON_ERROR_STOP=1 -f), $script, '-d',
        $primary->connstr('postgres') ], '>', \$run{out}, '2>', \$run{err};
    return \%run;
}

# Every process, not the postmaster alone: no session may finish what it does.
sub kill_server {
    my ($node) = @_;
    my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
    kill STOP => $postmaster;
    my @processes = ($postmaster, split ' ', `ps -o pid= --ppid $postmaster`);
    kill KILL => @processes;
    $node->kill9;
    select undef, undef, undef, 0.01 while kill 0 => @processes;    # until init has reaped them
}

sub steps_done {
    my ($node) = @_;
    my %done = map { split /\|/ }
        split /\n/, query($node, 'SELECT session, max(step) FROM step GROUP BY 1');
    return map { $done{$_} // 0 } 0 .. $sessions - 1;
}

sub check {
    my ($node, $name, @done) = @_;
    my $wrong = query($node, q{SELECT count(*) FROM item WHERE id <> id_of(session, nr, version)
        OR other <> other_of(session, nr, version) OR hashed <> other OR ranged <> other
        OR listed <> ARRAY[other, id]});
    is $wrong, 0, "$name: the rows are intact";
    my @expected = rows_after(@done);
    my @found = split /\n/, query($node, 'SET enable_indexscan = off',
        'SELECT session, nr, version FROM item');
    is_deeply [ sort @found ], [ sort @expected ],
        "$name: nothing is lost, nothing is twice: " . @found . ' rows';
    query($node, map { "SELECT bt_index_check('$_', true)" }
        qw(item_pkey item_other_key item_pulid_prefix_pulid_timestamp_other_idx step_pkey));
    pass "$name: btree indexes are complete";
    is query($node, q{SELECT count(*) FROM verify_heapam('item')}), 0, "$name: the heap is sound";
    for my $find ('hashed = one.other', 'ranged = one.other', 'listed @> ARRAY[one.other]') {
        is query($node, 'SET enable_seqscan = off',
            "SELECT count(*) FROM item AS one, LATERAL (SELECT FROM item WHERE $find) AS found"),
            scalar @expected, "$name: $find finds each";
    }
}

my @done = (0) x $sessions;
for my $round (1 .. $rounds) {
    my @loads = map { my $s = $_;
        psql_runs("session_$s", map { $_->{sql} } @{ $plan[$s] }[ $done[$s] .. $steps - 1 ]) }
        0 .. $sessions - 1;
    my $vacuum = psql_runs('vacuum', ('VACUUM item;', 'VACUUM (FREEZE) item;',
        'REINDEX INDEX CONCURRENTLY item_other_key;', 'CHECKPOINT;') x 1000);
    my $goal = 400 + sum(@done);
    $primary->poll_query_until('postgres', "SELECT count(*) >= $goal FROM step");
    kill_server($standby) if $round == 2;
    kill_server($primary);
    $_->{run}->finish for @loads, $vacuum;
    $primary->start;
    $standby->start if $round == 2;

    my @told = map { my @tags = $_->{out} =~ /^(?:INSERT|UPDATE|DELETE) /mg; scalar @tags } @loads;
    my @now = steps_done($primary);
    my @more = map { $now[$_] - $done[$_] - $told[$_] } 0 .. $sessions - 1;
    is grep({ $_ != 0 && $_ != 1 } @more), 0,
        "Round $round: what was told to be committed is, and at most the step in progress besides"
        or diag "steps: @now; told: @told; before: @done";
    is grep({ $_ == $steps } @now), 0, "Round $round: it was in the middle";
    note "Round $round: @now steps";
    @done = @now;
    check($primary, "Round $round", @done);
    $primary->wait_for_catchup($standby, 'replay');
    check($standby, "Round $round, standby", @done);
}
$standby->promote;
check($standby, 'Promoted', @done);
is query($standby,
    q{INSERT INTO item (id) VALUES (pulid_generate('prd')) RETURNING pulid_prefix(id)}),
    'prd', 'The promoted standby takes new ids';
$standby->psql('postgres', 'INSERT INTO item (id) SELECT id FROM item LIMIT 1',
    stderr => \my $error);
like $error, qr/duplicate key value violates unique constraint "item_pkey"/, 'Unique is unique';
$standby->stop;
$primary->stop;
done_testing;
