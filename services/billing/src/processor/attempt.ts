import { uuidV8 } from '@tollgate/kernel/uuid';

/** What is ordered of the processor, and so what `subjectId` names: an invoice, a refund, a payout. */
export type AttemptKind = 'charge' | 'refund' | 'transfer';

/**
 * `unknown` from before the call until the processor has said what came of it. It goes forward only: to succeeded or
 * failed; a failure may turn out a success that was late, a success may be reversed.
 */
export type AttemptStatus = 'unknown' | 'succeeded' | 'failed' | 'reversed';

/** One order to the processor: stored before it is given, and given with its key alone. */
export interface Attempt {
  readonly id: string;
  readonly kind: AttemptKind;
  readonly subjectId: string;
  /** The first, second, … for its subject. */
  readonly number: number;
  readonly idempotencyKey: string;
  readonly amountCents: bigint;
  /** At the processor: the customer that is charged, the charge that is refunded, the payout account. */
  readonly partyId: string;
  /** Of a charge. */
  readonly paymentMethodId: string | null;
  readonly status: AttemptStatus;
  readonly objectId: string | null;
  readonly failureCode: string | null;
  readonly startedAtMs: number;
}

export type AttemptOrder = Pick<Attempt, 'kind' | 'subjectId' | 'number' | 'amountCents' | 'partyId'> & {
  readonly paymentMethodId?: string;
};

/** The key covers what is ordered, the amount included: another amount can never go under the same key (F61). */
export function startAttempt(order: AttemptOrder, startedAtMs: number): Attempt {
  const { kind, subjectId, number, amountCents, partyId, paymentMethodId = null } = order;
  return {
    ...order,
    id: uuidV8('attempt', kind, subjectId, String(number)),
    idempotencyKey: ['tollgate', kind, subjectId, number, amountCents, partyId].join(':'),
    paymentMethodId,
    status: 'unknown',
    objectId: null,
    failureCode: null,
    startedAtMs,
  };
}

/** The failure of an order that never arrived at the processor, as is known now that its key would not be either. */
export const neverMadeCode = 'never_made';
