// pulid columns with pgx: ids are strings, and nothing has to be registered. The server is the one
// that PGHOST etc. name.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/oklog/ulid/v2"
)

const schema = `
	CREATE EXTENSION IF NOT EXISTS prefixed_ulid;
	CREATE TABLE product (
		id      pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd'),
		name    text NOT NULL,
		related pulid('prd')[]
	);
	CREATE TABLE sale (
		id      pulid('sal') PRIMARY KEY DEFAULT pulid_generate('sal'),
		product pulid('prd') REFERENCES product,
		data    jsonb
	);`

var checks, failures int

func check(what string, got, expected any) {
	checks++
	if reflect.DeepEqual(got, expected) {
		fmt.Printf("ok %d - %s\n", checks, what)
		return
	}
	failures++
	fmt.Printf("not ok %d - %s\n# got %#v\n# expected %#v\n", checks, what, got, expected)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func codeOf(err error) string {
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) {
		return pgErr.Code
	}
	return fmt.Sprint(err)
}

func newID() string {
	return strings.ToLower("prd_" + ulid.Make().String()) // the library writes upper case
}

// use does everything with strings, in one of pgx's ways to execute a query.
func use(ctx context.Context, conn *pgx.Conn, mode pgx.QueryExecMode) {
	prefix := mode.String() + ": "
	names := func(sql string, args ...any) []string {
		rows, err := conn.Query(ctx, sql, append([]any{mode}, args...)...)
		must(err)
		found, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(err)
		return found
	}

	lamp := names("INSERT INTO product (name) VALUES ($1) RETURNING id", "lamp")[0]
	check(prefix+"the default makes an id, RETURNING gives a string", len(lamp), 30)
	desk := newID()
	made := names("INSERT INTO product VALUES ($1, $2, $3) RETURNING id", desk, "desk",
		[]string{lamp})
	check(prefix+"an id of oklog/ulid is stored as it is", made, []string{desk})

	check(prefix+"a string finds it", names("SELECT name FROM product WHERE id = $1", desk),
		[]string{"desk"})
	list := []string{lamp, desk}
	check(prefix+"so does a list",
		names("SELECT name FROM product WHERE id = ANY($1) ORDER BY name", list),
		[]string{"desk", "lamp"})
	check(prefix+"also IN",
		names("SELECT name FROM product WHERE id IN ($1, $2) ORDER BY name", lamp, desk),
		[]string{"desk", "lamp"})
	check(prefix+"an array is searched by a list",
		names("SELECT name FROM product WHERE related @> $1", []string{lamp}), []string{"desk"})
	check(prefix+"a pattern, as search boxes use",
		names("SELECT name FROM product WHERE id ILIKE $1", "%"+strings.ToUpper(desk[22:])),
		[]string{"desk"})

	sale := names("INSERT INTO sale (product, data) VALUES ($1, $2) RETURNING id", desk,
		`{"product": "`+desk+`"}`)[0]
	check(prefix+"a join over the foreign key",
		names("SELECT p.name FROM sale s JOIN product p ON p.id = s.product WHERE s.id = $1", sale),
		[]string{"desk"})
	check(prefix+"the foreign key is updated",
		names("UPDATE sale SET product = $1 WHERE id = $2 RETURNING product", lamp, sale),
		[]string{lamp})
	check(prefix+"in JSON an id is a string",
		names("SELECT to_jsonb(s)->>'id' FROM sale s WHERE id = $1", sale), []string{sale})
	check(prefix+"a string in JSON joins with an id",
		names("SELECT name FROM sale s JOIN product p ON p.id = data->>'product' WHERE s.id = $1",
			sale), []string{"desk"})

	_, err := conn.Exec(ctx, "INSERT INTO sale (product) VALUES ($1)", mode,
		"usr_01jq3v8f6a7b2c8d9e0f1g2h3j")
	check(prefix+"a wrong prefix is a PgError of code 23514", codeOf(err), "23514")
	_, err = conn.Exec(ctx, "INSERT INTO product (id, name) VALUES ($1, '')", mode, "prd_junk")
	check(prefix+"junk is a PgError of code 22P02", codeOf(err), "22P02")
}

func main() {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, "")
	must(err)
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, schema)
	must(err)


	use(ctx, conn, pgx.QueryExecModeCacheStatement) // the default: prepared statements
	use(ctx, conn, pgx.QueryExecModeExec)           // extended protocol, types guessed by pgx
	use(ctx, conn, pgx.QueryExecModeSimpleProtocol)

	var id, name string
	err = conn.QueryRow(ctx, "INSERT INTO product (name) VALUES ('chair') RETURNING id").Scan(&id)
	must(err)
	related := []*string{&id, nil}
	var back []*string
	must(conn.QueryRow(ctx, "UPDATE product SET related = $1 WHERE id = $2 RETURNING related",
		related, id).Scan(&back))
	check("an array of ids and NULL comes back as []*string", back, related)
	var null *string
	must(conn.QueryRow(ctx, "INSERT INTO sale VALUES (DEFAULT, $1) RETURNING product", null).
		Scan(&null))
	check("NULL comes back as nil", null, (*string)(nil))

	formats := pgx.QueryResultFormats{pgx.BinaryFormatCode, pgx.BinaryFormatCode}
	must(conn.QueryRow(ctx, "SELECT id, related FROM product WHERE id = $1", formats, id).
		Scan(&name, &back))
	check("binary results are the same", []any{name, *back[0]}, []any{id, id})
	prepared, err := conn.Prepare(ctx, "by-id", "SELECT name FROM product WHERE id = $1")
	must(err)
	var oid uint32
	must(conn.QueryRow(ctx, "SELECT 'pulid'::regtype::oid").Scan(&oid))
	check("a prepared statement asks for a pulid", prepared.ParamOIDs, []uint32{oid})
	for n := 0; n < 6; n++ { // from the sixth execution on, the plan is made without the value
		must(conn.QueryRow(ctx, "by-id", id).Scan(&name))
	}
	check("and is used again", name, "chair")

	_, err = conn.Exec(ctx, "TRUNCATE product, sale")
	must(err)
	var ids []string
	for n := 0; n < 1000; n++ {
		ids = append(ids, newID())
	}
	_, err = conn.CopyFrom(ctx, pgx.Identifier{"product"}, []string{"id", "name"},
		pgx.CopyFromSlice(len(ids), func(n int) ([]any, error) { return []any{ids[n], "bulk"}, nil }))
	must(err) // always binary
	var seen []string
	for last := "prd_" + strings.Repeat("0", 26); ; last = seen[len(seen)-1] {
		rows, err := conn.Query(ctx, "SELECT id FROM product WHERE id > $1 ORDER BY id LIMIT 300", last)
		must(err)
		page, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(err)
		if len(page) == 0 {
			break
		}
		seen = append(seen, page...)
	}
	sort.Strings(ids)
	check("CopyFrom; pages by key give all, in order", seen, ids)

	fmt.Printf("1..%d\n", checks)
	if failures > 0 {
		os.Exit(1)
	}
}
