import type { Price } from '@tollgate/contracts/tools/price';

/** A price version as rating needs it. */
export interface RatedPrice {
  readonly priceId: string;
  readonly toolId: string;
  /** The owner of the tool, whose own calls are free. */
  readonly builderId: string;
  /** Null: the first version of the tool. */
  readonly effectiveFromMs: number | null;
  readonly price: Price;
}

export type RatedPrices = ReadonlyMap<string, RatedPrice>;
