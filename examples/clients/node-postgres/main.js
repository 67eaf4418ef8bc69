// pulid columns with node-postgres: ids are strings. The server is the one that PGHOST etc. name.

import { isDeepStrictEqual } from "node:util";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { typeid } from "typeid-js";

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
  );`;

// Once per process: arrays of ids are parsed as arrays of text are. Single ids need nothing.
async function registerPulid(db) {
  const { rows } = await db.query("SELECT 'pulid[]'::regtype::oid");
  pg.types.setTypeParser(rows[0].oid, pg.types.getTypeParser(1009)); // text[]
}

let checks = 0;
let failures = 0;

function check(what, got, expected = true) {
  checks++;
  if (isDeepStrictEqual(got, expected)) {
    console.log(`ok ${checks} - ${what}`);
  } else {
    failures++;
    console.log(`not ok ${checks} - ${what}`);
    console.log(`# got ${JSON.stringify(got)}\n# expected ${JSON.stringify(expected)}`);
  }
}

async function errorOf(promise) {
  try {
    await promise;
  } catch (error) {
    return error;
  }
}

const db = new pg.Client();
await db.connect();
await db.query(schema);
await registerPulid(db);

const query = async (text, values) => (await db.query(text, values)).rows;
const newId = () => typeid("prd").toString();

const [lamp] = await query("INSERT INTO product (name) VALUES ($1) RETURNING *", ["lamp"]);
check("the default makes an id, RETURNING gives a string", typeof lamp.id, "string");
check("it has the column's prefix", /^prd_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(lamp.id));

const desk = newId();
const [row] = await query("INSERT INTO product VALUES ($1, $2, $3) RETURNING *", [
  desk,
  "desk",
  [lamp.id, null],
]);
check("a TypeID of typeid-js is stored as it is", row.id, desk);
check("an array of ids and NULL comes back as an array", row.related, [lamp.id, null]);
check("NULL comes back as null", lamp.related, null);

const byId = "SELECT name FROM product WHERE id = $1";
check("a string finds it", await query(byId, [desk]), [{ name: "desk" }]);
check("so does one cast to text", await query(`${byId}::text`, [desk]), [{ name: "desk" }]);
const both = await query("SELECT name FROM product WHERE id = ANY($1) ORDER BY name", [
  [lamp.id, desk],
]);
check("and a list", both, [{ name: "desk" }, { name: "lamp" }]);
const listed = await query("SELECT FROM product WHERE id IN ($1, $2)", [lamp.id, desk]);
check("also IN", listed.length, 2);
const holder = await query("SELECT id FROM product WHERE related @> $1", [[lamp.id]]);
check("an array is searched by a list", holder, [{ id: desk }]);
const names = new Set();
for (let n = 0; n < 6; n++) {
  // from the sixth execution on, the plan is made without the value
  const result = await db.query({ name: "by-id", text: byId, values: [desk] });
  names.add(result.rows[0].name);
}
check("a named, prepared statement finds it", [...names], ["desk"]);

const [sale] = await query("INSERT INTO sale (product, data) VALUES ($1, $2) RETURNING id", [
  desk,
  { product: desk },
]);
const joined = await query(
  "SELECT p.name FROM sale s JOIN product p ON p.id = s.product WHERE s.id = $1",
  [sale.id],
);
check("a join over the foreign key", joined, [{ name: "desk" }]);
await query("UPDATE sale SET product = $1 WHERE id = $2", [lamp.id, sale.id]);
const [moved] = await query("SELECT product, to_jsonb(s) AS json FROM sale s");
check("the foreign key is updated", moved.product, lamp.id);
check("in JSON an id is a string", moved.json.id, sale.id);
const inJson = await query("SELECT p.name FROM sale JOIN product p ON p.id = data->>'product'");
check("a string in JSON joins with an id", inJson, [{ name: "desk" }]);

const ids = Array.from({ length: 1000 }, newId);
await query("INSERT INTO product (id, name) SELECT unnest($1::pulid[]), 'bulk'", [
  ids.slice(0, 500),
]);
const lines = ids.slice(500).map((id) => `${id}\tbulk\n`);
await pipeline(Readable.from(lines), db.query(copyFrom("COPY product (id, name) FROM STDIN")));
const seen = [];
for (let last = `prd_${"0".repeat(26)}`, page; ; last = seen.at(-1)) {
  page = await query("SELECT id FROM product WHERE id > $1 ORDER BY id LIMIT 300", [last]);
  if (page.length === 0) break;
  seen.push(...page.map((row) => row.id));
}
check("unnest, COPY; pages by key give all, in order", seen, [lamp.id, desk, ...ids].sort());
const tail = `%${desk.slice(-8).toUpperCase()}`;
const search = await query("SELECT name FROM product WHERE id ILIKE $1", [tail]);
check("a pattern, as search boxes use", search, [{ name: "desk" }]);

const binary = await db.query({ text: byId.replace("name", "id"), values: [desk], binary: true });
check("binary results are the same", binary.rows, [{ id: desk }]);

const wrong = "usr_01jq3v8f6a7b2c8d9e0f1g2h3j";
let error = await errorOf(query("INSERT INTO sale (product) VALUES ($1)", [wrong]));
check("a wrong prefix is a DatabaseError", error instanceof pg.DatabaseError);
check("of code 23514", error.code, "23514");
error = await errorOf(query(byId, ["prd_junk"]));
check("junk is a DatabaseError", error instanceof pg.DatabaseError);
check("of code 22P02", error.code, "22P02");

await db.end();
console.log(`1..${checks}`);
process.exitCode = failures > 0 ? 1 : 0;
