# What the tests of migrations share: a node on which all is done by the owner of the database, as
# those do who migrate; the application is somebody else.
package Owner;

use strict;
use warnings;
use Exporter 'import';
use PostgreSQL::Test::Cluster;

our @EXPORT = qw(start_node create_database query run_script);

my $node;

sub start_node {
    my ($name, $settings) = @_;
    $node = PostgreSQL::Test::Cluster->new($name);
    $node->init;
    $node->append_conf('postgresql.conf', $settings);
    $node->start;
    $node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE ROLE app LOGIN');
    return $node;
}

sub create_database {
    my ($name) = @_;
    $node->safe_psql('postgres', "CREATE DATABASE $name OWNER owner");
    query($name, 'CREATE EXTENSION prefixed_ulid');
}

sub query {
    my ($database, $sql) = @_;
    return $node->safe_psql($database, $sql, extra_params => ['-U', 'owner']);
}

# Runs a script as psql would run a file, and returns what it said.
sub run_script {
    my ($database, $script) = @_;
    my $error = '';
    my $status = $node->psql($database, $script, on_error_stop => 1, stderr => \$error,
        extra_params => ['-U', 'owner']);
    return $status ? $error || 'failed' : '';
}

1;
