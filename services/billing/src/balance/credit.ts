import type { Clock } from '@tollgate/kernel/clock';
import type { Micros } from '@tollgate/kernel/money';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Attempts } from '../processor/create-attempts.ts';

/** Money on the balance of a consumer: the operator granted it, or the consumer paid a top-up. */
export interface Credit {
  readonly id: string;
  readonly accountId: string;
  /** The top-up that it is; null for a grant. */
  readonly topUpId: string | null;
  readonly amountCents: bigint;
  /** The part that is not spent yet. */
  readonly leftCents: bigint;
  readonly reason: string;
  /** A grant pays for calls from then on. It says nothing of a top-up, which pays for calls of any time. */
  readonly effectiveFromMs: number;
  /** A grant pays for calls until then, as it was granted; null: for ever. */
  readonly expiresAtMs: number | null;
  /** The same, or later where an invoice gave money back. */
  readonly endsAtMs: number | null;
  readonly createdAtMs: number;
  /** A dispute of its top-up is open, so nothing spends it. */
  readonly isDisputed: boolean;
}

/** The change of one credit by a posting: above zero money came in, below zero money was taken. */
export interface CreditMove {
  readonly creditId: string;
  readonly amountCents: bigint;
}

/** `failed`: the charge was declined, or never reached the processor. Another try is another top-up. */
export type TopUpStatus = 'pending' | 'succeeded' | 'failed';

/** Money that a consumer pays onto its own balance, by one charge of its payment method. */
export interface TopUp {
  readonly id: string;
  readonly accountId: string;
  readonly amountCents: bigint;
  /** `pending` while the outcome of its charge is unknown. */
  readonly status: TopUpStatus;
  /** The processor's code. Null unless it failed. */
  readonly failureCode: string | null;
  /** The account has set that its balance is topped up by itself. */
  readonly isAutomatic: boolean;
  readonly createdAtMs: number;
  readonly succeededAtMs: number | null;
}

/**
 * Why money of a top-up went back to its card: taken by a lost dispute, refunded at the processor by hand, or ordered by its
 * account.
 * `reinstated`: it came back to us, so the amount is below zero.
 */
export type TopUpRefundCause = 'dispute' | 'processor' | 'reinstated' | 'ordered';

/** Money of a top-up that went back to its card. */
export interface TopUpRefund {
  readonly id: string;
  readonly topUpId: string;
  readonly accountId: string;
  readonly amountCents: bigint;
  /** The part that the balance gave. It had spent the rest, which nobody gives. */
  readonly balanceCents: bigint;
  readonly cause: TopUpRefundCause;
  readonly createdAtMs: number;
}

/** The settings of an account's automatic top-up. */
export interface AutoTopUpSettings {
  /** It is topped up when its balance, less what its calls have come to since the last invoice, is below this. */
  readonly belowCents: bigint;
  readonly amountCents: bigint;
  /** The most per calendar month, in UTC. */
  readonly monthlyMaxCents: bigint;
}

export interface AutoTopUp extends AutoTopUpSettings {
  readonly accountId: string;
  /** Failures in a row. */
  readonly failures: number;
  readonly failureCode: string | null;
  /** Null unless it waits after a failure. */
  readonly retryAtMs: number | null;
  /** The sum of this month's automatic top-ups, in cents. */
  readonly orderedCents: bigint;
}

/** The edges of balances: one value, of which each verb takes its part. */
export interface BalanceDeps {
  /** Reads and sets what one account may see. */
  readonly api: Database;
  readonly database: Database;
  readonly attempts: Pick<Attempts, 'begin' | 'carryOut' | 'isProcessorAway'>;
  /** The processor whose customers are charged. */
  readonly processorName: string;
  /** Makes everything that the account owes due at once, so that a credit for earlier calls pays it. */
  readonly collectAtOnce: (tx: Transaction, accountId: string) => Promise<void>;
  /** Reads the sum of the account's calls since its last invoice. */
  readonly readUnbilled: (accountId: string, nowMs: number) => Promise<Micros>;
  /** Reads the sum of the account's calls that no invoice has billed yet. */
  readonly readUnbilledCharges: (accountId: string, nowMs: number) => Promise<Micros>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly batchMax?: number;
}
