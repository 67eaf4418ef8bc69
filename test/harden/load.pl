# Sixteen sessions at work on one table while its indexes are rebuilt, statements are cancelled,
# backends and the whole server are killed. For HARDEN_MINUTES (5; 0 for one round of each kind of
# death). What each session was told is held against what is there in the end.

use strict;
use warnings;
use IPC::Run qw(start);
use List::Util qw(sum0);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $minutes = $ENV{HARDEN_MINUTES} // 5;
my ($writers, $readers) = (12, 4);
my $batch = 60;    # rows of a transaction
my $node = PostgreSQL::Test::Cluster->new('load');
my $dir = $node->basedir;
$node->init;
$node->append_conf('postgresql.conf', <<~'CONF');
    shared_preload_libraries = prefixed_ulid
    restart_after_crash = on
    autovacuum_naptime = 1s
    max_connections = 60
    shared_buffers = 8MB
    max_wal_size = 64MB
    deadlock_timeout = 100ms
    log_line_prefix = '[%p] %e '
    CONF
$node->start;

sub query {
    my ($sql) = @_;
    return $node->safe_psql('postgres', $sql);
}

query(<<~'SQL');
    CREATE EXTENSION prefixed_ulid;
    CREATE EXTENSION amcheck;
    CREATE TABLE made (
        id         pulid PRIMARY KEY,
        account_no text UNIQUE CHECK (digit_id_is_canonical(account_no, 'ACC', 36)),
        batch      bigint NOT NULL DEFAULT txid_current(),
        touched    int NOT NULL DEFAULT 0
    );
    CREATE INDEX touched ON made (id, touched);    -- so that updates are not HOT
    CREATE TABLE acknowledged (id pulid);
    SQL

# A script for psql, again and again until there is a file named stop. What psql prints of a
# statement it has been told after COMMIT.
my @runs;
sub session {
    my ($name, $sql) = @_;
    append_to_file("$dir/$name.sql", "SET application_name = '$name';\n$sql");
    my $command = "until [ -e $dir/stop ]; do
        psql -XAtq -d '@{[$node->connstr('postgres')]}' -f $dir/$name.sql \\
            >>$dir/$name.out 2>>$dir/$name.err || sleep 0.1    # no server at the moment
        done";
    append_to_file("$dir/$name.$_", '') for qw(out err);
    push @runs, start ['sh', '-c', $command];
}

my $insert = <<~'SQL';
    INSERT INTO made (id, account_no)
    SELECT unnest(ARRAY[pulid_generate('prd'), pulid_generate('prd', clock_timestamp()),
               pulid_generate_v7('prd'), pulid_generate_v4('prd'), pulid_generate_monotonic('prd'),
               pulid_generate()]),
           digit_id_generate('ACC', 36)
    FROM generate_series(1, 10) RETURNING id;
    SQL
my $touch = <<~'SQL';
    UPDATE made SET touched = touched + 1
    WHERE id IN (SELECT id FROM made TABLESAMPLE SYSTEM (0.2) LIMIT 10);
    SQL
session("writer$_", ($insert x 3 . $touch) x 20) for 1 .. $writers;

# Each sees one snapshot, through one index and without.
session("reader$_", <<~'SQL' x 20) for 1 .. $readers;
    SELECT 'wrong: a range' FROM (SELECT id FROM made ORDER BY id DESC LIMIT 1000) AS s
    HAVING count(*) <> count(DISTINCT id);
    SELECT 'wrong: a key' FROM (SELECT id::text AS key FROM made TABLESAMPLE SYSTEM (0.2) LIMIT 50)
        AS s WHERE (SELECT count(*) FROM made WHERE id = key) <> 1;
    SELECT 'wrong: a beginning' FROM (SELECT min(id) AS id FROM made WHERE id ^@ 'prd_01') AS s
    WHERE NOT pulid_has_prefix(id, 'prd');
    SQL
session('vacuum', "VACUUM made; ANALYZE made;\n" x 10);
session('index', <<~'SQL' x 5);
    DROP INDEX CONCURRENTLY IF EXISTS by_hash;
    CREATE INDEX CONCURRENTLY by_hash ON made USING hash (id);
    REINDEX INDEX CONCURRENTLY made_pkey;
    DROP INDEX CONCURRENTLY IF EXISTS by_brin;
    CREATE INDEX CONCURRENTLY by_brin ON made USING brin (id pulid_minmax_multi_ops);
    REINDEX INDEX CONCURRENTLY touched;
    DROP INDEX CONCURRENTLY IF EXISTS by_gist;
    CREATE INDEX CONCURRENTLY by_gist ON made USING gist (id);
    SQL
session('cancel', <<~'SQL' x 100);
    SELECT FROM pg_sleep(0.02), (
        SELECT pg_cancel_backend(pid) FROM pg_stat_activity
        WHERE application_name ~ '^(writer|reader|vacuum|index)' AND state = 'active'
        ORDER BY random() LIMIT 1) AS s;
    SQL

# Returns when every writer has been told of a thousand more rows.
sub everybody_works_on {
    my %goal = map { ("$dir/writer$_.out" => 27_000 + -s "$dir/writer$_.out") } 1 .. $writers;
    while (my ($file) = grep { -s $_ < $goal{$_} } keys %goal) {
        usleep(50_000);
    }
}

