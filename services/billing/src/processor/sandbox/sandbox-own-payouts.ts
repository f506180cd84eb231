import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { OwnPayout, OwnPayouts } from '../processor.ts';
import { foundRow } from './sandbox-found-row.ts';

export const ownPayoutColumns = 'payout_id, amount_cents, returns_at, created_at';

export interface OwnPayoutRow {
  readonly payout_id: string;
  readonly amount_cents: bigint;
  readonly returns_at: Date | null;
  readonly created_at: Date;
}

/** Sums the cents that own payouts have taken from the balance at a time. They are few, so no trigger keeps the sum. */
export const paidOutText = (atParameter: string) => `
  (select coalesce(sum(amount_cents), 0)::bigint from sandbox.own_payout where returns_at is null or returns_at > ${atParameter})`;

const pageMax = 100;

const readText = `select ${ownPayoutColumns} from sandbox.own_payout where payout_id = $1`;

const listText = `
select ${ownPayoutColumns} from sandbox.own_payout
where created_at >= $1 and created_at < $2 and (created_at, payout_id) > ($3, $4)
order by created_at, payout_id limit ${pageMax}`;

export function createSandboxOwnPayouts({ database, clock }: { database: Database; clock: Clock }): OwnPayouts {
  return {
    async read(id) {
      return toOwnPayout(foundRow(await database.query<OwnPayoutRow>(readText, [id]), id), clock.now());
    },
    async *list({ sinceMs, untilMs }) {
      let last = [toIso(sinceMs), ''];
      for (;;) {
        const rows = await database.query<OwnPayoutRow>(listText, [toIso(sinceMs), toIso(untilMs), ...last]);
        for (const row of rows) yield toOwnPayout(row, clock.now());
        const end = rows.at(-1);
        if (!end || rows.length < pageMax) return;
        last = [end.created_at.toISOString(), end.payout_id];
      }
    },
  };
}

export function toOwnPayout(row: OwnPayoutRow, nowMs: number): OwnPayout {
  const isReturned = row.returns_at !== null && row.returns_at.getTime() <= nowMs;
  return {
    objectId: row.payout_id,
    amountCents: row.amount_cents,
    currency: 'usd',
    takenCents: isReturned ? 0n : row.amount_cents,
    feeCents: 0n,
    createdAtMs: row.created_at.getTime(),
  };
}
