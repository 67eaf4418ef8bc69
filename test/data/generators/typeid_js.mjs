// typeid-js 1.2.0 (npm); Node.js 20. The library offers no reading of the instant.
// Run: npm install typeid-js@1.2.0 && node typeid_js.mjs > typeid_js.csv
import { TypeID, typeid } from "typeid-js";

const MAX = 2 ** 48 - 1;
const EDGES = [
  0, 1, 2, 999, 1000, 1001, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40,
  946684799999, 951782400000, 2147483647999, 4294967295999, 2 ** 47 - 1, 2 ** 47,
  253402300799999, 253402300800000, MAX - 1, MAX,
];
const PREFIXES = [
  "", "a", "z", "prd", "user", "order_item", "a_b", "a__b", "pre_fix_fix",
  "abcdefghijklmnopqrstuvwxyz".repeat(2) + "abcdefghijk",
  "a" + "_".repeat(61) + "z", "z".repeat(62),
];

let state = 5;
const rnd = () => { // mulberry32
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const between = (a, b) =>
  a + Math.floor((Math.floor(rnd() * 2 ** 24) + rnd()) / 2 ** 24 * (b - a + 1));
const bytes = (n) => Uint8Array.from({ length: n }, () => Math.floor(rnd() * 256));

function v7(ms, rand) { // time, version 7, variant 10, the rest from rand
  const uuid = new Uint8Array(16);
  for (let i = 5; i >= 0; i--, ms = Math.floor(ms / 256)) uuid[i] = ms % 256;
  uuid.set(rand, 6);
  uuid[6] = (uuid[6] & 0x0f) | 0x70;
  uuid[8] = (uuid[8] & 0x3f) | 0x80;
  return uuid;
}

function* uuids() {
  for (const ms of EDGES)
    for (const rand of [new Uint8Array(10), new Uint8Array(10).fill(255), bytes(10)])
      yield v7(ms, rand);
  for (let year = 1970; year <= 10889; year += year === 10870 ? 19 : 100)
    for (const ms of [-1, 0, 1])
      if (Date.UTC(year, 0, 1) + ms >= 0) yield v7(Date.UTC(year, 0, 1) + ms, bytes(10));
  for (let i = 0; i < 60; i++) yield v7(between(0, MAX), bytes(10));
  for (let i = 0; i < 20; i++) yield v7(between(1104537600000, 2051222400000), bytes(10));
  for (let i = 0; i < 36; i++) // every prefix with the nil UUID, the max UUID and any 16 bytes
    yield [new Uint8Array(16), new Uint8Array(16).fill(255), bytes(16)][Math.floor(i / 12)];
}

function* ids() {
  let i = 0;
  for (const uuid of uuids()) yield TypeID.fromUUIDBytes(PREFIXES[i++ % PREFIXES.length], uuid);
  // Now, the library's own UUIDv7: new at every run.
  for (const prefix of [...PREFIXES, ...PREFIXES]) yield typeid(prefix);
}

function uuidOf(read) {
  try {
    return read.toUUID();
  } catch {
    // It throws for all that RFC 9562 does not know (here: any 16 bytes); its bytes say the same.
    const hex = Buffer.from(read.toUUIDBytes()).toString("hex");
    return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
}

console.log("id,prefix,unix_ms,uuid");
for (const made of ids()) {
  const read = TypeID.fromString(made.toString());
  console.log(`${made},${read.getType()},,${uuidOf(read)}`);
}
