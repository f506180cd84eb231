import type { LedgerAccountKind, LedgerPosting } from '../ledger/ledger-posting.ts';
import { moveCents } from '../ledger/move-cents.ts';

export interface ChargedMoney {
  readonly attemptId: string;
  readonly cents: bigint;
  readonly occurredAtMs: number;
}

/** What the processor keeps for itself of a charge. */
export function chargeFeePosting(charged: ChargedMoney): LedgerPosting {
  return move(charged, { key: 'charge-fee', debit: 'processor_fees', credit: 'cash' });
}

/** Money that came in for an invoice that nobody owes any more: it is nobody's until the operator has given it back. */
export function strayChargePosting(charged: ChargedMoney): LedgerPosting {
  return move(charged, { key: 'stray-charge', debit: 'cash', credit: 'rounding' });
}

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
