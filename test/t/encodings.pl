# Databases of several encodings: functions give the same in each, and text that is not ASCII is
# refused, searched and compared by its bytes.

use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('encodings');
$node->init;
$node->start;

# Characters of each encoding, as escapes in a string; the last is the longest.
my %characters = (
    SQL_ASCII => ['\xff', '\x80'],
    LATIN1 => ['\xe9', '\xff'],
    UTF8 => ['\xc3\xa9', '\xe2\x84\xaa', '\xf0\x9f\x98\x80'],
    EUC_JP => ['\xa4\xa2', '\x8e\xb1', '\x8f\xa2\xaf'],
);
my $body = '01jq3v8f6a7b2c8d9e0f1g2h3j';
my %calls;

sub run {
    my ($database, $sql) = @_;
    my ($code, $out, $err) = $node->psql($database, $sql, on_error_stop => 0,
        extra_params => [qw(-v VERBOSITY=verbose)]);
    return ($out, $err);
}

for my $encoding (sort keys %characters) {
    my $database = lc $encoding;
    $node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE template0
        ENCODING '$encoding' LC_COLLATE 'C' LC_CTYPE 'C'");
    local $ENV{PGCLIENTENCODING} = $encoding;
    $node->safe_psql($database, 'CREATE EXTENSION prefixed_ulid');

    # All results of a function in one line, so that a difference names it.
    my $calls = "\\i test/calls.sql
        SELECT format('%s: %s calls, %s', oid::regprocedure, count(*), md5(string_agg(
            concat_ws('|', arguments, value, error), E'\\n'
            ORDER BY arguments::text COLLATE \"C\")))
        FROM call, pg_temp.outcome(statement, arguments) GROUP BY oid ORDER BY 1";
    ($calls{$encoding}) = run($database, $calls);

    for my $character (@{ $characters{$encoding} }) {
        my @wrong = ("pr${character}_$body", 'prd_' . substr($body, 0, 25) . $character);
        my ($out, $err) = run($database, join(';', map({ "SELECT E'$_'::pulid" } @wrong),
            "SELECT pulid_extract(E'$character prd_$body$character'),
                pulid_try_parse(E'prd_$body$character') IS NULL,
                pulid_tidy(E'prd_$body$character') IS NULL,
                'prd_$body'::pulid < E'$character'::text,
                'prd_$body'::pulid < E'prd_$body$character'::text,
                'prd_$body'::pulid = E'prd_$body$character'::text"));
        is_deeply [$err =~ /(?:ERROR|DETAIL):  (.*?(?:"$|position [0-9]+))/mg],
            [map { ("22P02: invalid input syntax for type pulid: \"$_\"",
                "Character \"$character\" at position " . (1 + index $_, '\\')) } @wrong],
            "$encoding: $character is refused, and named as a whole";
        is $out, "{prd_$body}|t|t|t|t|f", "$encoding: $character beside an id";
    }
}

cmp_ok(() = $calls{UTF8} =~ /^.+: [1-9][0-9]* calls, [0-9a-f]{32}$/mg, '>', 80,
    'Functions are called');
is $calls{$_}, $calls{UTF8}, "$_: functions give what they give in a UTF8 database"
    for grep { $_ ne 'UTF8' } sort keys %calls;

# The encoding of the client makes no difference either, where the server can convert.
for (['utf8', 'LATIN1'], ['utf8', 'EUC_JP'], ['utf8', 'WIN1251'], ['latin1', 'UTF8'],
    ['euc_jp', 'SJIS'], ['sql_ascii', 'UTF8']) {
    my ($database, $client) = @$_;
    local $ENV{PGCLIENTENCODING} = $client;
    my ($out, $err) = run($database, "SELECT 'PRD_$body'::pulid, pulid_send('prd_$body')
        = convert_to('prd_$body', 'UTF8'), pulid_prefix('prd_$body')");
    is $out . $err, "prd_$body|t|prd", "$database with a client of $client";
    ($out, $err) = run($database, "SELECT E'pr\\x80'::pulid");
    unlike $err, qr/[^ -~\n]/, "$database with a client of $client: errors are ASCII";
}

done_testing();
