import type { Micros } from '@tollgate/kernel/money';
import type { RefundCause } from './refund.ts';

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
