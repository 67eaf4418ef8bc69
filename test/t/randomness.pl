# The source of random bytes: one that fails is an error and never a weaker id, and no two processes
# hand out the same bytes.

use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('randomness');
my $broken = $node->basedir . '/broken';
my $shim = $node->basedir . '/broken_random.so';
system_or_bail('g++', qw(-O1 -shared -fPIC -o), $shim, 'test/t/broken_random.cpp');
my $drawer = $node->basedir . '/early_drawer.so';
system_or_bail('gcc', qw(-O1 -shared -fPIC -I), slurp_command('pg_config', '--includedir-server'),
    '-o', $drawer, 'test/t/early_drawer.c');

sub slurp_command {
    my ($out) = run_command([@_]);
    return $out;
}

sub query {
    my ($sql) = @_;
    return $node->safe_psql('postgres', $sql);
}

my %generators = (
    pulid_generate => q{pulid_generate('prd')},
    'pulid_generate at an instant' => q{pulid_generate('prd', now())},
    pulid_generate_v7 => q{pulid_generate_v7('prd')},
    pulid_generate_v4 => q{pulid_generate_v4('prd')},
    pulid_generate_monotonic => q{pulid_generate_monotonic('prd')},
    digit_id_generate => q{digit_id_generate('ACC', 36)},
    digit_id_insert => q{prefixed_ulid.digit_id_insert('account', 'id', 'ACC', 36)},
);

# Until the pool is empty the bytes are still good ones. 5,000 calls drain any pool.
sub make_try {
    query(<<~'SQL');
        CREATE TABLE account (id text PRIMARY KEY);
        CREATE FUNCTION try(generator text, OUT outcomes text, OUT messages text,
                            OUT duplicates bigint, OUT zeroes bigint)
        LANGUAGE plpgsql AS $$
        DECLARE made text[]; outcome text := ''; id text;
        BEGIN
            messages := '';
            FOR i IN 1..5000 LOOP
                BEGIN
                    EXECUTE 'SELECT ' || generator INTO id;
                    made := made || id;
                    outcome := outcome || '+';
                EXCEPTION WHEN others THEN
                    outcome := outcome || '-';
                    IF position(SQLERRM IN messages) = 0 THEN
                        messages := messages || SQLSTATE || ' ' || SQLERRM;
                    END IF;
                END;
            END LOOP;
            outcomes := regexp_replace(outcome, '(.)\1+', '\1', 'g');
            SELECT count(*) - count(DISTINCT m), count(*) FILTER (WHERE m ~ '0{8}$|0000-0000')
            INTO duplicates, zeroes FROM unnest(made) AS m;
        END $$;
        SQL
}

# A session that began while there were random bytes.
sub failing_source {
    for my $name (sort keys %generators) {
        my $call = $generators{$name};
        my $session = $node->background_psql('postgres', on_error_stop => 0);
        my $try = "SELECT * FROM try(\$g\$$call\$g\$);";
        is $session->query("SELECT count($call)"), 1, "$name: works";
        append_to_file($broken, '');
        is $session->query($try), '+-|XX000 could not generate random values|0|0',
            "$name: ids while there are bytes, then an error for every call";
        is $session->query($try), '-|XX000 could not generate random values|0|0',
            "$name: and so for every later call";
        unlink $broken;
        is $session->query($try), '+||0|0', "$name: random bytes again, ids again";
        $session->quit;
    }
}

# All sessions are forks of a process that has drawn.
sub inherited_pools {
    my (%seen, %count);
    for (1 .. 30) {
        for my $name (grep { $_ ne 'digit_id_insert' } sort keys %generators) {
            my $id = query("SELECT $generators{$name}");
            # The random end of an id: 12 characters are 60 bits, a digit id is random all over.
            $seen{$name}{substr $id, -12} = 1;
        }
    }
    is keys %{ $seen{$_} }, 30, "$_: no two sessions begin alike" for sort keys %seen;
    is query(<<~'SQL'), '400000|400000', 'Nor do parallel workers and their leader';
        CREATE UNLOGGED TABLE source AS SELECT n FROM generate_series(1, 400000) AS n;
        SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0;
        SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 4;
        CREATE UNLOGGED TABLE parallel AS SELECT pulid_generate_v4('prd') AS id FROM source;
        SELECT count(*), count(DISTINCT right(id::text, 12)) FROM parallel;
        SQL
}

$node->init;
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'prefixed_ulid, $drawer'\n");
{
    local $ENV{LD_PRELOAD} = $shim;
    local $ENV{BROKEN_RANDOM} = $broken;
    $node->start;
}
query('CREATE EXTENSION prefixed_ulid');
like slurp_file($node->logfile), qr/the postmaster has drawn/, 'The postmaster has drawn';
make_try();
failing_source();
inherited_pools();
$node->stop;

done_testing;
