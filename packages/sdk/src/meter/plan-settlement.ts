import type { Schemas } from '../client/operation-types.ts';

type ItemResult = Schemas['EventBatchResult']['results'][number];
export type ItemError = Schemas['EventItemError'];

export interface Settlement {
  /** How many events, from the first, are settled. */
  readonly settled: number;
  readonly recorded: number;
  readonly duplicates: number;
  /** Settled events that the service refused for good, by their place. */
  readonly rejected: readonly { readonly index: number; readonly error: ItemError }[];
}

/** Statuses that speak of the caller or the moment, and not of the event. */
const passing = new Set([401, 403, 408, 425, 429]);

/** An answer settles everything before the first event that must be sent again. */
export function planSettlement(results: readonly ItemResult[]): Settlement {
  const open = results.findIndex(isOpen);
  const settled = open < 0 ? results.length : open;
  const counted = results.slice(0, settled);
  return {
    settled,
    recorded: counted.filter(({ status }) => status === 'recorded').length,
    duplicates: counted.filter(({ status }) => status === 'duplicate').length,
    rejected: counted.flatMap(({ error }, index) => (error === undefined ? [] : [{ index, error }])),
  };
}

function isOpen({ status, error }: ItemResult): boolean {
  if (status === 'recorded' || status === 'duplicate') return false;
  return status !== 'rejected' || error === undefined || error.status >= 500 || passing.has(error.status);
}
