# The memory of a session: it does not grow over ten million calls, and where there is no more of
# it, a statement fails and the session goes on.

use strict;
use warnings;
BEGIN { $ENV{PG_TEST_TIMEOUT_DEFAULT} = 7200; }    # of a session as a whole
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $calls = $ENV{HARDEN_CALLS} // 10_000_000;
my $node = PostgreSQL::Test::Cluster->new('memory');
$node->init;
$node->append_conf('postgresql.conf', <<~'CONF');
    shared_preload_libraries = prefixed_ulid
    jit = off
    autovacuum = off
    CONF
$node->start;
$node->safe_psql('postgres', <<~'SQL');
    CREATE EXTENSION prefixed_ulid;
    CREATE TABLE source AS
    SELECT n, id, id::text AS word,
        upper(replace(id::text, '_', ' ')) AS typed, 'a log line with ' || id || ' in it' AS line
    FROM (SELECT n, pulid_from_uuid('prd', md5(n::text)::uuid) AS id
          FROM generate_series(1, 1000) AS n) AS s;
    CREATE TABLE huge AS    -- toasted, compressed and not
    SELECT string_agg(id::text, ' ') AS packed, repeat(min(id)::text, 20000) AS compressed
    FROM source;
    ANALYZE;
    SQL

# What the process has, less what it shares with others, in kB.
sub size_of {
    my ($pid) = @_;
    my ($size) = slurp_file("/proc/$pid/status") =~ /^RssAnon:\s+(\d+)/m;
    return $size;
}

sub session {
    my $session = $node->background_psql('postgres', on_error_stop => 0);
    $session->query('\set VERBOSITY sqlstate');
    return ($session, scalar $session->query('SELECT pg_backend_pid();'));
}

# Expressions over one row of source, which stands for a call each.
my @calls = split /\n/, <<~'CALLS';
    pulid_generate('prd')
    pulid_generate('prd', now())
    pulid_generate_v7('prd')
    pulid_generate_v4('prd')
    pulid_generate_monotonic('prd')
    digit_id_generate('ACC', 12)
    word::pulid
    id::text
    pulid_send(id)
    pulid_parse(typed)
    pulid_try_parse(typed)
    pulid_tidy(typed, 'prd')
    pulid_extract(line)
    pulid_inspect(id)
    pulid_timestamp(id)
    pulid_from_uuid('prd', pulid_uuid(id))
    id = word
    word < id
    id ^@ word
    pulid_has_prefix(id, word)
    pulid_created_between(id, '2020-01-01', '2021-01-01')
    pulid_hash(id) # pulid_hash_text(word)
    digit_id_tidy(line)
    CALLS

# The call that may fail stands in a subtransaction, whose memory must come back as well.
sub flat {
    my ($session, $pid) = session();
    my $part = int($calls / 10);
    my $series = "(SELECT generate_series(1, $part / 1000) AS i) AS s, source";
    for my $call (@calls) {
        $call =~ s/^pulid_parse\(typed\)/pulid_parse(word)/;
        my $run = sub { $session->query("SELECT count($call) FROM $series;") };
        my @sizes = map { $run->(); size_of($pid) } 1 .. 10;
        cmp_ok $sizes[9], '<=', $sizes[1] + 256, "$calls times $call: " . join ' ', @sizes;
    }
    # These call the comparison many times in one memory context.
    my %queries = (
        'an index searched for texts' => "SELECT count(*) FROM $series JOIN source AS o
            ON o.id = source.word WHERE i <= 1000",
        'an index searched for toasted texts' => "SELECT count(*) FROM
            (SELECT generate_series(1, 20000) AS i OFFSET 0) AS s, huge, source
            WHERE source.id = CASE WHEN i > 0 THEN huge.packed END",
        'toasted texts compared' => "SELECT count(*) FROM
            (SELECT generate_series(1, 100) AS i) AS s, huge, source
            WHERE source.id < packed AND compressed > source.id AND NOT source.id ^@ compressed",
        'errors caught' => "DO \$\$BEGIN FOR i IN 1..200000 LOOP
            BEGIN PERFORM pulid_parse('prd_' || i); EXCEPTION WHEN others THEN NULL; END;
            END LOOP; END\$\$",
        'sorts' => "SELECT max(i) FROM (SELECT i, id FROM $series WHERE i <= 500 ORDER BY id
            OFFSET 0) AS s",
        'statistics' => 'ANALYZE source',
        'index builds' => 'REINDEX TABLE source',
        'plans' => "DO \$\$BEGIN FOR i IN 1..2000 LOOP EXECUTE
            format('EXPLAIN SELECT FROM source WHERE id ^\@ %L', 'prd_' || i); END LOOP; END\$\$",
    );
    $session->query('CREATE INDEX ON source (id); CREATE INDEX ON source USING gist (id);
        CREATE INDEX ON source USING brin (id pulid_minmax_multi_ops);
        CREATE INDEX ON source USING hash (id); SET enable_hashjoin = off;
        SET enable_mergejoin = off; SET work_mem = 1024;');
    for my $name (sort keys %queries) {
        my @sizes = map { $session->query("$queries{$name};"); size_of($pid) } 1 .. 10;
        cmp_ok $sizes[9], '<=', $sizes[2] + 512, "10 times $name: " . join ' ', @sizes;
    }
    is $session->{stderr} =~ s/^background_psql: .*\n?//mgr, '', 'None of that was an error';
    $session->quit;
}

# A session may grow by so many kB more; the next allocation fails wherever it happens to be.
sub scarce {
    my ($fails, $works) = (0, 0);
    my $statement = <<~'SQL';
        SELECT count(*) FROM (
            SELECT pulid_extract(repeat('x ' || id, 2000)), pulid_tidy(repeat(' ', 500000) || word),
                array_agg(id) OVER (), array_agg(id::text) OVER () FROM source OFFSET 0) AS s;
        CREATE TEMP TABLE copy AS SELECT * FROM source ORDER BY id DESC;
        CREATE INDEX ON copy USING gist (id);
        CREATE INDEX ON copy (id);
        ANALYZE copy;
        SELECT count(*) FROM copy JOIN source USING (id) WHERE copy.id = ANY (ARRAY(
            SELECT word FROM source));
        DROP TABLE IF EXISTS copy;
        SQL
    my @strange;
    for my $kilobytes (map { $_ * 100 } 0 .. 120) {
        my ($session, $pid) = session();
        my ($now) = slurp_file("/proc/$pid/status") =~ /^VmSize:\s+(\d+)/m;
        system_or_bail('prlimit', "--pid=$pid", '--as=' . ($now + $kilobytes) * 1024 . ':');
        $session->{stderr} = '';
        $session->query($statement);
        my @states = $session->{stderr} =~ /(?:ERROR|FATAL):\s+(\S+)/g;
        @states ? $fails++ : $works++;
        push @strange, grep { $_ !~ /^(53200|42P01)$/ } @states;    # 42P01: no copy was made
        system_or_bail('prlimit', "--pid=$pid", '--as=unlimited:');
        $session->{stderr} = '';
        my $id = $session->query("SELECT pulid_generate('prd') <> pulid_generate('prd');");
        push @strange, "lost: $session->{stderr}" if $id ne 't';
        $session->quit;
    }
    is_deeply \@strange, [], 'Out of memory is 53200, and the session goes on';
    cmp_ok $fails, '>=', 10, "It was met in $fails sessions";
    cmp_ok $works, '>=', 10, "and not in $works that had more";
    unlike slurp_file($node->logfile), qr/terminated by signal|PANIC/, 'No process died of it';
}

flat();
scarce();
$node->stop;

done_testing;
