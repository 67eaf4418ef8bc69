# ALTER EXTENSION prefixed_ulid UPDATE: along every path that PostgreSQL offers, the catalogs become
# those of a fresh installation (members.sql). Until there is a second version, and to show that the
# comparison misses nothing, a version is made up here, along with faulty scripts that lead to it.

use strict;
use warnings;
use File::Copy qw(cp);
use File::Path qw(make_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A server finds its files relative to its own program. So with copies of the programs we have an
# installation whose folder of extensions is ours to fill.
chomp(my ($bindir, $sharedir, $libdir) = split /\n/, `pg_config --bindir --sharedir --pkglibdir`);
my $root = PostgreSQL::Test::Utils::tempdir;
my $extensions = "$root$sharedir/extension";
make_path("$root$bindir", $extensions, "$root$libdir" =~ s{/[^/]+$}{}r);
cp($_, "$root$bindir/") || die "$_: $!" for grep { -f } glob "$bindir/*";
chmod 0755, glob "$root$bindir/*";
symlink $libdir, "$root$libdir" or die "$libdir: $!";
for my $file (glob("$sharedir/*"), glob("$sharedir/extension/*")) {
    symlink $file, "$root$file" unless -e "$root$file";
}

my $made_up = <<'END';
CREATE FUNCTION pulid_twin(pulid, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_eq' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
COMMENT ON FUNCTION pulid_twin(pulid, pulid) IS 'implementation of === operator';
CREATE FUNCTION pulid_no_twin(pulid, pulid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'pulid_ne' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF;
CREATE OPERATOR === (LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = pulid_twin,
    COMMUTATOR = ===, NEGATOR = !==, RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES);
CREATE OPERATOR !== (LEFTARG = pulid, RIGHTARG = pulid, FUNCTION = pulid_no_twin,
    COMMUTATOR = !==, NEGATOR = ===, RESTRICT = neqsel, JOIN = neqjoinsel);
CREATE OPERATOR FAMILY pulid_twin_ops USING hash;
CREATE OPERATOR CLASS pulid_twin_ops FOR TYPE pulid USING hash FAMILY pulid_twin_ops AS
    OPERATOR 1 ===,
    FUNCTION 1 pulid_hash(pulid);
ALTER OPERATOR FAMILY pulid_twin_ops USING hash ADD
    FUNCTION 2 (pulid, pulid) pulid_hash_extended(pulid, bigint);
CREATE CAST (pulid AS bytea) WITH FUNCTION pulid_send(pulid);
ALTER FUNCTION pulid_min(text) COST 5;
COMMENT ON FUNCTION pulid_max(text) IS 'made up';
CREATE FUNCTION prefixed_ulid.made_up(n integer DEFAULT 1) RETURNS integer LANGUAGE sql
    SET search_path = pg_catalog, pg_temp AS 'SELECT n';
REVOKE ALL ON FUNCTION prefixed_ulid.made_up(integer) FROM PUBLIC;
CREATE TABLE prefixed_ulid.made_up (
    id pulid('mad') PRIMARY KEY,
    n  integer NOT NULL DEFAULT 1 CHECK (n > 0)
);
GRANT SELECT ON prefixed_ulid.made_up TO PUBLIC;
SELECT pg_extension_config_dump('prefixed_ulid.made_up', 'WHERE n > 1');
CREATE VIEW prefixed_ulid.made_up_too AS SELECT id FROM prefixed_ulid.made_up WHERE n > 1;
END

# Each [what it forgets, what of the script above, what stands there instead, and what the
# comparison has to name].
my @faults = (
    [ 'a comment', qr/COMMENT ON FUNCTION pulid_twin.*?;\n/, '', qr/pulid_twin.*comment/ ],
    [ 'another comment', qr/COMMENT ON FUNCTION pulid_max.*?;\n/, '', qr/pulid_max.*made up/ ],
    [ 'a flag of a function', qr/LEAKPROOF/, '', qr/proleakproof/ ],
    [ 'a commutator', qr/COMMUTATOR = ===, /, '', qr/oprcom/ ],
    [ 'negators', qr/NEGATOR = \S+, /, '', qr/oprnegate/ ],
    [ 'an estimator', qr/RESTRICT = eqsel, /, '', qr/oprrest/ ],
    [ 'an estimator of joins', qr/, JOIN = neqjoinsel/, '', qr/oprjoin/ ],
    [ 'that an operator hashes', qr/HASHES, /, '', qr/oprcanhash/ ],
    [ 'a support function', qr/ALTER OPERATOR FAMILY.*?;\n/s, '', qr/pulid_hash_extended/ ],
    [ 'how a cast is to be used', qr/pulid_send\(pulid\);/, 'pulid_send(pulid) AS ASSIGNMENT;',
        qr/castcontext/ ],
    [ 'a cost', qr/ALTER FUNCTION.*?;\n/, '', qr/procost/ ],
    [ 'a search_path', qr/SET search_path.*?pg_temp /, '', qr/proconfig/ ],
    [ 'a default of an argument', qr/integer DEFAULT 1\)/, 'integer)', qr/pronargdefaults/ ],
    [ 'to revoke', qr/REVOKE.*?;\n/, '', qr/initial privileges/ ],
    [ 'to grant', qr/GRANT.*?;\n/, '', qr/initial privileges/ ],
    [ 'a default', qr/DEFAULT 1 CHECK/, 'CHECK', qr/atthasdef/ ],
    [ 'a constraint', qr/ CHECK \(n > 0\)/, '', qr/made_up_n_check/ ],
    [ 'a key', qr/ PRIMARY KEY/, '', qr/made_up_pkey/ ],
    [ 'a modifier', qr/pulid\('mad'\)/, 'pulid', qr/atttypmod/ ],
    [ 'what is dumped', qr/SELECT pg_extension_config.*?;\n/, '', qr/dumped: / ],
    [ 'the condition of a view', qr/made_up WHERE n > 1;/, 'made_up;', qr/_RETURN/ ],
    [ 'a member', qr/\z/, 'ALTER EXTENSION prefixed_ulid DROP FUNCTION pulid_twin(pulid, pulid);',
        qr/pulid_twin.*depends \(e\)/ ],
);

sub write_script {
    my ($version, @parts) = @_;
    my $file = "$extensions/prefixed_ulid--$version.sql";
    unlink $file;
    append_to_file($file, join '', @parts);
}

# The lines in which two lists of lines differ.
sub difference {
    my ($these, $those) = @_;
    my %count;
    $count{$_}++ for @$these;
    $count{$_}-- for @$those;
    return grep { $count{$_} } sort keys %count;
}

my ($version) = slurp_file("$extensions/prefixed_ulid.control") =~ /^default_version = '(.*)'/m;
my $next = 'made_up';
write_script("$version--$next", $made_up);
write_script($next, slurp_file("$extensions/prefixed_ulid--$version.sql"), $made_up);

my $node = PostgreSQL::Test::Cluster->new('upgrade', install_path => "$root$bindir" =~ s{/bin$}{}r);
$node->init;
$node->start;

# What stands in the catalogs after $sql, which is rolled back then.
sub members {
    my ($sql) = @_;
    return [ split /\n/,
        $node->safe_psql('postgres', "BEGIN; $sql;\n" . slurp_file('test/t/members.sql')) ];
}

my %fresh;
for my $path (split /\n/, $node->safe_psql('postgres', <<~'SQL')) {
    SELECT source, target FROM pg_extension_update_paths('prefixed_ulid')
    WHERE path IS NOT NULL ORDER BY 1, 2
    SQL
    my ($source, $target) = split /\|/, $path;
    my $create = 'CREATE EXTENSION prefixed_ulid VERSION';
    my $fresh = $fresh{$target} //= members("$create '$target'");
    my $updated = members("$create '$source'; ALTER EXTENSION prefixed_ulid UPDATE TO '$target'");
    cmp_ok scalar(@$fresh), '>', 1000, "$target: the catalogs are read";
    is_deeply [ difference($fresh, $updated) ], [], "$source to $target: as a fresh installation";
}
ok $fresh{$next}, 'The version made up is among them';

if ($node->safe_psql('postgres', 'SHOW server_version_num') >= 180000) {
    is $node->safe_psql('postgres', q{LOAD 'prefixed_ulid'; SELECT version
        FROM pg_get_loaded_modules() WHERE module_name = 'prefixed_ulid'}), $version,
        'PostgreSQL 18 and later know the version of the library';
}

$node->safe_psql('postgres', "CREATE EXTENSION prefixed_ulid VERSION '$version'");
for my $fault (@faults) {
    my ($name, $what, $instead, $named) = @$fault;
    my $script = $made_up;
    $script =~ s/$what/$instead/g or die "$name: the script has no $what";
    write_script("$version--faulty", $script);
    my @difference = difference($fresh{$next},
        members("ALTER EXTENSION prefixed_ulid UPDATE TO 'faulty'"));
    ok grep({ /$named/ } @difference), "A script that forgets $name does not pass"
        or diag join "\n", @difference;
}
$node->stop;
done_testing;
