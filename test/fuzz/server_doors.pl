#!/usr/bin/perl
# server_doors.pl [CASES [SEED]]: mutated values through every door of a server, CASES in all
# (100000: about a minute). Each is accepted, and then answered as a model in this file says, or
# refused with a SQLSTATE of the contract. Speaks the protocol itself, because no client library
# would send such values. Needs the server that PGHOST and PGPORT name, by a socket, and the
# extension installed there. The same seed gives the same cases. The last line says
# "N passed, N failed", where N counts the doors.

use strict;
use warnings;
use IO::Socket::UNIX;

my $cases = shift // 100_000;
my $seed = shift // int(rand(2**31));
srand $seed;

# The protocol: messages are a letter, a length and a body.

my $socket;

sub message {
    my ($type, $body) = @_;
    return $type . pack('N', 4 + length $body) . $body;
}

sub receive {
    my $bytes = '';
    while (length $bytes < $_[0]) {
        sysread($socket, $bytes, $_[0] - length $bytes, length $bytes) or die "connection lost\n";
    }
    return $bytes;
}

sub next_message {
    my ($type, $length) = unpack 'aN', receive(5);
    return $type, receive($length - 4);
}

# What the server answers until it is ready again: the first column of the last row, and the
# SQLSTATE of the error if there is one.
sub answer {
    my %answer;
    while (1) {
        my ($type, $body) = next_message();
        return \%answer if $type eq 'Z';
        if ($type eq 'D') {
            my ($columns, $length) = unpack 'nl>', $body;
            $answer{value} = $length < 0 ? undef : substr $body, 6, $length;
        } elsif ($type eq 'E') {
            $answer{error} = $1 if $body =~ /\0?C([0-9A-Z]{5})\0/;
            $answer{message} = $1 if $body =~ /\0M([^\0]*)\0/;
            die "FATAL $answer{error}\n" if $body =~ /^S(FATAL|PANIC)\0/;
        }
    }
}

sub query {
    syswrite $socket, message('Q', "$_[0]\0");
    my $answer = answer();
    die "$_[0]: $answer->{message}\n" if $answer->{error};
    return $answer->{value};
}

sub connect_to {
    my ($database) = @_;
    my $port = $ENV{PGPORT} // 5432;
    $socket = IO::Socket::UNIX->new("$ENV{PGHOST}/.s.PGSQL.$port")
        or die "no server in $ENV{PGHOST}: $!\n";
    my $user = $ENV{PGUSER} // 'postgres';
    my $start = pack('N', 3 << 16)
        . join "\0", user => $user, database => $database, client_encoding => 'UTF8', "\0";
    syswrite $socket, pack('N', 4 + length $start) . $start;
    my $answer = answer();
    die "cannot connect: $answer->{message}\n" if $answer->{error};
}

# Values and their mutations.

my $digits = '0123456789abcdefghjkmnpqrstvwxyz';

sub one_of { return $_[rand @_] }

sub body {
    return one_of('0' x 26, '7' . 'z' x 25, '01jq3v8f6a7b2c8d9e0f1g2h3j') if rand() < 0.2;
    return join '', int rand 8, map { substr $digits, rand 32, 1 } 1 .. 25;
}

sub prefix {
    return one_of('prd', 'prd', 'prd', '', 'a_b', 'user', 'zzzzzz', 'abcdefg', 'a' x 63)
        if rand() < 0.8;
    return join '', map { ('a' .. 'z', '_')[rand 27] } 1 .. 1 + rand 8;
}

sub id {
    my $prefix = prefix();
    return ($prefix eq '' ? '' : $prefix . '_') . body();
}

