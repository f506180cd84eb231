import type { Clock } from '@tollgate/kernel/clock';
import type Stripe from 'stripe';
import type { KeyedObject } from '../processor.ts';
import type { CallStripe } from './call-stripe.ts';
import { listStripe } from './list-stripe.ts';
import { pastStoredFailures } from './past-stored-failures.ts';

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

/** One object a key. */
export function createStripeCreateOnce(options: MakeOptions) {
  const { path, callStripe, clock } = options;

  return function createOnce({ idempotencyKey, reference }: KeyedObject): Promise<string> {
    const params = { metadata: { [referenceKey]: reference } };
    return pastStoredFailures({
      idempotencyKey,
      async send(key) {
        const send = (request: Stripe.RequestOptions) => options.create(params, request);
        return (await callStripe({ endpoint: `POST ${path}`, idempotencyKey: key, send })).id;
      },
      find: () => find(reference),
    });
  };

  async function find(reference: string): Promise<string | undefined> {
    const created = { gte: Math.floor(clock.now() / 1_000) - lookBackSeconds };
    const list = (page: Stripe.PaginationParams) => options.list({ ...page, created });
    for await (const { id, metadata } of listStripe({ callStripe, endpoint: `GET ${path}`, list }))
      if (metadata?.[referenceKey] === reference) return id;
    return undefined;
  }
}
