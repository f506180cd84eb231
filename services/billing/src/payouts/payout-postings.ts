import type { LedgerAccountKind, LedgerPosting } from '../ledger/ledger-posting.ts';
import { moveCents } from '../ledger/move-cents.ts';
import type { Payout } from './payout.ts';

/** Once for each time that the payout is scheduled. */
export function scheduledPosting(payout: Payout, atMs: number): LedgerPosting {
  return move(payout, { what: `scheduled:${payout.schedules}`, from: 'builder_payable', to: 'in_transit', atMs });
}

/** The mirror of `scheduled`. */
export function failedPosting(payout: Payout, atMs: number): LedgerPosting {
  return move(payout, { what: `failed:${payout.schedules}`, from: 'in_transit', to: 'builder_payable', atMs });
}

export interface Transfer {
  readonly attemptNumber: number;
  readonly atMs: number;
}

export function transferredPosting(payout: Payout, { attemptNumber, atMs }: Transfer): LedgerPosting {
  return move(payout, { what: `transferred:${attemptNumber}`, from: 'in_transit', to: 'cash', atMs });
}

/** The mirror of `transferred`. */
export function reversedPosting(payout: Payout, { attemptNumber, atMs }: Transfer): LedgerPosting {
  return move(payout, { what: `reversed:${attemptNumber}`, from: 'cash', to: 'in_transit', atMs });
}

/** A transfer of a payout that is paid already: the builder has more than is owed, and it nets against what comes. */
export function overpaidPosting(payout: Payout, { attemptNumber, atMs }: Transfer): LedgerPosting {
  return move(payout, { what: `transferred:${attemptNumber}`, from: 'builder_payable', to: 'cash', atMs });
}

/** The mirror of `overpaid`. */
export function overpaidReversedPosting(payout: Payout, { attemptNumber, atMs }: Transfer): LedgerPosting {
  return move(payout, { what: `reversed:${attemptNumber}`, from: 'cash', to: 'builder_payable', atMs });
}

interface Move {
  readonly what: string;
  readonly from: LedgerAccountKind;
  readonly to: LedgerAccountKind;
  readonly atMs: number;
}

/** What is owed, or promised, stands below zero: so it leaves an account by a debit. */
function move({ id, builderId, netCents }: Payout, { what, from, to, atMs }: Move): LedgerPosting {
  const account = (kind: LedgerAccountKind) => (kind === 'cash' ? { kind } : { kind, ownerId: builderId });
  const moved = { businessKey: `payout:${id}:${what}`, occurredAtMs: atMs, cents: netCents };
  return moveCents({ ...moved, debit: account(from), credit: account(to) });
}
