import type { Price } from '@tollgate/contracts/price';

export interface Tool {
  /** The slug; every other place calls it tool_id. */
  readonly slug: string;
  readonly ownerId: string;
  readonly name: string;
  readonly description: string | null;
  readonly archivedAtMs: number | null;
  readonly createdAtMs: number;
}

/** A tool with its price in force, as the API shows it. */
export interface PricedTool extends Tool {
  readonly price: Price;
}
