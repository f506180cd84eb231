import { toIso, type Clock } from '@tollgate/kernel/clock';
import { type Database, onlyRow } from '@tollgate/database/database';
import type { OwnPayout, OwnPayouts, ProcessorBalance } from '../processor.ts';
import { foundRow } from './sandbox-events.ts';

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

const text = `
select (
  select coalesce(sum(case kind when 'charge' then amount_cents else -amount_cents end), 0)
  from sandbox.movement where status = 'succeeded' and (reverses_at is null or reverses_at > $1)
) - (select coalesce(sum(fee_cents), 0) from sandbox.movement) - (select coalesce(sum(fee_cents + case status when 'won' then 0 else amount_cents end), 0) from sandbox.dispute)
  - ${paidOutText('$1')} as cents`;

interface SandboxBalanceDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** The platform's own money, which it has deposited. */
  readonly fundsCents: bigint;
}

/** Sums up all that ever moved, and the deposit. Refunds and disputes may take more than there is, as at Stripe. */
export function createReadSandboxBalance({ database, clock, fundsCents }: SandboxBalanceDeps) {
  return async function readSandboxBalance(): Promise<ProcessorBalance> {
    const { cents } = onlyRow(await database.query<{ cents: string }>(text, [toIso(clock.now())]));
    return { heldCents: fundsCents + BigInt(cents), ownCents: fundsCents, otherCurrencies: [] };
  };
}
