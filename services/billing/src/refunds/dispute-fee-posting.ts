import type { LedgerPosting } from '../ledger/ledger-posting.ts';
import { moveCents } from '../ledger/move-cents.ts';

export interface DisputeFee {
  readonly disputeId: string;
  /** 1 for the dispute's first posting, 2 for its second, and so on. */
  readonly place: number;
  /** Below zero if the processor gave the fee back. Never zero. */
  readonly cents: bigint;
  readonly occurredAtMs: number;
}

/** The processor's fee on a dispute, or a change of it. */
export function disputeFeePosting({ disputeId, place, cents, occurredAtMs }: DisputeFee): LedgerPosting {
  const [fees, cash] = [{ kind: 'processor_fees' }, { kind: 'cash' }] as const;
  const accounts = cents > 0n ? { debit: fees, credit: cash } : { debit: cash, credit: fees };
  const businessKey = `dispute-fee:${disputeId}:${place}`;
  return moveCents({ businessKey, occurredAtMs, cents: cents > 0n ? cents : -cents, ...accounts });
}
