# The generators whose sequence belongs to the process, under a clock that stands, is set ahead or
# back, or shows what no id can hold. (monotonic.pl does so for the one that the server shares.)

use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $last = 281_474_976_710;    # the second before the last one that an id can hold
my $node = PostgreSQL::Test::Cluster->new('clock');
my $clock = $node->basedir . '/shifted_clock';
system_or_bail('g++', qw(-O1 -shared -fPIC -o), "$clock.so", 'test/t/shifted_clock.cpp');

sub set_clock {
    my ($to) = @_;
    unlink $clock;
    append_to_file($clock, $to);
}

$node->init;
set_clock(0);
{
    local $ENV{LD_PRELOAD} = "$clock.so";
    local $ENV{SHIFTED_CLOCK} = $clock;
    $node->start;
}
$node->safe_psql('postgres', 'CREATE EXTENSION prefixed_ulid');

# Of 100,000 ids: how many are larger than the one before, how many are distinct, their time.
sub bulk {
    my ($call) = @_;
    return <<~SQL;
        WITH made AS MATERIALIZED (
            SELECT n, $call AS id FROM (SELECT generate_series(1, 100000) AS n) AS s),
        pair AS (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM made)
        SELECT count(*) FILTER (WHERE id > before) + 1, count(DISTINCT id),
            extract(epoch FROM min(pulid_timestamp(id)))::bigint,
            extract(epoch FROM max(pulid_timestamp(id)))::bigint FROM pair;
        SQL
}

for my $generator (qw(pulid_generate pulid_generate_v7)) {
    my $call = "$generator('prd')";
    my $session = $node->background_psql('postgres', on_error_stop => 0);
    my $id = sub { return scalar $session->query("SELECT $call;") };
    my $instant = sub {
        return scalar $session->query(
            "SELECT extract(epoch FROM pulid_timestamp('$_[0]'))::numeric::float8;");
    };
    my $error = sub {
        $session->{stderr} = '';
        my $out = $session->query("\\set VERBOSITY verbose\nSELECT $call;");
        my ($sqlstate) = $session->{stderr} =~ /ERROR:  (.{5}):/;
        return $out . ($sqlstate // '');
    };

    set_clock('@1700000000');
    my @ids = $id->();
    is $instant->($ids[0]), 1_700_000_000, "$generator: an id has the time that the clock shows";
    is $session->query(bulk($call)), '100000|100000|1700000000|1700000000',
        "$generator: the clock stands, ids rise, and stay at it";
    push @ids, $id->();

    set_clock('@1600000000');
    push @ids, $id->();
    is $instant->($ids[-1]), 1_700_000_000, "$generator: set back, ids stay where they are";
    is $session->query(bulk($call)), '100000|100000|1700000000|1700000000',
        "$generator: and rise all the same";
    push @ids, $id->();

    set_clock('@-1');
    is $error->(), '22008', "$generator: a clock before 1970 is an error";
    set_clock('@' . ($last + 1));
    is $error->(), '22008', "$generator: and so is one after the last id";
    set_clock('@1700000001');
    push @ids, $id->();
    is $instant->($ids[-1]), 1_700_000_001, "$generator: neither of them leaves a trace";

    set_clock('@' . ($last - 1));
    push @ids, $id->();
    is $instant->($ids[-1]), $last - 1, "$generator: the far future is followed";
    set_clock('@0');
    push @ids, $id->();
    is $instant->($ids[-1]), $last - 1, "$generator: and kept in 1970";
    is_deeply [ sort @ids ], \@ids, "$generator: ids rise throughout";

    my $fresh = $node->background_psql('postgres', on_error_stop => 0);
    is $fresh->query("SELECT extract(epoch FROM pulid_timestamp($call))::bigint;"), 0,
        "$generator: a new session knows nothing of that, and begins in 1970";
    set_clock(0);
    $_->quit for $session, $fresh;
}
$node->stop;

done_testing;
