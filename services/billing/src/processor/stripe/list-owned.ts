import type { OwnedObject } from '../processor.ts';
import { listStripe, type StripeListing } from './list-stripe.ts';
import { referenceKey, type StripeObject } from './stripe-create-once.ts';

/** Lists payout accounts or customers with their references. */
export function createListOwned(listing: StripeListing<StripeObject>) {
  return async function* listOwned(): AsyncGenerator<OwnedObject> {
    for await (const { id, metadata } of listStripe(listing))
      yield { objectId: id, reference: metadata?.[referenceKey] };
  };
}
