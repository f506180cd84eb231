import type { Price } from '@tollgate/contracts/price';

/** In force from its hour until the next version's. Written once, never changed: past hours are rated by it. */
export interface PriceVersion {
  readonly id: string;
  readonly slug: string;
  /** A full hour; null is the first version, which has no lower bound: an event may be 24 h older than its tool. */
  readonly effectiveFromMs: number | null;
  readonly price: Price;
  readonly createdAtMs: number;
}
