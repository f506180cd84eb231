import type { Clock } from '@tollgate/kernel/clock';
import type { Micros } from '@tollgate/kernel/money';
import type { Database } from '@tollgate/database/database';
import type { Attempts } from '../processor/create-attempts.ts';
import type { Processor } from '../processor/processor.ts';

export type RefundStatus = 'pending' | 'succeeded' | 'failed';

/**
 * Why money went back to a consumer: ordered by the operator, taken by a lost dispute, or refunded at the processor by
 * hand. `reinstated`: a lost dispute was won after all, so its money came back, and the amount is below zero.
 */
export type RefundCause = 'operator' | 'dispute' | 'processor' | 'reinstated';

/**
 * The lines that give a refund back. A line must fit all that is given: its builder, and one of the names. A name without
 * a price version or a charge is of all of them.
 */
export interface RefundPart {
  readonly builderId: string | null;
  readonly lines: readonly RefundedName[] | null;
}

interface RefundedName {
  readonly toolId: string;
  readonly priceId: string | null;
  readonly chargeIndex: number | null;
}

/** Money that goes back to a consumer. */
export interface Refund {
  readonly id: string;
  readonly invoiceId: string;
  readonly amountCents: bigint;
  /** The part of the amount that goes back to the consumer's balance. The rest goes back to the card. */
  readonly balanceCents: bigint;
  readonly cause: RefundCause;
  readonly status: RefundStatus;
  readonly failureCode: string | null;
  readonly createdAtMs: number;
  readonly succeededAtMs: number | null;
  /** Null: all lines of the invoice give it back. */
  readonly part: RefundPart | null;
  /** The order whose stray money it gives back. Then no line gives anything. */
  readonly strayAttemptId: string | null;
  /** The charge at the processor that it goes back to. Null: to none, or it is from before an invoice could have several. */
  readonly chargeObjectId: string | null;
  /** The first refund of its order, if the order needed several. */
  readonly orderId: string | null;
}

export interface DbPart {
  readonly builder_id: string | null;
  readonly lines: readonly DbName[] | null;
}

interface DbName {
  readonly tool_id: string;
  readonly price_id: string | null;
  readonly charge: number | null;
}

export function toDbPart({ builderId, lines }: RefundPart): DbPart {
  return { builder_id: builderId, lines: lines && lines.map(toDbName) };
}

export function toDbName({ toolId, priceId, chargeIndex }: RefundedName): DbName {
  return { tool_id: toolId, price_id: priceId, charge: chargeIndex };
}

export function fromDbPart({ builder_id: builderId, lines }: DbPart): RefundPart {
  return { builderId, lines: lines && lines.map(fromDbName) };
}

function fromDbName({ tool_id: toolId, price_id: priceId, charge: chargeIndex }: DbName): RefundedName {
  return { toolId, priceId, chargeIndex };
}

/** `failed`: its money is on the balance again. A failed order may still succeed late. */
export type BalanceRefundStatus = 'pending' | 'succeeded' | 'failed';

/** The part of a refund of a balance that goes back to the card of one top-up. */
export interface BalanceRefundPart {
  readonly id: string;
  readonly topUpId: string;
  readonly accountId: string;
  readonly amountCents: bigint;
  /** `pending` while the outcome at the processor is unknown. */
  readonly status: BalanceRefundStatus;
  /** The processor's code. Null unless it failed. */
  readonly failureCode: string | null;
  readonly createdAtMs: number;
}

/** Unused balance that its account wants back. */
export interface BalanceRefund {
  readonly id: string;
  readonly accountId: string;
  /** The sum of its parts. */
  readonly amountCents: bigint;
  /** Each top-up whose card gets money back, the newest first. */
  readonly parts: readonly BalanceRefundPart[];
  readonly createdAtMs: number;
}

/** The document of a refund. It never changes, and neither does its invoice. */
export interface CreditNote {
  /** That of its refund. */
  readonly id: string;
  readonly number: bigint;
  readonly invoiceId: string;
  readonly invoiceNumber: bigint;
  readonly consumerId: string;
  /** The period of the invoice. */
  readonly period: string;
  /** Below zero if money of a lost dispute came back. */
  readonly amountCents: bigint;
  readonly cause: RefundCause;
  readonly issuedAtMs: number;
}

/** The amounts that a note credits of one tool. The tool is null for all that have no row of their own. */
export interface CreditedTool {
  readonly toolId: string | null;
  readonly chargeMicros: Micros;
}

/** Money in the account `rounding` that a consumer paid or got back, and that belongs to no invoice. */
export interface StrayMoney {
  readonly attemptId: string;
  readonly kind: 'charge' | 'returned_refund';
  readonly invoiceId: string;
  readonly consumerId: string;
  /** The charge at the processor to which it can go back. */
  readonly chargeObjectId: string;
  readonly processor: string;
  readonly amountCents: bigint;
  /** Less what was given back, or is on its way. */
  readonly leftCents: bigint;
  readonly sinceMs: number;
}

/** The edges of this noun: one value, of which each verb takes its part. */
export interface RefundsDeps {
  /** Reads what one account may see. */
  readonly api: Database;
  /** Orders refunds, and reads every line. */
  readonly database: Database;
  readonly processor: Pick<Processor, 'name' | 'disputes'>;
  readonly attempts: Pick<Attempts, 'begin' | 'carryOutAll'>;
  /** Reads the sum of the account's calls since its last invoice. */
  readonly readUnbilled: (accountId: string, nowMs: number) => Promise<Micros>;
  readonly clock: Clock;
}