sub start_again {
    my $tries = 0;
    until ($node->start(fail_ok => 1)) {    # until the last backend has noticed
        die "no start\n" if ++$tries > 600;
        $node->{_pid} = undef;    # what it read is the pid of the dead server
        usleep(100_000);
    }
}

my (%killed, %deaths);
sub kill_backend {
    my $pid = query("SELECT pid FROM pg_stat_activity WHERE application_name ~ '^(writer|index)'
                     ORDER BY random() LIMIT 1");
    $killed{$pid} = 1 if $pid && kill KILL => $pid;
    $deaths{backend}++;
    $node->poll_query_until('postgres', 'SELECT true');
}

sub kill_server {
    $node->kill9;
    start_again();
    $deaths{server}++;
}

sub stop_server {
    $node->stop('immediate');
    start_again();
    $deaths{shutdown}++;
}

my $end = time + 60 * $minutes;
do {
    for my $death (\&kill_backend, \&kill_server, \&kill_backend, \&stop_server) {
        everybody_works_on();
        $death->();
    }
} while (time < $end);
everybody_works_on();
append_to_file("$dir/stop", '');
$_->finish for @runs;

diag sprintf '%d backends, %d servers killed, %d shut down at once',
    @deaths{qw(backend server shutdown)};
is slurp_file($_), '', 'Readers saw nothing wrong' for glob "$dir/reader*.out";

# What was told

$node->command_ok([qw(psql -XAtq -d), $node->connstr('postgres'), '-c',
    "\\copy acknowledged FROM $_"], 'What a session was told is read') for glob "$dir/writer*.out";
my ($told, $distinct) = split /\|/, query('SELECT count(*), count(DISTINCT id) FROM acknowledged');
diag "$told rows acknowledged";
cmp_ok $told, '>=', 12_000, 'Rows were made';
is $told, $distinct, 'No id was told twice';

# What is there

query('DROP INDEX IF EXISTS by_hash, by_brin, by_gist');
query("DROP INDEX $_") for split /\n/, query(<<~'SQL');
    SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'made'::regclass AND NOT indisvalid
    SQL
query('CREATE INDEX by_hash ON made USING hash (id)');
for my $way (['a sequential scan', 'SET enable_indexscan = off; SET enable_bitmapscan = off;
                  SET enable_indexonlyscan = off;', 'seq'],
             ['an index', 'SET enable_seqscan = off; SET enable_hashjoin = off;
                  SET enable_mergejoin = off;', 'index']) {
    my ($name, $settings) = @$way;
    is query("$settings SELECT count(*) FROM acknowledged AS a
              WHERE NOT EXISTS (SELECT FROM made WHERE made.id = a.id)"), 0,
        "Nothing that was told is lost, by $name";
}
my $rows = query('SELECT count(*) FROM made');
is query('SELECT count(*) FROM (SELECT DISTINCT id::text COLLATE "C" FROM made) AS s'), $rows,
    'No id is there twice';
is query('SELECT count(DISTINCT account_no) FROM made'), $rows, 'No digit id is there twice';
is query("SELECT count(*) FROM (SELECT FROM made GROUP BY batch HAVING count(*) <> $batch) AS s"),
    0, 'No transaction is there in part';
# At each death, every writer may lose one answer; a statement that is cancelled in time has none.
cmp_ok $rows - $told, '<=', $batch * $writers * sum0(values %deaths),
    'What is there and was not told: no more than sessions that died';
query("SELECT bt_index_parent_check(c.oid, true)
       FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_am a ON a.oid = c.relam
       WHERE indrelid = 'made'::regclass AND amname = 'btree'");
pass 'amcheck finds the btrees sound, every row in them';
query('REINDEX TABLE made');
pass 'and they can be built anew';

# What the server says

my $log = slurp_file($node->logfile);
my %deaths_in_log = map { ($_ => 1) } $log =~ /\(PID (\d+)\) was terminated by signal/g;
is_deeply [grep { !$killed{$_} } keys %deaths_in_log], [], 'No process died but those killed';
cmp_ok keys %deaths_in_log, '>=', 1, 'and some of them did, before they ended by themselves';
unlike $log, qr/PANIC|TRAP:/, 'No PANIC and no failed assertion';
my (%states, %strange);
while ($log =~ /^\[\d+\] (\S{5}) (?:ERROR|FATAL):  (.*)/mg) {
    my ($state, $message) = ($1, $2);
    $states{$state}++;
    # Cancelled, deadlock, shutdown or crash of the server, connections while it starts or stops,
    # a start while processes of the dead server are still there; what is left of an index whose
    # DROP or CREATE CONCURRENTLY was cancelled; parallel workers whose leader was cancelled.
    next if $state =~ /^(57014|40P01|57P01|57P02|57P03|F0001)$/;
    next if $message =~ /^relation "by_\w+" already exists|^could not map dynamic shared memory/;
    $strange{"$state $message"}++;
}
diag join ', ', map { "$_ $states{$_} times" } sort keys %states;
is_deeply \%strange, {}, 'No error but those that were provoked';
ok $log =~ / 57014 ERROR/, 'Statements were cancelled';
$node->stop;

done_testing;
