# pg_dump and restore of everything in a schema that can name an id (shapes.sql): each format, as a
# superuser and as an owner of the database who is none. A restored database dumps as its original
# does, byte for byte.

use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('dump');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE app LOGIN');
my $superuser = $node->safe_psql('postgres', 'SELECT current_user');
my $dir = $node->basedir;

# Runs a client program, as $user and without a word of complaint.
sub silent {
    my ($name, $user, @command) = @_;
    local $ENV{PGUSER} = $user;
    my ($out, $err);
    my $result = IPC::Run::run(\@command, '>', \$out, '2>', \$err);
    ok $result && $err eq '', $name or BAIL_OUT($err);
    return $out;
}

# A plain dump without what differs from run to run.
sub dumped {
    my ($database, $user) = @_;
    my $dump = silent("$database is dumped", $user, 'pg_dump', '-d', $node->connstr($database));
    $dump =~ s/^\\(un)?restrict .*\n//mg;
    return $dump;
}

my $number = 0;
sub new_database {
    my ($user) = @_;
    my $database = 'restored_' . ++$number;
    $node->safe_psql('postgres', "CREATE DATABASE $database OWNER $user TEMPLATE template0");
    return $database;
}

# What a restored database is for.
sub is_alive {
    my ($name, $database, $user) = @_;
    my $psql = sub {
        return $node->safe_psql($database, shift, extra_params => [ '-U', $user ]);
    };
    is $psql->(<<~'SQL'), "user\nuser_01jq3v8f6a7b2c8d9e0f1g2h3j\n1\n1", "$name: it is alive";
        INSERT INTO "user" (name) VALUES ('Grace') RETURNING pulid_prefix(id);
        UPDATE "order" SET payer = buyer WHERE id = 'order_01jq3v8f6a7b2c8d9e0f1g2h3j'
            RETURNING payer;
        UPDATE "order" SET payer = buyer WHERE id = 'order_01jq3v8f6a7b2c8d9e0f1g2h3j';
        SELECT count(*) FROM payer_change WHERE "order" = 'order_01jq3v8f6a7b2c8d9e0f1g2h3j';
        SELECT count(*) FROM compared WHERE NOT gift AND id = 'order_01jq3v8f6a7b2c8d9e0f1g2h3j';
        SQL
    $node->psql($database, q{UPDATE "user" SET friends = '{order_01jq3v8f6a7b2c8d9e0f1g2h3j}'},
        stderr => \my $error, extra_params => [ '-U', $user ]);
    like $error, qr/has prefix "order", but prefix "user" is required/,
        "$name: modifiers are enforced";
}

for my $user ($superuser, 'app') {
    my $source = "source_$user";
    $node->safe_psql('postgres', "CREATE DATABASE $source OWNER $user");
    silent("$user: the schema is made", $user, 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d',
        $node->connstr($source), '-c', 'CREATE EXTENSION prefixed_ulid', '-f', 'test/t/shapes.sql');
    my $before = dumped($source, $user);
    like $before, qr/^    id public\.buyer|pulid\('order'\)/m, 'Modifiers are dumped';

    for my $format (qw(plain custom directory)) {
        my $name = "$user, $format";
        my $file = "$dir/$user.$format";
        my $database = new_database($user);
        silent("$name: dumped", $user, 'pg_dump', '-F', $format, '-f', $file, '-d',
            $node->connstr($source));
        silent("$name: restored", $user, $format eq 'plain'
            ? ('psql', '-Xqo', '/dev/null', '-v', 'ON_ERROR_STOP=1', '-f', $file)
            : ('pg_restore', '--exit-on-error', $format eq 'directory' ? ('-j', 2) : (), $file),
            '-d', $node->connstr($database));
        ok dumped($database, $user) eq $before, "$name: it dumps as the original does";
        is_alive($name, $database, $user);
    }
    is $node->safe_psql($source, q{SELECT extowner::regrole FROM pg_extension
        WHERE extname = 'prefixed_ulid'}), $user, "The extension belongs to $user";
}
$node->stop;
done_testing;
