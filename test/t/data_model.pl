# The data model where it takes more than a transaction: dump and restore by an owner who is no
# superuser, the demo, and unique prefixes over transactions and sessions.

use strict;
use warnings;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('data_model');
$node->init;
$node->start;

sub query {
    my ($database, $sql, %options) = @_;
    return $node->safe_psql($database, $sql, %options);
}

# Everything that the tools say about a database.
my $summary = q{
    SELECT prefix, table_name, column_name, declared_by, is_primary_key, column_default,
           referenced_table, referenced_column
        FROM prefixed_ulid.columns ORDER BY prefix, table_name::text, column_name;
    SELECT * FROM prefixed_ulid.lint();
    SELECT * FROM prefixed_ulid.reserved ORDER BY prefix;
    SELECT prefixed_ulid.find('prd_01jq3v8f6a7b2c8d9e0f1g2h3j');
    SELECT pg_get_functiondef('app.generate_cus_id()'::regprocedure),
           obj_description('app.generate_cus_id()'::regprocedure, 'pg_proc')};

# A database of a plain owner with all that a dump has to carry.
sub make_database {
    query('postgres', 'CREATE ROLE owner LOGIN; CREATE DATABASE shop OWNER owner');
    query('shop', <<~'SQL', connstr => $node->connstr('shop') . ' user=owner');
        CREATE EXTENSION prefixed_ulid;
        CREATE SCHEMA app;
        SELECT prefixed_ulid.create_generator('cus', 'app');
        CREATE TABLE app.product (
            id pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'), name text);
        CREATE TABLE app.customer (id pulid('cus') PRIMARY KEY DEFAULT app.generate_cus_id());
        CREATE DOMAIN app.order_id AS pulid CHECK (pulid_has_prefix(VALUE, 'ord'));
        CREATE TABLE app."Order" (
            id app.order_id PRIMARY KEY, customer pulid REFERENCES app.customer);
        CREATE TABLE app.invoice (
            id text PRIMARY KEY DEFAULT pulid_generate('inv'),
            CHECK (pulid_is_canonical(id, 'inv')));
        INSERT INTO app.product VALUES ('prd_01jq3v8f6a7b2c8d9e0f1g2h3j', 'lamp');
        INSERT INTO prefixed_ulid.reserved VALUES ('old', 'orders until 2024'), ('new', NULL);
        UPDATE prefixed_ulid.reserved SET description = 'some day' WHERE prefix = 'new';
        INSERT INTO prefixed_ulid.reserved VALUES ('gone', NULL);
        DELETE FROM prefixed_ulid.reserved WHERE prefix = 'gone';
        SQL
}

# Dumps a database and restores it into a new one, both as a role.
sub dump_and_restore {
    my ($role, $from, $to) = @_;
    my $file = $node->basedir . "/$to.sql";
    $node->command_ok(['pg_dump', '-U', $role, '-f', $file, '-d', $node->connstr($from)],
        "$role dumps $from");
    query('postgres', "CREATE DATABASE $to OWNER $role");
    $node->command_ok(['psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-U', $role, '-f', $file,
            '-d', $node->connstr($to)], "$role restores it as $to");
    is query($to, $summary), query($from, $summary), "$to is as $from";
}

sub plain_owner {
    make_database();
    is query('shop', q{SELECT rolsuper FROM pg_roles WHERE rolname = 'owner'}), 'f',
        'The owner is no superuser';
    like query('shop', $summary), qr/^new\|some day\nold\|orders until 2024$/m,
        'The owner has reserved prefixes';
    dump_and_restore('owner', 'shop', 'shop_again');
    query('shop_again', 'DELETE FROM prefixed_ulid.reserved; DROP EXTENSION prefixed_ulid CASCADE',
        connstr => $node->connstr('shop_again') . ' user=owner');
    pass 'The owner changes the reserved prefixes of the restored database, and drops it all';
}

sub demo {
    query('postgres', 'CREATE DATABASE demo');
    $node->command_ok(['psql', '-X', '-q', '-f', 'scripts/demo.sql', '-d', $node->connstr('demo')],
        'The demo runs');
    is query('demo', 'SELECT count(*) > 3 FROM prefixed_ulid.columns'), 't', 'It has prefixes';
    is query('demo', 'SELECT * FROM prefixed_ulid.lint()'), '', 'lint() finds nothing in it';
}

sub refused {
    my ($sql, $name) = @_;
    my ($status, $out, $err) = $node->psql('shop', "\\set VERBOSITY verbose\n$sql");
    like $err, qr/42710: prefix "\w+" already belongs to the primary key of table /, $name;
}

sub allowed {
    my ($sql, $name) = @_;
    my ($status, $out, $err) = $node->psql('shop', $sql);
    is $err, '', $name;
}

sub enforced {
    query('shop', <<~'SQL');
        CREATE TABLE app.visit (id pulid('vis') PRIMARY KEY DEFAULT pulid_generate('vis'))
            PARTITION BY RANGE (id);
        CREATE TABLE app.visit_old PARTITION OF app.visit DEFAULT;
        CREATE TABLE app.keyless (id pulid('prd'), note text);
        SELECT prefixed_ulid.enforce_unique_prefixes();
        SQL
    refused 'CREATE TABLE app.taken (id pulid(\'prd\') PRIMARY KEY)', 'A new table with the prefix';
    refused 'ALTER TABLE app.keyless ADD PRIMARY KEY (id)', 'An old one with a new key';
    refused "BEGIN; SAVEPOINT s; CREATE TABLE app.taken (id pulid('prd') PRIMARY KEY); COMMIT",
        'In a subtransaction';
    is query('shop', q{SELECT to_regclass('app.taken') IS NULL}), 't', 'Nothing is half done';
    allowed 'ALTER TABLE app.keyless ADD n int', 'A column more';

    # An archive is not refused, nor is it in the way of its former parent later.
    allowed 'ALTER TABLE app.visit DETACH PARTITION app.visit_old', 'A partition is detached';
    is query('shop', q{SELECT count(*) FROM prefixed_ulid.lint() WHERE rule = 'duplicate_prefix'}),
        2, 'which leaves two keys with the prefix';
    allowed 'ALTER TABLE app.visit ADD n int', 'The parent can be altered';
    allowed 'ALTER TABLE app.visit_old ADD n int', 'and the former partition';
    refused 'CREATE TABLE app.third (id pulid(\'vis\') PRIMARY KEY)', 'but there is no third one';

    # A dump has the event trigger behind the tables, so even duplicates are restored.
    dump_and_restore('postgres', 'shop', 'shop_enforced');
    is query('shop_enforced', 'SELECT evtname FROM pg_event_trigger'),
        'prefixed_ulid_unique_prefixes', 'The event trigger is restored, too';
}

# Two sessions create tables with one prefix in overlapping transactions.
sub two_sessions {
    my ($end, $outcome) = @_;
    my ($first, $second) = map { $node->background_psql('shop', on_error_stop => 0) } 1 .. 2;
    $first->query("BEGIN; CREATE TABLE app.first (id pulid('two') PRIMARY KEY)");
    $second->query('SET application_name = second; \set VERBOSITY sqlstate');
    $second->query_until(qr/^sent$/m,
        "\\echo sent\nCREATE TABLE app.second (id pulid('two') PRIMARY KEY);\n");
    ok $node->poll_query_until('postgres', <<~'SQL'), "$end: the second waits for the first";
        SELECT count(*) = 1 FROM pg_stat_activity
        WHERE application_name = 'second' AND cardinality(pg_blocking_pids(pid)) > 0
        SQL
    $first->query($end);
    $second->{stderr} = '';
    $second->query('SELECT');
    like $second->{stderr}, $outcome, "$end: and then knows";
    $_->quit for $first, $second;
    is query('shop', q{SELECT count(*) FROM prefixed_ulid.columns WHERE prefix = 'two'}), 1,
        "$end: one table has the prefix";
    query('shop', 'DROP TABLE IF EXISTS app.first, app.second');
}

plain_owner();
demo();
enforced();
two_sessions('COMMIT', qr/42710/);
two_sessions('ROLLBACK', qr/^$/);
$node->stop;
done_testing;
