import type { LedgerAccountKind, LedgerPosting } from '../ledger/ledger-posting.ts';
import { moveCents } from '../ledger/move-cents.ts';
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
  readonly atMs: number;
}

/** A transfer succeeded. */
export function transferredPosting(payout: Payout, { attemptNumber, atMs }: Transfer): LedgerPosting {
  return move(payout, { event: `transferred:${attemptNumber}`, from: 'in_transit', to: 'cash', atMs });
}

/** The mirror of `transferredPosting`: a transfer was reversed. */
export function reversedPosting(payout: Payout, { attemptNumber, atMs }: Transfer): LedgerPosting {
  return move(payout, { event: `reversed:${attemptNumber}`, from: 'cash', to: 'in_transit', atMs });
}

/**
 * A transfer of a payout that is already paid. The builder has more than it is owed, which its later earnings offset.
 */
export function overpaidPosting(payout: Payout, { attemptNumber, atMs }: Transfer): LedgerPosting {
  return move(payout, { event: `transferred:${attemptNumber}`, from: 'builder_payable', to: 'cash', atMs });
}

/** The mirror of `overpaidPosting`: such a transfer was reversed. */
export function overpaidReversedPosting(payout: Payout, { attemptNumber, atMs }: Transfer): LedgerPosting {
  return move(payout, { event: `reversed:${attemptNumber}`, from: 'cash', to: 'builder_payable', atMs });
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
  readonly from: LedgerAccountKind;
  readonly to: LedgerAccountKind;
  readonly atMs: number;
}

/** Amounts owed are credits, below zero. So money leaves an account by a debit. */
function move({ id, builderId, netCents }: Payout, { event, from, to, atMs }: Move): LedgerPosting {
  const account = (kind: LedgerAccountKind) => (kind === 'cash' ? { kind } : { kind, ownerId: builderId });
  const moved = { businessKey: `payout:${id}:${event}`, occurredAtMs: atMs, cents: netCents };
  return moveCents({ ...moved, debit: account(from), credit: account(to) });
}
