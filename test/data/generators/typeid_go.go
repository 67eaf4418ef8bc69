//go:build ignore

// go.jetify.com/typeid v1.3.0 (Go). The library offers no reading of the instant.
// Run: go mod init gen && go get go.jetify.com/typeid@v1.3.0 && go run typeid_go.go > typeid_go.csv
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"strings"
	"time"

	"go.jetify.com/typeid"
)

const last = 1<<48 - 1

var edges = []int64{
	0, 1, 2, 999, 1000, 1001, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40,
	946684799999, 951782400000,
	2147483647999, 4294967295999, 1<<47 - 1, 1 << 47, 253402300799999, 253402300800000, last - 1, last,
}

var prefixes = []string{
	"", "a", "z", "prd", "user", "order_item", "a_b", "a__b", "pre_fix_fix",
	strings.Repeat("abcdefghijklmnopqrstuvwxyz", 2) + "abcdefghijk",
	"a" + strings.Repeat("_", 61) + "z", strings.Repeat("z", 62),
}

var rng = rand.New(rand.NewSource(7))

func random(n int) []byte {
	b := make([]byte, n)
	rng.Read(b)
	return b
}

// v7 puts together time, version 7, variant 10, and the rest from tail.
func v7(ms int64, tail []byte) []byte {
	b := append(binary.BigEndian.AppendUint64(nil, uint64(ms))[2:], tail...)
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return b
}

func show(made typeid.AnyID) {
	read := typeid.Must(typeid.FromString(made.String()))
	fmt.Printf("%s,%s,,%s\n", made, read.Prefix(), read.UUID())
}

func main() {
	var uuids [][]byte
	for _, ms := range edges {
		for _, tail := range [][]byte{make([]byte, 10), bytes.Repeat([]byte{0xff}, 10), random(10)} {
			uuids = append(uuids, v7(ms, tail))
		}
	}
	for year := 1970; year <= 10889; year += 100 {
		if year > 10870 {
			year = 10889
		}
		start := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
		for ms := start - 1; ms <= start+1; ms++ {
			if ms >= 0 {
				uuids = append(uuids, v7(ms, random(10)))
			}
		}
	}
	for i := 0; i < 60; i++ {
		uuids = append(uuids, v7(rng.Int63n(last+1), random(10)))
	}
	for i := 0; i < 20; i++ {
		uuids = append(uuids, v7(1104537600000+rng.Int63n(946684800000), random(10)))
	}
	for i := 0; i < 36; i++ { // every prefix with the nil UUID, the max UUID and any 16 bytes
		kinds := [][]byte{make([]byte, 16), bytes.Repeat([]byte{0xff}, 16), random(16)}
		uuids = append(uuids, kinds[i/12])
	}

	fmt.Println("id,prefix,unix_ms,uuid")
	for i, uuid := range uuids {
		show(typeid.Must(typeid.FromUUIDBytesWithPrefix(prefixes[i%len(prefixes)], uuid)))
	}
	for i := 0; i < 24; i++ { // now, the library's own UUIDv7: new at every run
		show(typeid.Must(typeid.WithPrefix(prefixes[i%12])))
	}
}
