import type { Transaction } from '@tollgate/database/database';
import type { AttemptKind } from './attempt.ts';
import type { ApplyOutcome } from './settle-attempt.ts';

/** What follows in other modules from what the processor says. They lie below this one, so they hand it in. */
export interface ProcessorHooks {
  readonly applyOutcome: Readonly<Record<AttemptKind, ApplyOutcome>>;
  /** Reads the dispute at the processor and does what follows from it. Safe to repeat. */
  readonly followDispute: (disputeObjectId: string) => Promise<void>;
  /** This account can be charged by another payment method than before. In the transaction that stores it. */
  readonly onNewPaymentMethod: (tx: Transaction, accountId: string) => Promise<void>;
}
