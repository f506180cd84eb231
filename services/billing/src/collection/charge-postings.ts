import type { ChargedMoney } from '../ledger/charge-fee-posting.ts';
import type { LedgerPosting } from '../ledger/ledger-posting.ts';
import { moveCents, type LedgerAccount } from '../ledger/move-cents.ts';

interface PartMoney extends ChargedMoney {
  readonly consumerId: string;
}

/** A charge paid a part of an invoice. Its money waits until the last charge has paid the rest. */
export function partPaidPosting({ consumerId, ...charged }: PartMoney): LedgerPosting {
  return move(charged, {
    key: 'part-paid',
    debit: { kind: 'cash' },
    credit: { kind: 'part_paid', ownerId: consumerId },
  });
}

/** The money of a part whose invoice is paid in another way, or never: it is stray money from then on. */
export function partStrayPosting({ consumerId, ...charged }: PartMoney): LedgerPosting {
  const debit = { kind: 'part_paid', ownerId: consumerId } as const;
  return move(charged, { key: 'stray-charge', debit, credit: { kind: 'rounding' } });
}

/** The money of a stray charge: its invoice needs no payment. It has no owner until the operator refunds it. */
export function strayChargePosting(charged: ChargedMoney): LedgerPosting {
  return move(charged, { key: 'stray-charge', debit: { kind: 'cash' }, credit: { kind: 'rounding' } });
}

/** The money of a stray charge went back to the consumer. */
export function strayChargeReturnedPosting(charged: ChargedMoney): LedgerPosting {
  return move(charged, { key: 'stray-charge-returned', debit: { kind: 'rounding' }, credit: { kind: 'cash' } });
}

interface Move {
  readonly key: string;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
}

function move({ attemptId, ...money }: ChargedMoney, { key, ...accounts }: Move): LedgerPosting {
  return moveCents({ ...money, businessKey: `${key}:${attemptId}`, ...accounts });
}
