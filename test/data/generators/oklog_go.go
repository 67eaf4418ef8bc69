//go:build ignore

// github.com/oklog/ulid/v2 v2.1.2 (Go). The library offers no UUID conversion.
// Run: go mod init gen && go get github.com/oklog/ulid/v2@v2.1.2 &&
//
//	go run oklog_go.go > oklog_go.csv
package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand"
	"time"

	"github.com/oklog/ulid/v2"
)

const last = 1<<48 - 1

var edges = []uint64{
	0, 1, 2, 999, 1000, 1001, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40,
	946684799999, 951782400000,
	2147483647999, 4294967295999, 1<<47 - 1, 1 << 47, 253402300799999, 253402300800000, last - 1, last,
}

func show(made ulid.ULID) {
	read := ulid.MustParseStrict(made.String())
	fmt.Printf("%s,,%d,\n", made, read.Time())
}

func main() {
	rng := rand.New(rand.NewSource(6))
	zeros, ones := make([]byte, 10), bytes.Repeat([]byte{0xff}, 10)
	fmt.Println("id,prefix,unix_ms,uuid")
	for _, ms := range edges {
		for _, entropy := range []io.Reader{bytes.NewReader(zeros), bytes.NewReader(ones), rng} {
			show(ulid.MustNew(ms, entropy))
		}
	}
	for year := 1970; year <= 10889; year += 100 {
		if year > 10870 {
			year = 10889
		}
		start := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC)
		for _, ms := range []time.Duration{-1, 0, 1} {
			if t := start.Add(ms * time.Millisecond); t.Unix() >= 0 {
				show(ulid.MustNew(ulid.Timestamp(t), rng))
			}
		}
	}
	for i := 0; i < 80; i++ {
		show(ulid.MustNew(uint64(rng.Int63n(last+1)), rng))
	}
	for i := 0; i < 40; i++ {
		show(ulid.MustNew(uint64(1104537600000+rng.Int63n(946684800000)), rng))
	}
	carry := append(append(make([]byte, 5), ones[:4]...), 0xfd)
	monotonic := ulid.Monotonic(io.MultiReader(bytes.NewReader(carry), rng), 1)
	for i := 0; i < 10; i++ {
		show(ulid.MustNew(1767225600001, monotonic))
	}
	for i := 0; i < 20; i++ { // now, the library's own entropy: new at every run
		show(ulid.Make())
	}
}