my @bytes = (map({ chr } 0, 9, 10, 32, 127, 128, 255), split //, '_-078zZilouILOUé"\'\\{},()');

sub mutate {
    my ($text, $most) = @_;
    for (1 .. int rand 1 + $most) {
        my $at = int rand 1 + length $text;
        my $kind = int rand 9;
        if ($kind == 0) { substr $text, $at, 1, '' if $at < length $text }
        elsif ($kind == 1) { substr $text, $at, 0, one_of(@bytes) }
        elsif ($kind == 2) { substr $text, $at, 1, one_of(@bytes) if $at < length $text }
        elsif ($kind == 3) { substr $text, $at, 1, chr rand 256 if $at < length $text }
        elsif ($kind == 4 && $at < length $text) {
            substr $text, $at, 1, chr(ord(substr $text, $at, 1) ^ (1 << rand 8));
        }
        elsif ($kind == 5) { $text = uc $text }
        elsif ($kind == 6) { $text = substr $text, 0, $at }
        elsif ($kind == 7) { substr $text, $at, 0, substr($text, rand 1 + length $text, rand 9) }
        else { substr $text, $at, 0, one_of("\xc3\xa9", "\xe2\x84\xaa", '__', body(), "\xc3") }
    }
    return $text;
}

# The model: what a text is, by the words of the contract.

my $utf8 = qr/^(?:[\x01-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]
    |[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}
    |[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2})*\z/x;

# The prefix, or undef for what is no id.
sub prefix_of {
    return $_[0] =~ /^(?:([a-z](?:[a-z_]{0,61}[a-z])?)_)?[0-7][0-9a-hjkmnp-tv-z]{25}\z/
        ? $1 // '' : undef;
}

sub is_prefix {
    return $_[0] =~ /^(?:[a-z](?:[a-z_]{0,61}[a-z])?)?\z/;
}

sub folded {
    return $_[0] =~ tr/A-Z/a-z/r;
}

sub value { return { value => $_[0] } }
sub error { return { error => $_[0] } }

# What the door of a text answers: $malformed is its SQLSTATE, $only the prefix that it demands.
sub read_as {
    my ($text, $malformed, $only) = @_;
    my $read = folded($text);
    my $prefix = prefix_of($read);
    return error($malformed) unless defined $prefix;
    return error('23514') if defined $only and $prefix ne $only;
    return value($read);
}

# A text first has to be one in the client's encoding.
sub text_or {
    my ($text, $expected) = @_;
    return $text =~ $utf8 ? $expected->() : error('22021');
}

sub tidy_digit_id {
    my ($text) = @_;
    my $id = uc $text =~ tr/- \t\n\x0b\f\r//dr;
    return value(undef) unless $id =~ /^[A-Z]{3}(?:[0-9]{4}){1,9}\z/;
    $id =~ s/([0-9]{4})/-$1/g;
    return value($id);
}

# The doors. Each makes a case: the messages to send, and what is expected: a value, an error, or
# any of the SQLSTATEs where nobody can say what the server's own readers find first.

my ($text_oid, $id_oid, $array_oid, $bound_oid) = (25);
my %doors;

# A prepared statement; its case is a list of [format, bytes], format 1 being binary.
sub prepared {
    my ($name, $types, $sql, $case) = @_;
    $doors{$name} = {
        start => sub {
            my @types = map { ref $_ ? $$_ : $_ } @$types;
            syswrite $socket, message('P', "$name\0$sql\0" . pack 'n N*', scalar @types, @types)
                . message('S', '');
            my $answer = answer();
            die "$sql: $answer->{message}\n" if $answer->{error};
        },
        case => sub {
            my ($parameters, $expected) = $case->();
            return message('B', "\0$name\0"
                    . pack('n', scalar @$parameters)
                    . join('', map { pack 'n', $_->[0] } @$parameters)
                    . pack('n', scalar @$parameters)
                    . join('', map { pack 'N/a*', $_->[1] } @$parameters)
                    . pack('n n', 1, 0))
                . message('E', "\0" . pack 'N', 0)
                . message('S', ''), $expected;
        },
    };
}

sub simple {
    my ($name, $case) = @_;
    $doors{$name} = { case => sub {
        my ($sql, $expected) = $case->();
        return message('Q', "$sql\0"), $expected;
    } };
}

sub quoted { return "'" . $_[0] =~ s/'/''/gr . "'" }

simple 'a literal' => sub {
    my $text = mutate(id(), 2) =~ tr/\0//dr;
    return 'SELECT ' . quoted($text) . '::pulid', text_or($text, sub { read_as($text, '22P02') });
};

simple 'a literal for a prefix' => sub {
    my $text = mutate(id(), 1) =~ tr/\0//dr;
    return 'SELECT pulid(\'prd\') ' . quoted($text),
        text_or($text, sub { read_as($text, '22P02', 'prd') });
};

prepared 'a parameter', [\$id_oid], 'SELECT $1', sub {
    my $text = mutate(id(), 2);
    return [[0, $text]], text_or($text, sub { read_as($text, '22P02') });
};

prepared 'a binary parameter', [\$id_oid], 'SELECT $1::pulid(\'prd\')', sub {
    my $text = mutate(id(), 2);
    return [[1, $text]], read_as($text, '22P03', 'prd');
};

prepared 'a text', [$text_oid], 'SELECT $1::pulid', sub {
    my $text = mutate(id(), 2);
    return [[int rand 2, $text]], text_or($text, sub { read_as($text, '22P02') });
};

prepared 'pulid_parse', [$text_oid, $text_oid], 'SELECT pulid_parse($1, $2)', sub {
    my ($text, $prefix) = (mutate(id(), 1), mutate(prefix(), 1));
    return [[0, $text], [0, $prefix]], text_or($text, sub { text_or($prefix, sub {
        return is_prefix($prefix) ? read_as($text, '22P02', $prefix) : error('22023');
    }) });
};

prepared 'what never raises', [$text_oid, \$id_oid, $text_oid],
    'SELECT (pulid_is_valid($1)::int, pulid_try_parse($1), pulid_has_prefix($2, $3)::int,
             ($2 = $1)::int, ($2 < $1)::int, ($2 ^@ $1)::int, pulid_is_canonical($1, $3)::int)',
    sub {
        my ($text, $id, $prefix) = (mutate(id(), 2), id(), mutate(prefix(), 1));
        $id = 'prd_' . body() unless defined prefix_of($id);
        $text = substr $id, 0, rand 31 if rand() < 0.2;
        $text = $id if rand() < 0.1;
        my $own = prefix_of(folded($text));
        my @columns = (defined $own ? (1, folded($text)) : (0, ''),
            map { $_ ? 1 : 0 } prefix_of($id) eq $prefix, $id eq $text, $id lt $text,
            index($id, $text) == 0,
            ($own // '?') eq $prefix && $text eq folded($text));
        return [[0, $text], [0, $id], [0, $prefix]], text_or($text, sub { text_or($prefix,
            sub { value('(' . join(',', @columns) . ')') }) });
    };

prepared 'pulid_tidy', [$text_oid], 'SELECT pulid_tidy($1)', sub {
    my $text = mutate(id(), 2);
    for (1 .. rand 4) { substr $text, rand length $text, 0, one_of(' ', '-', "\t") }
    return [[0, $text]], text_or($text, sub {
        my ($prefix, $body) = $text =~ /^(?:(.*)_)?([^_]*)\z/s;
        $body = folded($body) =~ tr/- \t\n\x0b\f\r//dr =~ tr/ilo/110/r;
        $body = folded($prefix) =~ s/^[- \t\n\x0b\f\r]+|[- \t\n\x0b\f\r]+\z//gr . "_$body"
            if defined $prefix;
        return value(defined prefix_of($body) ? $body : undef);
    });
};

prepared 'pulid_extract', [$text_oid], 'SELECT array_to_string(pulid_extract($1), \' \')', sub {
    my $text = mutate(join(one_of(' ', ',', '"', "\n"), map { id() } 0 .. rand 4), 3);
    return [[0, $text]], text_or($text, sub {
        value(join ' ', grep { defined prefix_of($_) && /[^0-9]/ }
            map { folded($_) } $text =~ /[A-Za-z0-9_]+/g);
    });
};

simple 'a modifier' => sub {
    my $prefix = mutate(prefix(), 1) =~ tr/\0//dr;
    return 'SELECT NULL::pulid(' . quoted($prefix) . ') IS NULL', text_or($prefix, sub {
        is_prefix($prefix) && length $prefix <= 6 ? value('t') : error('22023');
    });
};

simple 'what is no modifier' => sub {
    my $list = join ',', map { one_of("'prd'", "''", 'prd', '1', '-1', '2147483648', 'NULL', '1.5',
        'user', '"PRD"', "E'\\n'", '99999999999999999999', 'prd.prd', "'prd' || 'x'", '*') }
        0 .. rand 3;
    return "SELECT NULL::pulid($list) IS NULL",
        $list eq "'prd'" || $list eq "''" || $list eq 'prd' ? value('t')
        : { among => [qw(22023 42601)] };
};

prepared 'the code of a modifier', [\$id_oid, 23],
    'SELECT CASE WHEN format_type(\'pulid\'::regtype, $2) ~ \'^pulid\' THEN
            pulid_coerce($1, $2, false) END', sub {
        my $id = one_of('', 'a_', 'prd_', 'zzzzzz_') . body();
        my $prefix = prefix_of($id);
        my $code = 0;
        $code = $code * 28 + ($_ eq ' ' ? 0 : $_ eq '_' ? 1 : ord($_) - 95)
            for split //, sprintf '%-6s', $prefix;
        my $given = one_of($code, $code, $code, $code + 1, 28**6 + $code, -1 - $code, 28**6,
            int(rand 2**32) - 2**31);
        return [[0, $id], [1, pack 'l>', $given]],
            $given == $code || $given == -1 ? value($id)
            : { among => [qw(22023 23514)], refused => 1 };
    };

prepared 'an array literal', [\$array_oid], 'SELECT array_to_string($1, \' \')', sub {
    my @ids = map { my $id = id(); defined prefix_of($id) ? $id : body() } 0 .. rand 4;
    my $text = mutate('{' . join(',', @ids) . '}', 2);
    return [[0, $text]], value(join ' ', @ids) if $text eq '{' . join(',', @ids) . '}';
    return [[0, $text]], { ids => 'any', among => [qw(22P02 22021)] };
};

prepared 'a binary array', [\$array_oid], 'SELECT array_to_string($1, \' \')', sub {
    my @ids = map { my $id = id(); defined prefix_of($id) ? $id : body() } 0 .. rand 4;
    my $bytes = pack 'N3 N2', 1, 0, $id_oid, scalar @ids, 1;
    $bytes .= pack 'N/a*', $_ for @ids;
    my $mutated = mutate_binary($bytes);
    return [[1, $mutated]], value(join ' ', @ids) if $mutated eq $bytes;
    return [[1, $mutated]], { ids => 'any', among => [qw(22P03 08P01 42804 54000)] };
};

prepared 'any bits', [$text_oid, 2950, 1184],
    'SELECT concat_ws(\' \', CASE WHEN pulid_from_uuid($1, $2)::uuid = $2
            THEN pulid_from_uuid($1, $2) END::text, pulid_lower_bound($1, $3)::text)', sub {
        my $prefix = mutate(prefix(), 1);
        my $instant = one_of(0, -1, 1, 2**40, int rand 2**62, -946684800000000, -(2**57),
            2**63 - 1);
        return [[0, $prefix], [1, join '', map { chr rand 256 } 1 .. 16],
            [1, pack 'q>', $instant]], text_or($prefix, sub {
                return is_prefix($prefix) ? { ids => 2, among => ['22008'] } : error('22023');
            });
    };

