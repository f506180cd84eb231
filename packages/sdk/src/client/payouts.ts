import { Listing } from './listing.ts';
import type { Query } from './operation-types.ts';
import type { CallOptions } from './attempt.ts';
import type { Call } from './request.ts';

export function payoutsOf(call: Call) {
  return {
    list: (query?: Query<'listPayouts'>, options?: CallOptions) =>
      new Listing(call, { id: 'listPayouts', query, options }, (page) => page.payouts),
    /** A payout with its lines and transfer attempts. */
    get: (id: string, options?: CallOptions) => call('getPayout', { path: { id } }, options),
  };
}
