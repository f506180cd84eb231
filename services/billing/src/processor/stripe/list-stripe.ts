import type Stripe from 'stripe';
import type { CallStripe } from './call-stripe.ts';
import type { TimeWindow } from '../processor.ts';

export interface StripeListing<Listed> {
  readonly callStripe: CallStripe;
  /** Method and path, such as `GET /v1/refunds`. */
  readonly endpoint: string;
  list(page: Stripe.PaginationParams): Promise<Stripe.ApiList<Listed>>;
}

const pageSize = 100;

/** Reads a whole list, page by page. A list shows new objects at once; Stripe's search may lag behind. */
export async function* listStripe<Listed extends { readonly id: string }>(
  listing: StripeListing<Listed>,
): AsyncGenerator<Listed> {
  const { callStripe, endpoint, list } = listing;
  let after: string | undefined;
  do {
    const page = { limit: pageSize, ...(after !== undefined && { starting_after: after }) };
    const { data, has_more: hasMore } = await callStripe({ endpoint, send: () => list(page) });
    yield* data;
    after = hasMore ? data.at(-1)?.id : undefined;
  } while (after !== undefined);
}

/**
 * Stripe's range counts whole seconds. Both bounds are rounded up, so that it covers what Stripe created within the
 * window.
 */
export function toStripeRange({ sinceMs, untilMs }: TimeWindow): { readonly gte: number; readonly lt: number } {
  return { gte: Math.ceil(sinceMs / 1_000), lt: Math.ceil(untilMs / 1_000) };
}
