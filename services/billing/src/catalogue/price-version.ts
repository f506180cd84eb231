import type { Price } from '@tollgate/contracts/tools/price';

/** In force from its hour until the next version's. A version never changes, since past hours are rated by it. */
export interface PriceVersion {
  readonly id: string;
  readonly slug: string;
  /**
   * A full hour. Null for the first version, which has no beginning, since an event may be 24 hours older than its
   * tool.
   */
  readonly effectiveFromMs: number | null;
  readonly price: Price;
  readonly createdAtMs: number;
}
