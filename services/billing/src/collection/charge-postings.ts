import type { ChargedMoney } from '../ledger/charge-fee-posting.ts';
import type { LedgerAccountKind, LedgerPosting } from '../ledger/ledger-posting.ts';
import { moveCents } from '../ledger/move-cents.ts';

/** The money of a stray charge: its invoice needs no payment. It has no owner until the operator refunds it. */
export function strayChargePosting(charged: ChargedMoney): LedgerPosting {
  return move(charged, { key: 'stray-charge', debit: 'cash', credit: 'rounding' });
}

/** The money of a stray charge went back to the consumer. */
export function strayChargeReturnedPosting(charged: ChargedMoney): LedgerPosting {
  return move(charged, { key: 'stray-charge-returned', debit: 'rounding', credit: 'cash' });
}

interface Move {
  readonly key: string;
  readonly debit: LedgerAccountKind;
  readonly credit: LedgerAccountKind;
}

function move({ attemptId, ...money }: ChargedMoney, { key, debit, credit }: Move): LedgerPosting {
  return moveCents({ ...money, businessKey: `${key}:${attemptId}`, debit: { kind: debit }, credit: { kind: credit } });
}
