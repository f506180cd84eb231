import type { Clock } from '@tollgate/kernel/clock';
import type Stripe from 'stripe';
import type { KeyedObject, OwnedObject } from '../processor.ts';
import type { CallStripe } from './call-stripe.ts';
import { listStripe, type StripeListing } from './list-stripe.ts';
import { pastStoredFailures } from './past-stored-failures.ts';

/** The metadata key of the owner's account with us. */
const referenceKey = 'tollgate_account';

export interface StripeObject {
  readonly id: string;
  readonly metadata?: Stripe.Metadata | undefined;
  readonly country?: string;
}

export interface CreateOnceOptions {
  /** The path, such as `/v1/accounts`: POST creates, GET lists. */
  readonly path: string;
  readonly callStripe: CallStripe;
  readonly clock: Clock;
  create(params: CreateParams, options: Stripe.RequestOptions): Promise<StripeObject>;
  list(params: Stripe.PaginationParams & { created: { gte: number } }): Promise<Stripe.ApiList<StripeObject>>;
}

export type CreateParams = { readonly metadata: Record<string, string> } & Pick<
  Stripe.AccountCreateParams,
  'country' | 'tos_acceptance'
>;

/** The fields that an object gets beside its reference. */
export interface CreatedWith {
  readonly params: Omit<CreateParams, 'metadata'>;
  /** Says whether a listed object of the same reference could be the one that is looked for. */
  isSame(object: StripeObject): boolean;
}

/**
 * How far back an object is looked for. A failed key lives for a day or longer, and the object of its successor is at
 * most as old.
 */
const lookBackSeconds = 7 * 86_400;

/** Creates one object per key. */
export function createStripeCreateOnce(options: CreateOnceOptions) {
  const { path, callStripe, clock } = options;

  return function createOnce({ idempotencyKey, reference }: KeyedObject, how?: CreatedWith): Promise<string> {
    const params = { metadata: { [referenceKey]: reference }, ...how?.params };
    return pastStoredFailures({
      idempotencyKey,
      async send(key) {
        const send = (request: Stripe.RequestOptions) => options.create(params, request);
        return (await callStripe({ endpoint: `POST ${path}`, idempotencyKey: key, send })).id;
      },
      find: () => find(reference, how),
    });
  };

  async function find(reference: string, how: CreatedWith | undefined): Promise<string | undefined> {
    const created = { gte: Math.floor(clock.now() / 1_000) - lookBackSeconds };
    const list = (page: Stripe.PaginationParams) => options.list({ ...page, created });
    for await (const object of listStripe({ callStripe, endpoint: `GET ${path}`, list }))
      if (object.metadata?.[referenceKey] === reference && (how?.isSame(object) ?? true)) return object.id;
    return undefined;
  }
}

/** Lists payout accounts or customers with their references. */
export function createListOwned(listing: StripeListing<StripeObject>) {
  return async function* listOwned(): AsyncGenerator<OwnedObject> {
    for await (const { id, metadata } of listStripe(listing))
      yield { objectId: id, reference: metadata?.[referenceKey] };
  };
}
