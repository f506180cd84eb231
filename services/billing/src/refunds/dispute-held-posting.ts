import type { LedgerPosting } from '../ledger/ledger-posting.ts';
import { moveCents } from '../ledger/move-cents.ts';
import type { DisputeFee } from './dispute-fee-posting.ts';

/**
 * The processor withdrew money for a dispute: cash to disputed. Below zero: it gave it back, or it took it for good, which
 * is a refund with a posting of its own.
 */
export function disputeHeldPosting({ disputeId, place, cents, occurredAtMs }: DisputeFee): LedgerPosting {
  const [disputed, cash] = [{ kind: 'disputed' }, { kind: 'cash' }] as const;
  const accounts = cents > 0n ? { debit: disputed, credit: cash } : { debit: cash, credit: disputed };
  const businessKey = `dispute-held:${disputeId}:${place}`;
  return moveCents({ businessKey, occurredAtMs, cents: cents > 0n ? cents : -cents, ...accounts });
}
