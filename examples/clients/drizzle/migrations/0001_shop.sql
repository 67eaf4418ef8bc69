CREATE TABLE "product" (
	"id" pulid('prd') PRIMARY KEY DEFAULT pulid_generate('prd') NOT NULL,
	"name" text NOT NULL,
	"related" pulid('prd')[]
);
--> statement-breakpoint
CREATE TABLE "sale" (
	"id" pulid('sal') PRIMARY KEY DEFAULT pulid_generate('sal') NOT NULL,
	"product" pulid('prd'),
	"data" jsonb
);
--> statement-breakpoint
ALTER TABLE "sale" ADD CONSTRAINT "sale_product_product_id_fk" FOREIGN KEY ("product") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;