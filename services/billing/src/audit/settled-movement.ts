import type { AttemptKind, AttemptStatus } from '../processor/attempt.ts';

/** Money that we ordered at the processor or booked from there, with what the ledger moved for it. */
export interface SettledMovement {
  /** Null for a refund that nobody ordered here. */
  readonly attemptId: string | null;
  readonly kind: AttemptKind;
  /** The invoice, refund or payout. */
  readonly subjectId: string;
  /** The consumer of a charge, or the builder of a transfer. Null for a refund, which goes back to its charge. */
  readonly ownerId: string | null;
  /** Any of these is right at the processor: the customer, the charge, or the payout account. */
  readonly parties: readonly string[];
  readonly amountCents: bigint;
  readonly feeCents: bigint;
  /** The part of a transfer that came back. */
  readonly returnedCents: bigint;
  readonly status: AttemptStatus;
  readonly objectId: string | null;
  readonly startedAtMs: number;
  /** Null while the outcome is unknown. */
  readonly settledAtMs: number | null;
  /** The change of the ledger's cash account by this movement and its fee; 0 if nothing was posted. */
  readonly cashMicros: bigint;
}

/** The movement in words. */
export function nameOrder({ kind, attemptId, objectId }: SettledMovement): string {
  return `${kind} ${attemptId ?? objectId}`;
}
