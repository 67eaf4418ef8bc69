import { Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS prefixed_ulid`.execute(db);
  await db.schema
    .createTable("product")
    .addColumn("id", sql`pulid('prd')`, (column) =>
      column.primaryKey().defaultTo(sql`pulid_generate('prd')`),
    )
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("related", sql`pulid('prd')[]`)
    .execute();
  await db.schema
    .createTable("sale")
    .addColumn("id", sql`pulid('sal')`, (column) =>
      column.primaryKey().defaultTo(sql`pulid_generate('sal')`),
    )
    .addColumn("product", sql`pulid('prd')`, (column) => column.references("product.id"))
    .addColumn("data", "jsonb")
    .execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable("sale").execute();
  await db.schema.dropTable("product").execute();
}
