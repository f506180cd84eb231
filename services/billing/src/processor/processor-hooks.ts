import type { Transaction } from '@tollgate/database/database';
import type { AttemptKind } from './attempt.ts';
import type { ExistingMovement } from './processor.ts';
import type { ApplyOutcome, ApplyReturn } from './settle-attempt.ts';

/**
 * The functions of later modules that run when the processor reports a change. This module cannot import them, so they
 * pass them in.
 */
export interface ProcessorHooks {
  readonly applyOutcome: Readonly<Record<AttemptKind, ApplyOutcome>>;
  readonly applyReturn: ApplyReturn;
  /** Books a refund of one of our charges that nobody ordered here. Safe to repeat. */
  readonly followForeignRefund: (refund: ExistingMovement) => Promise<void>;
  /** Reads the dispute at the processor and applies its state. Safe to repeat. */
  readonly followDispute: (disputeObjectId: string) => Promise<void>;
  /** Called when this account has a new payment method, in the transaction that stores it. */
  readonly onNewPaymentMethod: (tx: Transaction, accountId: string) => Promise<void>;
}
