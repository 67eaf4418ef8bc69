// pulid columns with Drizzle: ids are strings. The server is the one that PGHOST etc. name.

import { execFileSync } from "node:child_process";
import { isDeepStrictEqual } from "node:util";
import {
  and,
  arrayContains,
  DrizzleQueryError,
  eq,
  gt,
  ilike,
  inArray,
  sql,
  type SQL,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import pg from "pg";
import { ulid } from "ulid";
import { product, sale } from "./schema.js";

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

// Drizzle wraps what the driver throws.
async function causeOf(promise: Promise<unknown>) {
  try {
    await promise;
  } catch (error) {
    if (error instanceof DrizzleQueryError) return error.cause as pg.DatabaseError;
  }
}

const newId = () => `prd_${ulid()}`.toLowerCase(); // the library writes upper case

const client = new pg.Client();
await client.connect();
const db = drizzle(client);
await migrate(db, { migrationsFolder: "migrations" });
const generated = execFileSync("npx", ["drizzle-kit", "generate"], { encoding: "utf8" });
check("drizzle-kit sees no change", /No schema changes/.test(generated), true);

const [lamp] = await db.insert(product).values({ name: "lamp" }).returning();
check("the default makes an id, returning() gives it", /^prd_[0-9a-z]{26}$/.test(lamp.id), true);
const desk = newId();
const [row] = await db
  .insert(product)
  .values({ id: desk, name: "desk", related: [lamp.id] })
  .returning();
check("an id of ulid is stored as it is", row.id, desk);
check("an array of ids comes back as an array", row.related, [lamp.id]);
check("NULL comes back as null", lamp.related, null);

const select = () => db.select({ name: product.name }).from(product).orderBy(product.name);
const found = async (condition: SQL) =>
  (await select().where(condition)).map((row) => row.name);
check("a string finds it", await found(eq(product.id, desk)), ["desk"]);
check("so does a list", await found(inArray(product.id, [lamp.id, desk])), ["desk", "lamp"]);
check("also = ANY", await found(sql`${product.id} = any(${sql.param([lamp.id, desk])})`), [
  "desk",
  "lamp",
]);
check("an array is searched by a list", await found(arrayContains(product.related, [lamp.id])), [
  "desk",
]);
const tail = desk.slice(-8).toUpperCase();
check("a pattern, as search boxes use", await found(ilike(product.id, `%${tail}`)), ["desk"]);
const byId = select()
  .where(eq(product.id, sql.placeholder("id")))
  .prepare("by-id");
const prepared = new Set<string>();
for (let n = 0; n < 6; n++) prepared.add((await byId.execute({ id: desk }))[0].name);
check("a prepared statement finds it", [...prepared], ["desk"]);

const [sold] = await db.insert(sale).values({ product: desk, data: { product: desk } }).returning();
const joined = await db
  .select({ name: product.name })
  .from(sale)
  .innerJoin(product, eq(product.id, sale.product))
  .where(and(eq(sale.id, sold.id), eq(product.id, desk)));
check("a join over the foreign key", joined, [{ name: "desk" }]);
const [moved] = await db
  .update(sale)
  .set({ product: lamp.id })
  .where(eq(sale.id, sold.id))
  .returning({ product: sale.product, json: sql<{ id: string }>`to_jsonb(${sale})` });
check("the foreign key is updated", moved.product, lamp.id);
check("in JSON an id is a string", moved.json.id, sold.id);
const inJson = await db
  .select({ name: product.name })
  .from(sale)
  .innerJoin(product, sql`${product.id} = ${sale.data}->>'product'`);
check("a string in JSON joins with an id", inJson, [{ name: "desk" }]);

const ids = Array.from({ length: 1000 }, newId);
await db.insert(product).values(ids.map((id) => ({ id, name: "bulk" })));
const seen: string[] = [];
for (let last = `prd_${"0".repeat(26)}`; ; last = seen[seen.length - 1]) {
  const page = await db
    .select({ id: product.id })
    .from(product)
    .where(gt(product.id, last))
    .orderBy(product.id)
    .limit(300);
  if (page.length === 0) break;
  seen.push(...page.map((row) => row.id));
}
check("a bulk insert; pages by key give all, in order", seen, [lamp.id, desk, ...ids].sort());

const wrong = "usr_01jq3v8f6a7b2c8d9e0f1g2h3j";
const refused = await causeOf(db.insert(sale).values({ product: wrong }));
check("a wrong prefix is a DrizzleQueryError, caused by code 23514", refused?.code, "23514");
const junk = await causeOf(found(eq(product.id, "prd_junk")));
check("junk is one caused by 22P02", junk?.code, "22P02");

await client.end();
console.log(`1..${checks}`);
process.exitCode = failures > 0 ? 1 : 0;
