#!/usr/bin/perl
# docs.pl: runs the SQL of the documents and compares what it gives with what they say (TAP).
#
# All ```sql blocks of a file run in order in one psql session, in a database of their own with the
# extension. A ```text block that directly follows (nothing between, or one line that ends in a
# colon) is the block's exact output; a block without one must raise no error. Blocks marked
# otherwise (```postgresql, ```sh) are not run.

use strict;
use warnings;
use File::Temp ();
use Test::More;

chdir "$1/.." if $0 =~ m{^(.*)/};

# Each as { line, sql, output }; output is undef when the document does not show it.
sub blocks {
    my ($file) = @_;
    my (@blocks, $block, $kind);
    my $follows = 0;    # 1 right after a block of SQL, 2 when one line of prose stands between
    open my $in, '<', $file or die "$file: $!\n";
    while (my $line = <$in>) {
        if (!defined $kind) {
            if ($line =~ /^```\s*(\S*)\s*$/) {
                $kind = $1;
                $block = { line => $., text => '' };
            } elsif ($line =~ /:\s*$/) {
                $follows = $follows == 1 ? 2 : 0;
            } elsif ($line =~ /\S/) {
                $follows = 0;
            }
        } elsif ($line !~ /^```\s*$/) {
            $block->{text} .= $line;
        } else {
            if ($kind eq 'sql') {
                push @blocks, { line => $block->{line}, sql => $block->{text} };
            } elsif ($kind eq 'text' and $follows) {
                $blocks[-1]{output} = $block->{text};
            }
            $follows = $kind eq 'sql' ? 1 : 0;
            undef $kind;
        }
    }
    return @blocks;
}

# psql pads its columns, authors do not.
sub trimmed {
    my ($text) = @_;
    $text =~ s/[ \t]+$//mg;
    $text =~ s/^\n+|\n+\z//g;
    return $text;
}

sub psql {
    my ($database, $sql) = @_;
    my $script = File::Temp->new;
    print $script $sql;
    close $script;
    # From stdin rather than by -f, so that messages do not carry the script's name and line.
    return scalar `psql -X -q -d $database <$script 2>&1`;
}

my $number = 0;
for my $file (sort glob '*.md docs/*.md') {
    next if $file !~ m{^(README|CONTRIBUTING|docs/.*)\.md$};
    my @blocks = blocks($file) or next;
    my $database = 'docs_' . ++$number;
    my $mark = 'end of a block of the document';

    my $made = psql('postgres', "CREATE DATABASE $database;");
    # A document may begin with CREATE EXTENSION itself.
    $made .= psql($database, 'CREATE EXTENSION prefixed_ulid;')
        unless grep { $_->{sql} =~ /CREATE EXTENSION prefixed_ulid/i } @blocks;
    is $made, '', "$file: database";

    my @outputs = split /^\Q$mark\E\n/m,
        psql($database, join '', map { "$_->{sql}\n\\echo $mark\n" } @blocks), -1;
    for my $block (@blocks) {
        my $name = "$file:$block->{line}";
        my $output = @outputs > 1 ? shift @outputs : undef;
        if (!defined $output) {
            fail "$name: the session ended before";
            diag shift @outputs if @outputs;
        } elsif (defined $block->{output}) {
            is trimmed($output), trimmed($block->{output}), $name;
        } else {
            unlike $output, qr/^(ERROR|FATAL|PANIC):|^(invalid command|unterminated)/m, $name;
        }
    }
}
done_testing;
