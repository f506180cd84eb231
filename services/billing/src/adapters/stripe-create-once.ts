import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type Stripe from 'stripe';
import type { KeyedObject } from '../app/processor.ts';
import type { CallStripe } from './call-stripe.ts';
import { StoredStripeFailure } from './stored-stripe-failure.ts';

/** Where an object of Stripe's bears whose it is. */
const referenceKey = 'tollgate_account';

interface Made {
  readonly id: string;
  readonly metadata?: Stripe.Metadata | undefined;
}

export interface MakeOptions {
  /** As `/v1/accounts`; made by POST, listed by GET. */
  readonly path: string;
  readonly callStripe: CallStripe;
  readonly clock: Clock;
  create(params: { metadata: Record<string, string> }, options: Stripe.RequestOptions): Promise<Made>;
  list(params: Stripe.PaginationParams & { created: { gte: number } }): Promise<Stripe.ApiList<Made>>;
}

/** A key that failed lives for a day or longer; what was made with the one after it is at most as old. */
const lookBackSeconds = 7 * 86_400;
const keysMax = 3;
const pageSize = 100;

/**
 * One object a key. Where Stripe keeps a failure under the key, the object is looked for; only where there is none another
 * key is used, and always the same one: dying on the way, or two at once, make no second object (F59).
 */
export function createStripeCreateOnce(options: MakeOptions) {
  const { path, callStripe, clock } = options;

  return async function createOnce({ idempotencyKey, reference }: KeyedObject): Promise<string> {
    const params = { metadata: { [referenceKey]: reference } };
    for (let nth = 1; nth <= keysMax; nth += 1) {
      const key = nth === 1 ? idempotencyKey : `${idempotencyKey}:${nth}`;
      const send = (request: Stripe.RequestOptions) => options.create(params, request);
      try {
        return (await callStripe({ endpoint: `POST ${path}`, idempotencyKey: key, send })).id;
      } catch (error) {
        if (!(error instanceof StoredStripeFailure)) throw error;
        const found = await find(reference);
        if (found !== undefined) return found;
      }
    }
    throw new AppError('unavailable', 'unavailable', 'The payment processor failed at this several times.');
  };

  /** By listing, which has what was made a moment ago; Stripe's search may lag behind. */
  async function find(reference: string): Promise<string | undefined> {
    const created = { gte: Math.floor(clock.now() / 1_000) - lookBackSeconds };
    let after: string | undefined;
    do {
      const page = { limit: pageSize, created, ...(after !== undefined && { starting_after: after }) };
      const { data, has_more: hasMore } = await callStripe({ endpoint: `GET ${path}`, send: () => options.list(page) });
      const found = data.find(({ metadata }) => metadata?.[referenceKey] === reference);
      if (found) return found.id;
      after = hasMore ? data.at(-1)?.id : undefined;
    } while (after !== undefined);
    return undefined;
  }
}
