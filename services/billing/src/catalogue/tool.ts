import type { Price } from '@tollgate/contracts/price';

export interface Tool {
  /** The slug, which every other place calls tool_id. */
  readonly slug: string;
  readonly ownerId: string;
  readonly name: string;
  readonly description: string | null;
  readonly archivedAtMs: number | null;
  readonly createdAtMs: number;
}

/** A tool as it is shown: with the price that is in force. */
export interface PricedTool extends Tool {
  readonly price: Price;
}
