#!/bin/bash
# library.sh: what must be true of the built library, whatever the source says (TAP).
set -u
cd "$(dirname "$0")/.." || exit 1
export LC_ALL=C

library=prefixed_ulid.so
[ -f $library ] || {
    echo "Bail out! $library is not built"
    exit 1
}

tests=0
nothing() { # NAME FOUND: passes when nothing was found
    tests=$((tests + 1))
    if [ -z "$2" ]; then
        echo "ok $tests - $1"
    else
        printf 'not ok %d - %s\n%s\n' "$tests" "$1" "$(sed 's/^/# /' <<<"$2")"
    fi
}

undefined=$(nm -D --undefined-only $library)

exports() { # _PG_init may be there
    nm -D --defined-only $library | awk '$NF != "_PG_init" { print "found", $NF }'
    sed -n "s/.*'MODULE_PATHNAME', *'\([^']*\)'.*/wanted \1\nwanted pg_finfo_\1/p" \
        $(find sql -name '*.sql') | sort -u
    echo 'wanted Pg_magic_func'
}
nothing 'exports what the SQL names and the magic block, nothing else' \
    "$(exports | sort -k 2 | uniq -u -f 1 | sed 's/^wanted/missing/; s/^found/too much/')"

# Debian's server loads the C++ runtime itself (through ICU), so the need for it would only show
# where a server does without.
nothing 'does not load the C++ runtime' "$(readelf -d $library | grep 'NEEDED.*c++')"
nothing 'calls nothing in the C++ runtime' \
    "$(grep -E ' (_Z|__cxa_(throw|begin|end|guard|pure)|__gxx|_Unwind)' <<<"$undefined")"

# One entry is the compiler's own; another would be a constructor that runs when a backend loads us.
constructors() {
    readelf -S -W $library |
        sed -n 's/^ *\[ *[0-9]*\] \.init_array  *INIT_ARRAY  *[^ ]* [^ ]* \([^ ]*\) .*/\1/p'
}
pointer=$(readelf -h $library | awk '/Class:/ { print ($2 == "ELF64") ? 8 : 4 }')
size=$((0x$(constructors)))
nothing 'has no static constructor' \
    "$([ "$size" = "$pointer" ] || echo "$((size / pointer)) entries in .init_array, not 1")"

# The oldest glibc that the packages promise to run on.
nothing 'runs on glibc 2.36' "$(grep -o 'GLIBC_[0-9.]*' <<<"$undefined" | sort -u |
    awk -F '[_.]' '$2 > 2 || $3 > 36')"

echo "1..$tests"
