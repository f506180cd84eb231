import { isAppError } from '@tollgate/kernel/app-error';
import type Stripe from 'stripe';
import type { MadeMovement, Movement, MovementOrder, Movements } from '../processor.ts';
import { listStripe } from './list-stripe.ts';
import { pastStoredFailures } from './past-stored-failures.ts';
import { RefusedByStripe, type StripeRefusalFacts } from './refused-by-stripe.ts';
import type { StripeDeps } from './stripe-deps.ts';
import { toStripeRange } from './to-stripe-range.ts';

/** Where a movement at Stripe bears which order of ours made it. */
const attemptKey = 'tollgate_attempt';

interface Moved {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly metadata: Stripe.Metadata | null;
}

/** What Stripe knows movements of one kind by. */
export interface StripeMovementKind<Order extends MovementOrder, Made extends Moved> {
  /** As `/v1/refunds`; made by POST, listed and read by GET. */
  readonly path: string;
  make(order: Order, metadata: Record<string, string>, options: Stripe.RequestOptions): Promise<Made>;
  /** All that were made for the same customer, charge or payout as this one. */
  listBeside(order: Order, page: Stripe.PaginationParams): Promise<Stripe.ApiList<Made>>;
  /** Whether one of those is for the same invoice, refund or payout. */
  isForSame(order: Order, made: Made): boolean;
  list(page: Stripe.PaginationParams & { created: Stripe.RangeQueryParam }): Promise<Stripe.ApiList<Made>>;
  retrieve(objectId: string): Promise<Made>;
  /** What would otherwise stay open for ever is brought to its end before it is told of. */
  finish?(made: Made): Promise<Made>;
  /** What is neither done nor undone is `pending`. */
  resultOf(made: Made): Pick<Movement, 'status' | 'failureCode' | 'feeCents'>;
  failureCodeOf(stripeCode: string): string;
}

/** Movements of one kind: made once a key, found again by what they bear, told in the port's words. */
export function createStripeMovements<Order extends MovementOrder, Made extends Moved>(
  { callStripe, clock }: Pick<StripeDeps, 'callStripe' | 'clock'>,
  kind: StripeMovementKind<Order, Made>,
): Movements<Order> {
  const { path } = kind;

  return {
    async create(order) {
      try {
        return await told(await makeOnce(order));
      } catch (error) {
        const facts = refusalOf(error);
        if (!facts) throw error;
        const made = facts.objectId === undefined ? await find(order) : await read(facts.objectId);
        return made ? told(made) : refusedMovement(order, kind.failureCodeOf(facts.code), clock.now());
      }
    },
    async findAll(order) {
      const found: MadeMovement[] = [];
      for await (const made of beside(order)) if (kind.isForSame(order, made)) found.push(await told(made));
      return found;
    },
    read: async (objectId) => toMovement(await read(objectId)),
    async *list(window) {
      const created = toStripeRange(window);
      const list = (page: Stripe.PaginationParams) => kind.list({ ...page, created });
      for await (const made of listStripe({ callStripe, endpoint: `GET ${path}`, list })) yield toMovement(made);
    },
  };

  function makeOnce(order: Order): Promise<Made> {
    const metadata = { [attemptKey]: order.attemptId };
    const send = (options: Stripe.RequestOptions) => kind.make(order, metadata, options);
    return pastStoredFailures({
      idempotencyKey: order.idempotencyKey,
      send: (idempotencyKey) => callStripe({ endpoint: `POST ${path}`, idempotencyKey, send }),
      find: () => find(order),
    });
  }

  async function find(order: Order): Promise<Made | undefined> {
    for await (const made of beside(order)) if (made.metadata?.[attemptKey] === order.attemptId) return made;
    return undefined;
  }

  function beside(order: Order): AsyncIterable<Made> {
    const list = (page: Stripe.PaginationParams) => kind.listBeside(order, page);
    return noneOfUnknown(listStripe({ callStripe, endpoint: `GET ${path}`, list }));
  }

  function read(objectId: string): Promise<Made> {
    return callStripe({ endpoint: `GET ${path}/{id}`, send: () => kind.retrieve(objectId) });
  }

  async function told(made: Made): Promise<MadeMovement> {
    return toMovement((await kind.finish?.(made)) ?? made);
  }

  function toMovement(made: Made) {
    return {
      objectId: made.id,
      attemptId: made.metadata?.[attemptKey],
      amountCents: BigInt(made.amount),
      createdAtMs: made.created * 1_000,
      ...kind.resultOf(made),
    };
  }
}

function refusedMovement(
  { attemptId, amountCents }: MovementOrder,
  failureCode: string,
  createdAtMs: number,
): Movement {
  const nothing = { objectId: undefined, feeCents: 0n };
  return { ...nothing, attemptId, amountCents, status: 'failed', failureCode, createdAtMs };
}

/** For whom Stripe does not know, it has made nothing. */
async function* noneOfUnknown<Made>(all: AsyncIterable<Made>): AsyncIterable<Made> {
  let isKnown = false;
  try {
    for await (const made of all) {
      isKnown = true;
      yield made;
    }
  } catch (error) {
    if (isKnown || !isAppError(error, 'not_found')) throw error;
  }
}

/** That somebody is not there is a refusal too: of whoever should pay or be paid. */
function refusalOf(error: unknown): StripeRefusalFacts | undefined {
  if (error instanceof RefusedByStripe) return error.facts;
  return isAppError(error, 'not_found') ? { code: 'resource_missing', objectId: undefined } : undefined;
}
