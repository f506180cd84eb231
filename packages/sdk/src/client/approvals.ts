import type { CallOptions } from './attempt.ts';
import { Listing } from './listing.ts';
import type { Query } from './operation-types.ts';
import type { Call } from './request.ts';

/** Calls that the limits of your passes refused, for you to decide. A person decides: an API key can only list them. */
export function approvalsOf(call: Call) {
  return {
    /** Lists those that wait for your answer. */
    list: (query?: Query<'listApprovals'>, options?: CallOptions) =>
      new Listing(call, { id: 'listApprovals', query, options }, (page) => page.approvals),
    /** Lets the next such call through, once. */
    approve: (id: string, options?: CallOptions) => call('approveCall', { path: { id } }, options),
    refuse: (id: string, options?: CallOptions) => call('refuseCall', { path: { id } }, options),
  };
}
