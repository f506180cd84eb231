import { Listing } from './listing.ts';
import type { CallOptions } from './attempt.ts';
import type { Query } from './operation-types.ts';
import type { Call } from './request.ts';

/** The clients of OAuth that you let spend. */
export function consentsOf(call: Call) {
  return {
    /** The live ones, newest first. */
    list: (query?: Query<'listConsents'>, options?: CallOptions) =>
      new Listing(call, { id: 'listConsents', query, options }, (page) => page.consents),
    /** Ends a consent with its pass and its tokens, everywhere within a second. */
    revoke: (id: string, options?: CallOptions) => call('revokeConsent', { path: { id } }, options),
  };
}