prepared 'a bound', [\$bound_oid, \$id_oid], 'SELECT ($2 < $1)::int', sub {
    my ($text, $id) = (mutate(id(), 2), 'prd_' . body());
    return [[0, $text], [0, $id]], { among => [qw(22P02 22021)] };
};

prepared 'digit ids', [$text_oid, $text_oid, 23],
    'SELECT (digit_id_tidy($1), digit_id_is_canonical($1, $2, $3)::int)', sub {
        my $prefix = one_of('ACC', 'ACC', 'JOB', 'acc', 'AC', mutate('ACC', 1));
        my $count = one_of(1, 2, 2, 9, 10);
        my $id = mutate($prefix . join('', map { sprintf '-%04d', rand 10000 } 1 .. $count), 2);
        my $digits = one_of(4 * $count, 4 * $count, 8, 0, -4, 5, 2**31 - 4);
        return [[0, $id], [0, $prefix], [1, pack 'l>', $digits]],
            text_or($id, sub { text_or($prefix, sub {
                my $canonical = $id =~ /^([A-Z]{3})((?:-[0-9]{4}){1,9})\z/
                    && $1 eq $prefix && $digits == 4 * length($2) / 5;
                value('(' . (tidy_digit_id($id)->{value} // '') . ',' . ($canonical ? 1 : 0) . ')');
            }) });
    };

# COPY, with what may follow a refusal.
$doors{'binary COPY'} = { case => sub {
    my $rows = 1 + int rand 3;
    my $header = "PGCOPY\n\xff\r\n\0" . pack 'N2', 0, 0;
    my $tuples = join '', map { my ($id, $prd) = ('ord_' . body(), 'prd_' . body());
        pack 'n N/a* N/a*', 2, $id, $prd } 1 .. $rows;
    my $bytes = rand() < 0.1 ? mutate_binary($header . $tuples) . "\xff\xff"
        : $header . mutate_binary($tuples) . "\xff\xff";
    return message('Q', "COPY copied FROM STDIN (FORMAT binary)\0")
        . join('', map { message('d', $_) } $bytes =~ /.{1,40}/sg) . message('c', ''),
        { among => [qw(22P03 22P04 23514 54000)] };
} };

# Bytes and lengths, so that numbers of four bytes are hit as a whole.
sub mutate_binary {
    my ($bytes) = @_;
    for (1 .. int rand 3) {
        my $at = int rand length $bytes;
        my $kind = int rand 5;
        if ($kind == 0) { substr $bytes, $at, 1, chr rand 256 }
        elsif ($kind == 1) {
            substr $bytes, $at, 4, pack 'N',
                one_of(0, 1, 2, 16, 30, 90, 2**16, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1);
        }
        elsif ($kind == 2) { $bytes = substr $bytes, 0, $at }
        elsif ($kind == 3) { substr $bytes, $at, 1, '' }
        else { substr $bytes, $at, 1, chr(ord(substr $bytes, $at, 1) ^ (1 << rand 8)) }
        $bytes = "\0" if $bytes eq '';
    }
    return $bytes;
}

# Whether a value is a list of ids, and of so many if that is known.
sub are_ids {
    my ($count, $value) = @_;
    my @ids = split / /, $value;
    return !defined $count || (!grep { !defined prefix_of($_) } @ids)
        && ($count eq 'any' || $count == @ids);
}

# Whether an answer is what was expected, and why not.
sub judge {
    my ($answer, $expected) = @_;
    my ($error, $value) = @$answer{qw(error value)};
    if ($expected->{among}) {
        return defined $error ? !!grep { $_ eq $error } @{ $expected->{among} }
            : !$expected->{refused} && are_ids($expected->{ids}, $value // '');
    }
    return ($error // '') eq $expected->{error} if defined $expected->{error};
    return !defined $error && (defined $value ? defined $expected->{value}
        && $value eq $expected->{value} : !defined $expected->{value});
}

sub shown {
    my ($bytes) = @_;
    return 'NULL' unless defined $bytes;
    return $bytes =~ s/([^ -~]|\\)/sprintf '\\x%02x', ord $1/ger;
}

sub run_door {
    my ($name, $count) = @_;
    my $door = $doors{$name};
    $door->{start}->() if $door->{start};
    my (%seen, @wrong);
    for (my $done = 0; $done < $count;) {
        my @batch = map { [$door->{case}->()] } 1 .. ($count - $done < 100 ? $count - $done : 100);
        $done += @batch;
        syswrite $socket, join '', map { $_->[0] } @batch;
        for my $case (@batch) {
            my $answer = eval { answer() };
            if (!$answer) {
                print "# $name, seed $seed: $@# ", shown($case->[0]), "\n";
                die "the server went away\n";
            }
            $seen{ $answer->{error} // 'accepted' }++;
            push @wrong, [$case, $answer] unless judge($answer, $case->[1]);
        }
    }
    for (@wrong[0 .. ($#wrong < 4 ? $#wrong : 4)]) {
        my ($case, $answer) = @$_;
        print '# ', shown($case->[0]), "\n#   gives ", $answer->{error} // shown($answer->{value}),
            ', expected ', join(' or ', $case->[1]{among} ? @{ $case->[1]{among} }
                : $case->[1]{error} // shown($case->[1]{value})), "\n";
    }
    return !@wrong, join ', ', map { "$_ $seen{$_}" } sort { $seen{$b} <=> $seen{$a} } keys %seen;
}

connect_to('postgres');
query("DROP DATABASE IF EXISTS doors");
query("CREATE DATABASE doors TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'");
connect_to('doors');
query("SET client_min_messages = error");
query("CREATE EXTENSION prefixed_ulid");
query("CREATE UNLOGGED TABLE copied (id pulid, prd pulid('prd'))");
$id_oid = query("SELECT 'pulid'::regtype::oid");
$array_oid = query("SELECT 'pulid[]'::regtype::oid");
$bound_oid = query("SELECT 'pulid_bound'::regtype::oid");

my @names = sort keys %doors;
my ($passed, $failed, $left) = (0, 0, $cases);
print "# $cases cases, seed $seed\n1..", @names + 1, "\n";
for my $i (0 .. $#names) {
    my $count = int $left / (@names - $i);
    $left -= $count;
    my ($good, $seen) = run_door($names[$i], $count);
    $good ? $passed++ : $failed++;
    print $good ? 'ok ' : 'not ok ', $i + 1, " - $names[$i]: $seen\n";
}

# What was let in is sound, and the server is the one that it was.
my $unsound = query("SELECT count(*) FROM copied WHERE NOT pulid_is_canonical(id::text)
    OR NOT pulid_is_canonical(prd::text, 'prd')");
my $good = $unsound == 0 && query('SELECT count(*) FROM copied') > 0;
$good ? $passed++ : $failed++;
print $good ? 'ok ' : 'not ok ', @names + 1, " - every id that was copied is sound\n";
print "# $cases cases, seed $seed\n$passed passed, $failed failed\n";
exit($failed > 0);
