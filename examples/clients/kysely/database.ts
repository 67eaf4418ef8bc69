import type { Generated, JSONColumnType } from "kysely";

// Ids that the compiler keeps apart, as the database does: a SaleId is no ProductId.
export type ProductId = `prd_${string}`;
export type SaleId = `sal_${string}`;

export interface Database {
  product: {
    id: Generated<ProductId>;
    name: string;
    related: (ProductId | null)[] | null;
  };
  sale: {
    id: Generated<SaleId>;
    product: ProductId | null;
    data: JSONColumnType<{ product: string }> | null;
  };
}
