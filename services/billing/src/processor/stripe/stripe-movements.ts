import { isAppError } from '@tollgate/kernel/app-error';
import type Stripe from 'stripe';
import type { ExistingMovement, Movement, MovementOrder, Movements } from '../processor.ts';
import { listStripe, toStripeRange } from './list-stripe.ts';
import { pastStoredFailures } from './past-stored-failures.ts';
import { RefusedByStripe, type StripeRefusalFacts } from './refused-by-stripe.ts';
import type { StripeDeps } from './call-stripe.ts';

/** The metadata key of the attempt that created a movement. */
const attemptKey = 'tollgate_attempt';

interface StripeObject {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: Stripe.Metadata | null;
}

export type MovementResult = Pick<Movement, 'status' | 'failureCode' | 'feeCents'> &
  Partial<Pick<ExistingMovement, 'returnedCents'>>;

interface Readings<Resource> {
  /** The customer, charge or account on the other side. */
  partyOf(this: void, object: Resource): string | undefined;
  /** The result so far; `pending` while the movement is neither done nor undone. */
  resultOf(this: void, object: Resource): MovementResult;
}

/** How Stripe handles movements of one kind. */
export interface StripeMovementKind<
  Order extends MovementOrder,
  Resource extends StripeObject,
> extends Readings<Resource> {
  /** The path, such as `/v1/refunds`: POST creates, GET lists and reads. */
  readonly path: string;
  create(order: Order, metadata: Record<string, string>, options: Stripe.RequestOptions): Promise<Resource>;
  /** Lists the movements for the same customer, charge or payout as this order. */
  listBeside(order: Order, page: Stripe.PaginationParams): Promise<Stripe.ApiList<Resource>>;
  /** Says whether a listed movement is for the same invoice, refund or payout. */
  isForSame(order: Order, object: Resource): boolean;
  list(page: Stripe.PaginationParams & { created: Stripe.RangeQueryParam }): Promise<Stripe.ApiList<Resource>>;
  retrieve(objectId: string): Promise<Resource>;
  /** Ends a movement that would otherwise stay open for ever, before it is returned. */
  finish?(object: Resource): Promise<Resource>;
  failureCodeOf(stripeCode: string): string;
}

/** Creates the movements of one kind: one per key, found again by their metadata, in the port's terms. */
export function createStripeMovements<Order extends MovementOrder, Resource extends StripeObject>(
  { callStripe, clock }: Pick<StripeDeps, 'callStripe' | 'clock'>,
  kind: StripeMovementKind<Order, Resource>,
): Movements<Order> {
  const { path } = kind;
  const toMovement = createToMovement(kind);

  return {
    async create(order) {
      try {
        return await finish(await createOnce(order));
      } catch (error) {
        const facts = refusalOf(error);
        if (!facts) throw error;
        const object = facts.objectId === undefined ? await find(order) : await read(facts.objectId);
        return object ? finish(object) : refusedMovement(order, kind.failureCodeOf(facts.code), clock.now());
      }
    },
    async findAll(order) {
      const found: ExistingMovement[] = [];
      for await (const object of beside(order)) if (kind.isForSame(order, object)) found.push(await finish(object));
      return found;
    },
    read: async (objectId) => toMovement(await read(objectId)),
    async *list(window) {
      const created = toStripeRange(window);
      const list = (page: Stripe.PaginationParams) => kind.list({ ...page, created });
      for await (const object of listStripe({ callStripe, endpoint: `GET ${path}`, list })) yield toMovement(object);
    },
  };

  function createOnce(order: Order): Promise<Resource> {
    const metadata = { [attemptKey]: order.attemptId };
    const send = (options: Stripe.RequestOptions) => kind.create(order, metadata, options);
    return pastStoredFailures({
      idempotencyKey: order.idempotencyKey,
      send: (idempotencyKey) => callStripe({ endpoint: `POST ${path}`, idempotencyKey, send }),
      find: () => find(order),
    });
  }

  async function find(order: Order): Promise<Resource | undefined> {
    for await (const object of beside(order)) if (object.metadata?.[attemptKey] === order.attemptId) return object;
    return undefined;
  }

  function beside(order: Order): AsyncIterable<Resource> {
    const list = (page: Stripe.PaginationParams) => kind.listBeside(order, page);
    return emptyIfMissing(listStripe({ callStripe, endpoint: `GET ${path}`, list }));
  }

  function read(objectId: string): Promise<Resource> {
    return callStripe({ endpoint: `GET ${path}/{id}`, send: () => kind.retrieve(objectId) });
  }

  async function finish(object: Resource): Promise<ExistingMovement> {
    return toMovement((await kind.finish?.(object)) ?? object);
  }
}

function createToMovement<Resource extends StripeObject>({ partyOf, resultOf }: Readings<Resource>) {
  return (object: Resource): ExistingMovement => ({
    objectId: object.id,
    attemptId: object.metadata?.[attemptKey],
    partyId: partyOf(object),
    amountCents: BigInt(object.amount),
    currency: object.currency,
    returnedCents: 0n,
    createdAtMs: object.created * 1_000,
    ...resultOf(object),
  });
}

function refusedMovement(
  { attemptId, amountCents }: MovementOrder,
  failureCode: string,
  createdAtMs: number,
): Movement {
  const nothing = { objectId: undefined, feeCents: 0n };
  return { ...nothing, attemptId, amountCents, status: 'failed', failureCode, createdAtMs };
}

/** Lists nothing if Stripe does not know the customer, charge or account of the list. */
async function* emptyIfMissing<Resource>(all: AsyncIterable<Resource>): AsyncIterable<Resource> {
  let isKnown = false;
  try {
    for await (const object of all) {
      isKnown = true;
      yield object;
    }
  } catch (error) {
    if (isKnown || !isAppError(error, 'not_found')) throw error;
  }
}

/** The facts of a refusal. A missing customer, charge or account also refuses the order. */
function refusalOf(error: unknown): StripeRefusalFacts | undefined {
  if (error instanceof RefusedByStripe) return error.facts;
  return isAppError(error, 'not_found') ? { code: 'resource_missing', objectId: undefined } : undefined;
}

/** The id of a reference at Stripe, which is an id or the whole object. Undefined if there is none. */
export function idOfReference(reference: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof reference === 'string' ? reference : reference?.id;
}
