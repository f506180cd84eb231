import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { Price } from '@tollgate/contracts/tools/price';

export interface Tool {
  /** The slug; every other place calls it tool_id. */
  readonly slug: string;
  readonly ownerId: string;
  readonly name: string;
  readonly description: string | null;
  /** The `max` of an authorization that gives none; null: authorizations must give one. */
  readonly defaultMax: AuthorizedMax | null;
  readonly archivedAtMs: number | null;
  readonly createdAtMs: number;
}

/** A tool with its price in force, as the API shows it. */
export interface PricedTool extends Tool {
  readonly price: Price;
}

/** A bound that bounds nothing is none. */
export function boundOrNull(max: AuthorizedMax | null = null): AuthorizedMax | null {
  return max === null || Object.keys(max).length === 0 ? null : max;
}
