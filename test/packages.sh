#!/bin/bash
# packages.sh: builds a Debian package for each PostgreSQL that is here, examines them, installs
# them and tests the installed (TAP). It changes the system that it runs in, so scripts/packages
# runs it in one of its own. The packages are left in the folder above the sources.
set -u
cd "$(dirname "$0")/.." || exit 1

majors=$(cd /usr/lib/postgresql && ls | sort -n | xargs)
tests=0
check() { # NAME COMMAND...: passes if COMMAND does; shows its output only if not
    local output
    tests=$((tests + 1))
    if output=$("${@:2}" 2>&1); then
        echo "ok $tests - $1"
    else
        printf 'not ok %d - %s\n%s\n' "$tests" "$1" "$(tail -n 60 <<<"$output" | sed 's/^/# /')"
    fi
}

# Of the clang and LLVM that bitcode needs, and of the servers for the tests at build time, there
# are none here; the tests run below.
build() { # as docs/operating.md says
    export PG_SUPPORTED_VERSIONS=$majors MAKEFLAGS='-- with_llvm=no' DEB_BUILD_OPTIONS=nocheck
    bash -euc "$(sed -n '/^pg_buildext/,/^```/{ /^```/d; p }' docs/operating.md |
        sed 's/^dpkg-buildpackage/& --no-check-builddeps/')"
}
check "packages are built for PostgreSQL $majors" build

package() { # MAJOR
    ls ../postgresql-"$1"-prefixed-ulid_*.deb
}

no_output() { # COMMAND...
    local output
    output=$("$@" 2>&1)
    echo "$output"
    [ -z "$output" ]
}
# Debian's own archive wants a bug report closed by the first upload.
check 'lintian has nothing to say' no_output lintian --allow-root --display-info \
    --suppress-tags initial-upload-closes-no-bugs ../*.changes

for major in $majors; do
    check "$major: the package needs glibc 2.36 at most" bash -c '
        needed=$(dpkg-deb -f "$1" Depends | sed -n "s/.*libc6 (>= \([0-9.]*\)).*/\1/p")
        echo "$needed"
        dpkg --compare-versions "${needed:-0}" le 2.36' bash "$(package "$major")"
    check "$major: it is installed" dpkg -i "$(package "$major")"
    library=/usr/lib/postgresql/$major/lib/prefixed_ulid.so
    check "$major: hardened by full RELRO" \
        bash -c 'readelf -W -l -d "$1" | grep -q GNU_RELRO && readelf -W -d "$1" | grep -q NOW' \
        bash "$library"
    check "$major: hardened by stack protector or fortified calls" \
        bash -c 'nm -D --undefined-only "$1" | grep -qE "__stack_chk_fail|_chk"' bash "$library"

    export PG_CONFIG=/usr/lib/postgresql/$major/bin/pg_config
    check "$major: the tests pass with it" scripts/with_server make -s installcheck
done

echo "1..$tests"
