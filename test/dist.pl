#!/usr/bin/perl
# dist.pl: what goes to PGXN: META.json is valid and agrees with the rest, and the distribution is
# the same wherever it is made (TAP).

use strict;
use warnings;
use Digest::SHA;
use File::Temp qw(tempdir);
use JSON::PP;
use Test::More;

chdir "$1/.." if $0 =~ m{^(.*)/};

sub slurp {
    my ($file) = @_;
    open my $in, '<', $file or die "$file: $!\n";
    local $/;
    return <$in>;
}

my $meta = decode_json(slurp('META.json'));
my ($version) = slurp('prefixed_ulid.control') =~ /^default_version\s*=\s*'(.*)'/m;
my $text = sub { defined $_[0] && !ref $_[0] && $_[0] =~ /\S/ };

# https://pgxn.org/meta/spec.txt
ok $text->($meta->{$_}), "META.json: $_" for qw(name version abstract maintainer license);
like $meta->{version}, qr/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-[A-Za-z][-0-9A-Za-z]*)?$/,
    'META.json: a semantic version';
is $meta->{version}, $version, 'META.json: the version of the control file';
is_deeply [ @{ $meta->{'meta-spec'} }{qw(version url)} ],
    [ '1.0.0', 'https://pgxn.org/meta/spec.txt' ], 'META.json: its specification';
like $meta->{release_status}, qr/^(stable|testing|unstable)$/, 'META.json: release_status';
my $released = slurp('CHANGELOG.md') =~ /^## \[\Q$version\E\]/m;
is $meta->{release_status}, $released ? 'stable' : 'unstable', 'META.json: as the changelog says';
is ref $meta->{tags}, 'ARRAY', 'META.json: tags';
like $meta->{prereqs}{runtime}{requires}{PostgreSQL}, qr/^\d+\.\d+\.\d+$/, 'META.json: prereqs';
for my $extension (values %{ $meta->{provides} }) {
    is $extension->{version}, $version, 'META.json: the version of what it provides';
    ok -f $extension->{$_}, "META.json: $_ is there" for qw(file docfile);
}
my %known = map { $_ => 1 } qw(name version abstract description maintainer license release_status
    generated_by provides prereqs tags meta-spec resources no_index);
is_deeply [ grep { !$known{$_} && !/^x_/i } keys %$meta ], [], 'META.json: no unknown key';

# Another clone, at another time, by another user.
my $clone = tempdir('/tmp/pulid.XXXXXX', CLEANUP => 1);
system('git', '-c', 'safe.directory=*', 'clone', '-q', '.', "$clone/sources") == 0
    or BAIL_OUT('git clone failed');
my @archives = map {
    my ($dir, $environment) = @$_;
    chomp(my $made = `cd '$dir' && env $environment scripts/dist 2>/dev/null`);
    "$dir/$made";
} [ '.', 'TZ=Asia/Tokyo' ], [ "$clone/sources", "TZ=America/Lima HOME=$clone" ];
my @sums = map { Digest::SHA->new(256)->addfile($_)->hexdigest } @archives;
is $sums[1], $sums[0], 'Two distributions of one commit are the same bytes';
like slurp($archives[0]), qr{\Qprefixed_ulid-$version/META.json\E}, 'All is in a folder of its own';
done_testing;
