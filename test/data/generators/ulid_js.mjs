// ulid 3.0.2 (npm); Node.js 20.
// Run: npm install ulid@3.0.2 && node ulid_js.mjs > ulid_js.csv
import { decodeTime, encodeTime, monotonicFactory, ulid, ulidToUUID } from "ulid";

const MAX = 2 ** 48 - 1;
const EDGES = [
  0, 1, 2, 999, 1000, 1001, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40,
  946684799999, 951782400000, 2147483647999, 4294967295999, 2 ** 47 - 1, 2 ** 47,
  253402300799999, 253402300800000, MAX - 1, MAX,
];

let state = 4;
const rnd = () => { // mulberry32
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};
const between = (a, b) =>
  a + Math.floor((Math.floor(rnd() * 2 ** 24) + rnd()) / 2 ** 24 * (b - a + 1));

// ulid(0) takes the instant 0 for "not given" and uses the clock: put that id together from the
// library's parts.
const make = (ms, prng) => (ms === 0 ? encodeTime(0) + ulid(1, prng).slice(10) : ulid(ms, prng));

function* ids() {
  for (const ms of EDGES)
    for (const prng of [() => 0, () => 0.999, rnd]) yield make(ms, prng);
  for (let year = 1970; year <= 10889; year += year === 10870 ? 19 : 100)
    for (const ms of [-1, 0, 1])
      if (Date.UTC(year, 0, 1) + ms >= 0) yield make(Date.UTC(year, 0, 1) + ms, rnd);
  for (let i = 0; i < 80; i++) yield make(between(0, MAX), rnd);
  for (let i = 0; i < 40; i++) yield make(between(1104537600000, 2051222400000), rnd);
  let drawn = 0; // the last 8 characters Z, so that the first increment carries
  const monotonic = monotonicFactory(() => (drawn++ < 8 ? 0.999 : 0));
  for (let i = 0; i < 10; i++) yield monotonic(1767225600001);
  for (let i = 0; i < 20; i++) yield ulid(); // now, the library's own randomness: new at every run
}

console.log("id,prefix,unix_ms,uuid");
for (const id of ids()) console.log(`${id},,${decodeTime(id)},${ulidToUUID(id).toLowerCase()}`);
