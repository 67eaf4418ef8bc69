// pulid columns with Kysely: ids are strings. The server is the one that PGHOST etc. name.

import { promises as fs } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { FileMigrationProvider, Kysely, Migrator, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { typeid } from "typeid-js";
import type { Database, ProductId } from "./database.js";

let checks = 0;
let failures = 0;

function check<T>(what: string, got: T, expected: T) {
  checks++;
  if (isDeepStrictEqual(got, expected)) {
    console.log(`ok ${checks} - ${what}`);
  } else {
    failures++;
    console.log(`not ok ${checks} - ${what}`);
    console.log(`# got ${JSON.stringify(got)}\n# expected ${JSON.stringify(expected)}`);
  }
}

async function errorOf(promise: Promise<unknown>) {
  try {
    await promise;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return error;
  }
}

const newId = () => typeid("prd").toString() as ProductId;

const pool = new pg.Pool();
const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
const migrationFolder = path.resolve("dist/migrations");
const provider = new FileMigrationProvider({ fs, path, migrationFolder });
const { error, results } = await new Migrator({ db, provider }).migrateToLatest();
if (error) throw error;
check("the migration runs", results?.map((result) => result.status), ["Success"]);

// Once per process: arrays of ids are parsed as arrays of text are. Single ids need nothing.
const textArray: number = 1009;
const oid = sql<{ oid: number }>`SELECT 'pulid[]'::regtype::oid`;
const pulidArray = (await oid.execute(db)).rows[0].oid;
pg.types.setTypeParser(pulidArray, pg.types.getTypeParser(textArray));

const tables = await db.introspection.getTables();
const types = tables
  .flatMap((table) => table.columns)
  .filter((column) => column.name === "related")
  .map((column) => column.dataType);
check("introspection gives the type", types, ["_pulid"]);

const lamp = await db
  .insertInto("product")
  .values({ name: "lamp", related: null })
  .returningAll()
  .executeTakeFirstOrThrow();
check("the default makes an id, returning gives it", /^prd_[0-9a-z]{26}$/.test(lamp.id), true);
const desk = newId();
const row = await db
  .insertInto("product")
  .values({ id: desk, name: "desk", related: [lamp.id, null] })
  .returningAll()
  .executeTakeFirstOrThrow();
check("a TypeID of typeid-js is stored as it is", row.id, desk);
check("an array of ids and NULL comes back as an array", row.related, [lamp.id, null]);
check("NULL comes back as null", lamp.related, null);

const products = db.selectFrom("product").select("name").orderBy("name");
const both: ProductId[] = [lamp.id, desk];
check("a string finds it", await products.where("id", "=", desk).execute(), [{ name: "desk" }]);
const listed = await products.where("id", "in", both).execute();
check("so does a list", listed, [{ name: "desk" }, { name: "lamp" }]);
const any = await products.where((eb) => eb("id", "=", sql<ProductId>`any(${both})`)).execute();
check("also = ANY", any, listed);
const holders = await products.where("related", "@>", sql<ProductId[]>`${[lamp.id]}`).execute();
check("an array is searched by a list", holders, [{ name: "desk" }]);
const tail = `%${desk.slice(-8).toUpperCase()}`;
const search = await products.where("id", "ilike", tail as ProductId).execute();
check("a pattern, as search boxes use", search, [{ name: "desk" }]);

const sold = await db
  .insertInto("sale")
  .values({ product: desk, data: JSON.stringify({ product: desk }) })
  .returning("id")
  .executeTakeFirstOrThrow();
const joined = await db
  .selectFrom("sale")
  .innerJoin("product", "product.id", "sale.product")
  .select("product.name")
  .where("sale.id", "=", sold.id)
  .execute();
check("a join over the foreign key", joined, [{ name: "desk" }]);
const moved = await db
  .updateTable("sale")
  .set({ product: lamp.id })
  .where("id", "=", sold.id)
  .returning(["product", sql<{ id: string }>`to_jsonb(sale)`.as("json")])
  .executeTakeFirstOrThrow();
check("the foreign key is updated", moved.product, lamp.id);
check("in JSON an id is a string", moved.json.id, sold.id);
const inJson = await db
  .selectFrom("sale")
  .innerJoin("product", (join) => join.on("product.id", "=", sql<ProductId>`data->>'product'`))
  .select("product.name")
  .execute();
check("a string in JSON joins with an id", inJson, [{ name: "desk" }]);

const ids = Array.from({ length: 1000 }, newId);
await db
  .insertInto("product")
  .values(ids.slice(0, 500).map((id) => ({ id, name: "bulk", related: null })))
  .execute();
const client = await pool.connect();
await pipeline(
  Readable.from(ids.slice(500).map((id) => `${id}\tbulk\n`)),
  client.query(copyFrom("COPY product (id, name) FROM STDIN")),
);
client.release();
const seen: ProductId[] = [];
for (let last: ProductId = `prd_${"0".repeat(26)}`; ; last = seen[seen.length - 1]) {
  const page = await db
    .selectFrom("product")
    .select("id")
    .where("id", ">", last)
    .orderBy("id")
    .limit(300)
    .execute();
  if (page.length === 0) break;
  seen.push(...page.map((row) => row.id));
}
check("a bulk insert, COPY; pages by key give all, in order", seen, [lamp.id, desk, ...ids].sort());

const wrong = "usr_01jq3v8f6a7b2c8d9e0f1g2h3j" as ProductId; // the compiler would refuse it
const refused = await errorOf(db.insertInto("sale").values({ product: wrong }).execute());
check("a wrong prefix is a pg.DatabaseError of code 23514", refused?.code, "23514");
const junk = await errorOf(products.where("id", "=", "prd_junk").execute());
check("junk is one of code 22P02", junk?.code, "22P02");

await db.destroy();
console.log(`1..${checks}`);
process.exitCode = failures > 0 ? 1 : 0;
