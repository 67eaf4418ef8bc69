# backfill killed and called again, and among writers.

use strict;
use warnings;
use FindBin;
use IPC::Run qw(start);
use lib $FindBin::RealBin;
use Owner;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_node('backfill', "restart_after_crash = on\n");

# A backfill in a session of its own. It says what it did only through its progress row.
sub start_backfill {
    my ($database, $call) = @_;
    my %run = (out => '');
    $run{psql} = start [qw(psql -X -q -U owner -v ON_ERROR_STOP=1 -d), $node->connstr($database),
        '-c', $call], '>', \$run{out}, '2>&1';
    return \%run;
}

my $filled = q{SELECT key, id FROM item WHERE id IS NOT NULL ORDER BY key};

# What was filled stays as it is, whatever is killed in the middle of which batch: a trigger stops
# the backfill at a row of our choice.
sub kill_backfill {
    create_database('killed');
    query('killed', <<~'SQL');
        CREATE TABLE item (key int PRIMARY KEY, made timestamptz, id pulid('itm'))
            WITH (autovacuum_enabled = off);
        INSERT INTO item SELECT n, '2021-01-01'::timestamptz + (n * 7919 % 8000) * interval '1 us'
            FROM generate_series(1, 8000) AS n;
        CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS
            $$BEGIN PERFORM pg_sleep(600); RETURN NEW; END$$;
        SQL
    my $rest = q{SELECT count(*) FROM item WHERE id IS NULL};
    my $call = q{CALL prefixed_ulid.backfill('item', 'id', 'itm', created_at => 'made', batch =>
        20)};
    my $sleeper = q{FROM pg_stat_activity WHERE datname = 'killed' AND wait_event = 'PgSleep'};
    for my $round (1 .. 6) {
        my $before = query('killed', $rest);
        my $ahead = 100 + int rand 1000;
        my $stop = query('killed', "SELECT key FROM item WHERE id IS NULL ORDER BY ctid
            OFFSET $ahead LIMIT 1");
        query('killed', "CREATE OR REPLACE TRIGGER stop BEFORE UPDATE ON item FOR EACH ROW
            WHEN (NEW.key = $stop) EXECUTE FUNCTION stop()");
        my $run = start_backfill('killed', $call);
        $node->poll_query_until('killed', "SELECT count(*) = 1 $sleeper") or die
            "It never stopped.\n";
        my ($done, $left, @state) = split /\|/, query('killed', "SELECT rows_done, rows_rest,
            finished, pid = (SELECT pid $sleeper) FROM prefixed_ulid.backfill_progress");
        ok $done <= $ahead && $ahead - $done < 20 && $done + $left == $before && "@state" eq 'f t',
            "round $round: another session sees how far it came";
        if ($round % 3 == 0) {
            $node->stop('immediate');
            $node->start;
        } elsif ($round % 3 == 1) {
            query('killed', "SELECT pg_terminate_backend(pid) $sleeper");
        } else {
            kill KILL => query('killed', "SELECT pid $sleeper");
        }
        $run->{psql}->finish;
        $node->poll_query_until('killed', "SELECT count(*) = 0 $sleeper");
        is query('killed', $rest), $left,
            "round $round: killed in its batch, it leaves what it had done before";
        query('killed', "CREATE TABLE round_$round AS $filled");
    }
    query('killed', 'DROP TRIGGER stop ON item');
    my $rows = query('killed', $rest);
    is run_script('killed', $call), '', 'The last call is not disturbed';
    is query('killed', q{SELECT rows_done, rows_rest, finished FROM
        prefixed_ulid.backfill_progress}),
        "$rows|0|t", 'and does what was left';
    is query('killed', "SELECT count(*) FROM round_$_ AS r JOIN item AS i USING (key)
        WHERE r.id <> i.id"), 0, "What round $_ filled is as it was" for 1 .. 6;
    is query('killed', q{SELECT count(*), count(id), count(DISTINCT id),
        array_agg(key ORDER BY id) = array_agg(key ORDER BY made) FROM item}), '8000|8000|8000|t',
        'Every row has an id, and they are in the order of the times';
    my $ids = query('killed', $filled);
    is run_script('killed', $call), '', 'Once more';
    is query('killed', $filled), $ids, 'changes nothing';
}

# Writers that take many rows, in the order that is worst for a backfill that took them in another;
# that move rows, insert and delete. And one that holds a row all the time.
sub disturb_backfill {
    create_database('disturbed');
    query('disturbed', <<~'SQL');
        CREATE TABLE item (key int PRIMARY KEY, made timestamptz NOT NULL DEFAULT clock_timestamp(),
            note int NOT NULL DEFAULT 0, pad text DEFAULT repeat('x', 100));
        INSERT INTO item SELECT n, '2021-01-01'::timestamptz + n * interval '1 us'
            FROM generate_series(1, 6000) AS n;
        ALTER TABLE item ADD COLUMN id pulid('itm');
        ALTER TABLE item ALTER COLUMN id SET DEFAULT pulid_generate('itm');
        GRANT ALL ON item TO app;
        CREATE SEQUENCE number START 10001;
        GRANT USAGE ON SEQUENCE number TO app;
        CREATE FUNCTION work() RETURNS void LANGUAGE plpgsql AS $$
        DECLARE first int := 1000 + random() * 4000;
        BEGIN
            FOR n IN REVERSE first + 20 .. first LOOP
                UPDATE item SET note = note + 1, pad = repeat('y', (100 + random() * 50)::int)
                WHERE key = n;
            END LOOP;
            INSERT INTO item (key) SELECT nextval('number') FROM generate_series(1, 2);
            DELETE FROM item WHERE key = lastval();
        END $$;
        SQL
    my $holder = $node->background_psql('disturbed', on_error_stop => 1);
    $holder->query('BEGIN; UPDATE item SET note = note WHERE key IN (10, 20, 5990)');
    my $script = $node->basedir . '/work.sql';
    append_to_file($script, "SELECT work();\n");
    my $output = '';
    # One client, whose transactions cannot be in each other's way.
    my $traffic = start [qw(pgbench -n -U app -c 1 -t 300 -f), $script,
        $node->connstr('disturbed')],
        '>', \$output, '2>&1';
    my $run = start_backfill('disturbed', q{CALL prefixed_ulid.backfill('item', 'id', 'itm', 'made',
        50)});
    $traffic->finish;
    like $output, qr{processed: 300/300$}m, 'No writer fails for a backfill' or diag $output;
    $node->poll_query_until('disturbed', q{SELECT count(*) <= 3 FROM item WHERE id IS NULL});
    is query('disturbed', q{SELECT count(*) FROM item WHERE id IS NULL}), 3,
        'Rows that somebody holds wait until the end';
    ok $node->poll_query_until('disturbed', q{SELECT count(*) = 1 FROM pg_stat_activity
        WHERE query LIKE 'CALL%' AND cardinality(pg_blocking_pids(pid)) > 0}), 'The backfill waits';
    is query('disturbed', q{SELECT count(*) FROM item AS i WHERE id IS NOT NULL AND key NOT IN
        (SELECT key FROM item WHERE id IS NOT NULL FOR NO KEY UPDATE SKIP LOCKED)}), '0',
        'and holds no row meanwhile';
    $holder->query('COMMIT');
    $holder->quit;
    $run->{psql}->finish;
    unlike $run->{out}, qr/ERROR/, 'It ends well';
    is query('disturbed', q{SELECT count(*), count(id), count(DISTINCT id), sum(note) FROM item}),
        '6300|6300|6300|6300', 'No row without an id, none lost, no update lost';
    is query('disturbed', q{SELECT array_agg(key ORDER BY id) = array_agg(key ORDER BY made)
        FROM item WHERE key <= 6000}), 't', 'The order is that of the times';
}

kill_backfill();
disturb_backfill();
$node->stop;
done_testing;
