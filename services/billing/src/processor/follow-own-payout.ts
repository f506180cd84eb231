import type { Clock } from '@tollgate/kernel/clock';
import { uuidV8 } from '@tollgate/kernel/uuid';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { postLedger } from '../ledger/sql-ledger.ts';
import type { OwnPayout, Processor } from './processor.ts';
import { addOwnPayout, lockOwnPayout, setOwnPayoutPosted } from './sql-own-payouts.ts';
import { type LedgerPosting, movingEntries } from '../ledger/ledger-posting.ts';

export interface FollowOwnPayoutDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly processor: Pick<Processor, 'name' | 'ownPayouts'>;
}

/**
 * Reads a payout of the platform's own balance and posts what it changed since it was posted last: at first its money and its
 * fee, and its return if the bank sends the money back (F230). The books are in US dollars, so a payout of another currency is
 * not booked; cash is not compared then. Notices come in any order, so a change of what is posted is read again under the lock.
 */
export function createFollowOwnPayout({ database, clock, log, processor }: FollowOwnPayoutDeps) {
  return async function followOwnPayout(objectId: string): Promise<void> {
    const payout = await processor.ownPayouts.read(objectId);
    if (payout.currency === 'usd') await database.transaction((tx) => book(tx, payout));
    else
      log.warn({ payout: objectId, currency: payout.currency }, 'a payout of the platform is not booked: its currency');
  };

  async function book(tx: Transaction, read: OwnPayout): Promise<void> {
    const id = uuidV8('own-payout', processor.name, read.objectId);
    await addOwnPayout(tx, { id, processor: processor.name }, read);
    const posted = await lockOwnPayout(tx, id);
    const changesPosted = posted.postings > 0 && differs(posted, read);
    const payout = changesPosted ? await processor.ownPayouts.read(read.objectId) : read;
    if (!differs(posted, payout)) return;
    const { takenCents, feeCents } = payout;
    const place = posted.postings + 1;
    const moved = { cents: takenCents - posted.takenCents, feeCents: feeCents - posted.feeCents };
    await setOwnPayoutPosted(tx, id, { takenCents, feeCents, postings: place });
    await postLedger(tx, [ownPayoutPosting({ ownPayoutId: id, place, ...moved, occurredAtMs: clock.now() })]);
  }
}

type Money = Pick<OwnPayout, 'takenCents' | 'feeCents'>;

function differs(one: Money, other: Money): boolean {
  return one.takenCents !== other.takenCents || one.feeCents !== other.feeCents;
}

export interface OwnPayoutMoved {
  readonly ownPayoutId: string;
  /** 1 for the payout's first posting, 2 for its second, and so on. */
  readonly place: number;
  /** The amount that reached the bank by it; below zero if it came back. */
  readonly cents: bigint;
  readonly feeCents: bigint;
  readonly occurredAtMs: number;
}

/** A payout of the platform's own balance, or its return, with the processor's fee: bank and processor_fees → cash. */
function ownPayoutPosting({ ownPayoutId, place, cents, feeCents, occurredAtMs }: OwnPayoutMoved): LedgerPosting {
  const entries = [
    { kind: 'bank', ownerId: null, amountMicros: centsToMicros(cents) },
    { kind: 'processor_fees', ownerId: null, amountMicros: centsToMicros(feeCents) },
    { kind: 'cash', ownerId: null, amountMicros: centsToMicros(-cents - feeCents) },
  ] as const;
  return { businessKey: `own-payout:${ownPayoutId}:${place}`, occurredAtMs, entries: movingEntries(entries) };
}
