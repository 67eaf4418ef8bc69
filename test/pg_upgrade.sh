#!/bin/bash
# pg_upgrade.sh: takes a database with everything that can name an id (t/shapes.sql) from one
# PostgreSQL to another by pg_upgrade (TAP). The extension must be installed in both. It leaves
# servers behind when it is killed, so scripts/packages runs it in a system of its own.
set -u
cd "$(dirname "$0")/.." || exit 1

tests=0
check() { # NAME COMMAND...: passes if COMMAND does
    local output
    tests=$((tests + 1))
    if output=$("${@:2}" 2>&1); then
        echo "ok $tests - $1"
    else
        printf 'not ok %d - %s\n%s\n' "$tests" "$1" "$(tail -n 60 <<<"$output" | sed 's/^/# /')"
    fi
}

dir=$(mktemp -d /tmp/pulid.XXXXXX)
chmod 755 "$dir"
mkdir "$dir/work"
cp test/t/shapes.sql "$dir"
docs=$PWD/docs/operating.md
chown postgres: "$dir/work"
export PGHOST=$dir/work PGPORT=65432 PGUSER=postgres PGDATABASE=app LC_ALL=C.UTF-8

run() { # MAJOR PROGRAM ARGUMENT...: in $dir/work, as PostgreSQL's own user
    setpriv --reuid=postgres --regid=postgres --init-groups \
        env -C "$dir/work" "/usr/lib/postgresql/$1/bin/$2" "${@:3}"
}

# Those of docs/operating.md, with the variables that they use.
documented() { # NEW BEGINNING
    PATH=/usr/lib/postgresql/$1/bin:$PATH setpriv --reuid=postgres --regid=postgres --init-groups \
        env -C "$dir/work" bash -euc "$(grep "^$2" "$docs")"
}

start() { # MAJOR CLUSTER
    run "$1" pg_ctl -s -w -D "$2" -l "$2.log" -o "-k $dir/work -c listen_addresses= -c fsync=off \
        -c timezone=UTC" start
}

stop() { # MAJOR CLUSTER
    run "$1" pg_ctl -s -w -D "$2" stop
}

initdb() { # MAJOR CLUSTER; 18 would have checksums, the others not
    run "$1" initdb -D "$2" -U postgres -A trust -E UTF8 --locale=C.UTF-8 --data-checksums -N
}

fill() { # MAJOR
    run "$1" psql -Xq -v ON_ERROR_STOP=1 -d postgres -c 'CREATE ROLE app LOGIN' \
        -c 'CREATE DATABASE app OWNER app' &&
        run "$1" psql -Xq -v ON_ERROR_STOP=1 -U app -c 'CREATE EXTENSION prefixed_ulid' \
            -f ../shapes.sql
}

dump() { # MAJOR DATABASE FILE: without what differs from run to run
    run "$1" pg_dump -d "$2" | sed '/^\\\(un\)\?restrict /d' >"$dir/$3"
}

query() { # MAJOR SQL EXPECTED
    local got
    got=$(run "$1" psql -XAtq -v ON_ERROR_STOP=1 -c "$2")
    [ "$got" = "$3" ] || { printf 'got:\n%s\nexpected:\n%s\n' "$got" "$3"; false; }
}

upgrade() { # OLD NEW
    local old=$1 new=$2 way="$1 to $2"
    check "$way: clusters" initdb "$old" "old$way"
    check "$way: clusters" initdb "$new" "new$way"
    start "$old" "old$way"
    check "$way: the old one is filled" fill "$old"
    run "$new" pg_dump >"$dir/script"
    stop "$old" "old$way"
    export old new old_data="old$way" new_data="new$way"
    check "$way: pg_upgrade" documented "$new" '.*/bin/pg_upgrade'
    start "$new" "new$way"
    run "$new" createdb -O app restored
    check "$way: a dump of the old one restores" run "$new" psql -Xqo /dev/null -v ON_ERROR_STOP=1 \
        -U app -d restored -f ../script
    dump "$new" app upgraded
    dump "$new" restored restored
    check "$way: upgraded and restored are equal" diff "$dir/restored" "$dir/upgraded"
    check "$way: amcheck" documented "$new" 'pg_amcheck --install-missing'
    check "$way: the primary key is used" query "$new" "SET enable_seqscan = off;
        SELECT name FROM \"user\" WHERE id = 'user_01jq3v8f6a7b2c8d9e0f1g2h3j'" Ada
    check "$way: hash, BRIN, GIN and GiST indexes find what is there" query "$new" "
        SET enable_seqscan = off; SET enable_indexscan = off;
        SELECT count(*) FROM \"order\" WHERE payer = nth('user', 3);
        SELECT count(*) FROM \"order\" WHERE id BETWEEN nth('order', 5) AND nth('order', 7);
        SELECT count(*) FROM \"user\" WHERE friends @> ARRAY[nth('user', 8)];
        SELECT count(*) FROM \"order\" WHERE buyer = nth('user', 8)" $'285\n3\n1\n4'
    check "$way: views, triggers and generators work" query "$new" "
        INSERT INTO \"user\" (name) VALUES ('Grace') RETURNING pulid_prefix(id);
        UPDATE \"order\" SET payer = buyer WHERE id = 'order_01jq3v8f6a7b2c8d9e0f1g2h3j';
        SELECT count(*) FROM payer_change WHERE \"order\" = 'order_01jq3v8f6a7b2c8d9e0f1g2h3j';
        SELECT gift, who FROM compared WHERE id = 'order_01jq3v8f6a7b2c8d9e0f1g2h3j'" \
        $'user\n1\nf|self'
    if [ "$new" -ge 18 ]; then
        # As README.md says.
        check "$way: what WITHOUT OVERLAPS needs can be added" query "$new" "$(
            sed -n '/^    ALTER OPERATOR FAMILY/,/;$/p' README.md)
            CREATE TABLE stay (room pulid('roo'), during tstzrange,
                PRIMARY KEY (room, during WITHOUT OVERLAPS))" ''
    fi
    stop "$new" "new$way"
    rm -rf "$dir/work/new$way" "$dir/work/old$way"
}

upgrade 15 17
upgrade 15 18
rm -rf "$dir"
echo "1..$tests"
