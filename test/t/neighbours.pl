# What takes more than one session: a public id that two rotate at once, and digit ids that collide
# while others insert.

use strict;
use warnings;
use IPC::Run qw(start);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('neighbours');
$node->init;
$node->start;

sub query {
    my ($sql) = @_;
    return $node->safe_psql('postgres', $sql);
}

sub session {
    my ($name) = @_;
    my $session = $node->background_psql('postgres', on_error_stop => 0);
    $session->query("SET application_name = $name; \\set VERBOSITY sqlstate");
    return $session;
}

# Sends a statement that has to wait for another session, and returns when it does.
sub send_and_block {
    my ($session, $name, $sql) = @_;
    $session->query_until(qr/^sent$/m, "\\echo sent\n$sql;\n");
    return $node->poll_query_until('postgres',
        "SELECT count(*) = 1 FROM pg_stat_activity
         WHERE application_name = '$name' AND cardinality(pg_blocking_pids(pid)) > 0");
}

# The output of what was sent: the new id, or nothing when no row was found. Errors go to stderr.
sub outcome {
    my ($session) = @_;
    $session->{stderr} = '';
    return $session->query('SELECT') . $session->{stderr};
}

# One row has the id; two sessions rotate it in overlapping transactions.
sub rotate_twice {
    my ($name, $table, $isolation, $end) = @_;
    my $old = query("SELECT min(public_id) FROM $table");
    my $all = query("SELECT count(*) FROM $table");
    my $rotate = "UPDATE $table SET public_id = DEFAULT WHERE public_id = '$old'
        RETURNING public_id";
    my ($first, $second) = (session('first'), session('second'));
    $_->query("BEGIN ISOLATION LEVEL $isolation; SELECT") for $first, $second;
    my $new = $first->query($rotate);
    ok send_and_block($second, 'second', $rotate), "$name: the second rotation waits for the first";
    $first->query($end);
    my $other = outcome($second);
    $second->query('COMMIT');
    my $winner = $end eq 'COMMIT' ? $new : $other;
    $_->quit for $first, $second;

    like $winner, qr/^[a-z]{3}_[0-9a-z]{26}$/, "$name: one wins";
    like $other, $isolation =~ /REPEATABLE/ ? qr/40001/ : qr/^$/, "$name: the other learns of it"
        if $end eq 'COMMIT';
    is query("SELECT count(*) FILTER (WHERE public_id = '$winner'),
                     count(*) FILTER (WHERE public_id = '$old'), count(*) FROM $table"),
        "1|0|$all", "$name: the row has the winner's id";
}

sub public_ids {
    $node->command_ok([qw(psql -X -q -f examples/public_id.sql -d), $node->connstr('postgres')],
        'The example runs');
    for my $table (qw(public_id.customer public_id.member)) {
        rotate_twice("$table, the first commits", $table, 'READ COMMITTED', 'COMMIT');
        rotate_twice("$table, the first rolls back", $table, 'READ COMMITTED', 'ROLLBACK');
        rotate_twice("$table, repeatable read", $table, 'REPEATABLE READ', 'COMMIT');
    }
    is query('SELECT count(*), count(DISTINCT public_id) FROM public_id.customer_alias'), '7|7',
        'Each rotation of a customer that was committed left one alias';
}

# Sequences are not rolled back, so this one counts attempts.
sub make_accounts {
    query(<<~'SQL');
        CREATE SEQUENCE attempt;
        CREATE TABLE account (
            account_no text PRIMARY KEY CHECK (digit_id_is_canonical(account_no, 'ACC', 4)),
            nth serial, session int DEFAULT pg_backend_pid());
        CREATE FUNCTION count_attempt() RETURNS trigger LANGUAGE plpgsql AS
            $$BEGIN PERFORM nextval('attempt'); RETURN NEW; END$$;
        CREATE TRIGGER count_attempt BEFORE INSERT ON account
            FOR EACH ROW EXECUTE FUNCTION count_attempt();
        SQL
}

my $insert = q{prefixed_ulid.digit_id_insert('account', 'account_no', 'ACC', 4)};

# 6,000 rows into 10,000 ids. What the clients were told is held against what is there.
sub concurrent_inserts {
    my ($clients, $rows) = (6, 1000);
    my $script = $node->basedir . '/insert.sql';
    append_to_file($script, "\\set VERBOSITY sqlstate\n" . "SELECT $insert;\n" x $rows);
    my @sessions = map {
        my %session = (out => '', err => '');
        $session{run} = start [qw(psql -XAtq -d), $node->connstr('postgres'), '-f', $script],
            '>', \$session{out}, '2>', \$session{err};
        \%session;
    } 1 .. $clients;
    $_->{run}->finish for @sessions;

    my @told = map { split /\n/, $_->{out} } @sessions;
    my @refused = map { split /\n/, $_->{err} } @sessions;
    my @there = split /\n/, query('SELECT account_no FROM account ORDER BY 1');
    my $attempts = query('SELECT last_value FROM attempt');
    is_deeply [sort @told], \@there, 'What the clients were told is there, and nothing else';
    cmp_ok query(<<~'SQL'), '>', 500, 'The sessions did take turns';
        SELECT count(*) FROM (
            SELECT session <> lag(session) OVER (ORDER BY nth) AS turn FROM account) AS t
        WHERE turn
        SQL
    is @told + @refused, $clients * $rows, 'Each call has ended in an id or an error';
    is grep({ !/ERROR:  54000$/ } @refused), 0, 'No error but "no free id found"';
    cmp_ok $attempts - @told, '>', 1500, 'Collisions were forced';
    note sprintf '%d sessions: %d rows in %d attempts, %d collisions, %d calls gave up',
        $clients, scalar @told, $attempts, $attempts - @told, scalar @refused;
}

# An id that another transaction has taken but not committed: the insert waits for how that ends.
sub uncommitted {
    my ($end, $rows) = @_;
    query('TRUNCATE account');
    my ($first, $second) = (session('first'), session('second'));
    $first->query("BEGIN; SELECT count($insert) FROM generate_series(1, 500)");
    # 300 draws of which each meets one of the 500 once in 20 times
    ok send_and_block($second, 'second', "SELECT count($insert) FROM generate_series(1, 300)"),
        "$end: an insert waits for an uncommitted id";
    $first->query($end);
    is outcome($second), 300, "$end: then it goes on";
    $_->quit for $first, $second;
    is query('SELECT count(*) FROM account'), $rows, "$end: no row is lost";
}

query('CREATE EXTENSION prefixed_ulid');
public_ids();
make_accounts();
concurrent_inserts();
uncommitted('COMMIT', 800);
uncommitted('ROLLBACK', 300);
$node->stop;
done_testing;
