import type { TimedLine } from '@tollgate/pricing/rate-over-time';
import type { RatedPrice } from '@tollgate/pricing/rated-price';
import type { NotBilled, TracedEvent } from './trace.ts';

/** Says why rating found no charge for a call; null if it found one. */
export function notBilledBecause(
  event: TracedEvent,
  price: RatedPrice,
  charges: readonly TimedLine[],
): NotBilled | null {
  if (charges.length > 0) return null;
  if (event.consumerId === price.builderId) return 'own_call';
  return event.success || price.price.bill_failed_calls ? 'nothing_to_charge' : 'failed_call';
}
