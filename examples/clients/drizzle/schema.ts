import { sql } from "drizzle-orm";
import { customType, jsonb, pgTable, text } from "drizzle-orm/pg-core";

// pulid("id", { prefix: "prd" }) is a column of type pulid('prd'), pulid("id") one of pulid.
const pulid = customType<{ data: string; config: { prefix: string } }>({
  dataType: (config) => (config ? `pulid('${config.prefix}')` : "pulid"),
});
const generate = (prefix: string) => sql.raw(`pulid_generate('${prefix}')`);

export const product = pgTable("product", {
  id: pulid("id", { prefix: "prd" }).primaryKey().default(generate("prd")),
  name: text("name").notNull(),
  related: pulid("related", { prefix: "prd" }).array(),
});

export const sale = pgTable("sale", {
  id: pulid("id", { prefix: "sal" }).primaryKey().default(generate("sal")),
  product: pulid("product", { prefix: "prd" }).references(() => product.id),
  data: jsonb("data").$type<{ product: string }>(),
});
