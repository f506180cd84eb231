import { micros } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { type LedgerPosting, moveCents } from '../ledger/ledger-posting.ts';
import type { Payout } from './payout.ts';

/** The payout is scheduled: one posting for each time. */
export function scheduledPosting(payout: Payout, atMs: number): LedgerPosting {
  return move(payout, { event: `scheduled:${payout.schedules}`, from: 'builder_payable', to: 'in_transit', atMs });
}

/** The mirror of `scheduledPosting`: the money is payable again. */
export function failedPosting(payout: Payout, atMs: number): LedgerPosting {
  return move(payout, { event: `failed:${payout.schedules}`, from: 'in_transit', to: 'builder_payable', atMs });
}

export interface Transfer {
  readonly attemptNumber: number;
  /** The amount that was transferred. It is more than the net if the payout was lowered after this order. */
  readonly cents: bigint;
  readonly atMs: number;
}

/** A transfer succeeded. What it moved beyond the net is the builder's debt, which its later earnings offset. */
export function transferredPosting(payout: Payout, transfer: Transfer): LedgerPosting {
  return transferPosting(payout, { ...transfer, event: 'transferred', fromTransitCents: payout.netCents });
}

/** The mirror of `transferredPosting`: a transfer was reversed. */
export function reversedPosting(payout: Payout, transfer: Transfer): LedgerPosting {
  return mirrorOf(transferPosting(payout, { ...transfer, event: 'reversed', fromTransitCents: payout.netCents }));
}

/** A transfer of a payout that is already paid. All of it is the builder's debt. */
export function overpaidPosting(payout: Payout, transfer: Transfer): LedgerPosting {
  return transferPosting(payout, { ...transfer, event: 'transferred', fromTransitCents: 0n });
}

/** The mirror of `overpaidPosting`: such a transfer was reversed. */
export function overpaidReversedPosting(payout: Payout, transfer: Transfer): LedgerPosting {
  return mirrorOf(transferPosting(payout, { ...transfer, event: 'reversed', fromTransitCents: 0n }));
}

interface TransferOut extends Transfer {
  readonly event: 'transferred' | 'reversed';
  readonly fromTransitCents: bigint;
}

/** Amounts owed are credits, below zero. So money leaves an account by a debit. */
function transferPosting({ id, builderId: ownerId }: Payout, transfer: TransferOut): LedgerPosting {
  const { event, attemptNumber, cents, fromTransitCents, atMs: occurredAtMs } = transfer;
  const entries = [
    { kind: 'in_transit', ownerId, amountMicros: centsToMicros(fromTransitCents) },
    { kind: 'builder_payable', ownerId, amountMicros: centsToMicros(cents - fromTransitCents) },
    { kind: 'cash', ownerId: null, amountMicros: centsToMicros(-cents) },
  ] as const;
  const moved = entries.filter(({ amountMicros }) => amountMicros !== 0n);
  return { businessKey: `payout:${id}:${event}:${attemptNumber}`, occurredAtMs, entries: moved };
}

function mirrorOf(posting: LedgerPosting): LedgerPosting {
  const entries = posting.entries.map((entry) => ({ ...entry, amountMicros: micros(0n - entry.amountMicros) }));
  return { ...posting, entries };
}

export interface ReturnedPart {
  readonly attemptNumber: number;
  /** 1 for the first part of the transfer, 2 for the second, and so on. */
  readonly place: number;
  /** Below zero if parts are undone, since the whole transfer came back. Never zero. */
  readonly cents: bigint;
  readonly atMs: number;
}

/** A part of a transfer came back. It is owed to the builder again. */
export function returnedPosting({ id, builderId }: Payout, { attemptNumber, place, cents, atMs }: ReturnedPart) {
  const [cash, payable] = [{ kind: 'cash' }, { kind: 'builder_payable', ownerId: builderId }] as const;
  const accounts = cents > 0n ? { debit: cash, credit: payable } : { debit: payable, credit: cash };
  const businessKey = `payout:${id}:returned:${attemptNumber}:${place}`;
  return moveCents({ businessKey, occurredAtMs: atMs, cents: cents > 0n ? cents : -cents, ...accounts });
}

interface Move {
  readonly event: string;
  readonly from: 'builder_payable' | 'in_transit';
  readonly to: 'builder_payable' | 'in_transit';
  readonly atMs: number;
}

function move({ id, builderId: ownerId, netCents }: Payout, { event, from, to, atMs }: Move): LedgerPosting {
  const moved = { businessKey: `payout:${id}:${event}`, occurredAtMs: atMs, cents: netCents };
  return moveCents({ ...moved, debit: { kind: from, ownerId }, credit: { kind: to, ownerId } });
}
