import { uuidV8 } from '@tollgate/kernel/uuid';

/** The kind of an order, and so of its subject: an invoice or a top-up, a refund, or a payout. */
export type AttemptKind = 'charge' | 'refund' | 'transfer';

/**
 * `unknown` from before the call until the processor has given the outcome, which is succeeded or failed. The status
 * only moves forward: a failed attempt may still succeed late, and a success may be reversed.
 */
export type AttemptStatus = 'unknown' | 'succeeded' | 'failed' | 'reversed';

/** One order of a movement to the processor. It is stored before it is given, and only ever given under its own key. */
export interface Attempt {
  readonly id: string;
  readonly kind: AttemptKind;
  readonly subjectId: string;
  /** 1 for the subject's first attempt, 2 for its second, and so on. */
  readonly number: number;
  readonly idempotencyKey: string;
  readonly amountCents: bigint;
  /** The party at the processor: the customer to charge, the charge to refund, or the payout account. */
  readonly partyId: string;
  /** Only for a charge. */
  readonly paymentMethodId: string | null;
  /** A charge of a top-up and of no invoice, or a refund that gives a top-up back. */
  readonly isOfTopUp: boolean;
  readonly status: AttemptStatus;
  readonly objectId: string | null;
  readonly failureCode: string | null;
  readonly startedAtMs: number;
}

export type AttemptOrder = Pick<Attempt, 'kind' | 'subjectId' | 'number' | 'amountCents' | 'partyId'> & {
  readonly paymentMethodId?: string;
  readonly isOfTopUp?: true;
};

/**
 * Creates an attempt. Its key covers the whole order with the amount, so another amount never goes under the same key
 * (F61).
 */
export function startAttempt(order: AttemptOrder, startedAtMs: number): Attempt {
  const { kind, subjectId, number, amountCents, partyId, paymentMethodId = null, isOfTopUp = false } = order;
  return {
    ...order,
    id: attemptIdOf({ kind, subjectId, number }),
    idempotencyKey: ['tollgate', kind, subjectId, number, amountCents, partyId].join(':'),
    paymentMethodId,
    isOfTopUp,
    status: 'unknown',
    objectId: null,
    failureCode: null,
    startedAtMs,
  };
}

/** The id of a subject's n-th attempt, which is the mark of its object at the processor. */
export function attemptIdOf({ kind, subjectId, number }: Pick<Attempt, 'kind' | 'subjectId' | 'number'>): string {
  return uuidV8('attempt', kind, subjectId, String(number));
}

/**
 * The failure code of an order that never reached the processor. It is certain once the processor may have forgotten
 * the key.
 */
export const neverArrivedCode = 'never_made';
