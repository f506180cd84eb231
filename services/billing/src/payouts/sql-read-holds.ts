import { micros, zeroMicros, type Micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';

export interface HoldRow {
  readonly firstEarnedAtMs: number | null;
  readonly disputedMicros: Micros;
  /** The net of payouts that are scheduled or paid. */
  readonly paidOutMicros: Micros;
}

const none: HoldRow = { firstEarnedAtMs: null, disputedMicros: zeroMicros, paidOutMicros: zeroMicros };

// Each part reads an index of the builder.
const text = `
select b.builder_id,
  (select min(released_at) from billing.released_line r where r.builder_id = b.builder_id) as first_earned_at,
  (select coalesce(sum(h.earning_micros), 0)::text from billing.dispute_hold h join billing.dispute d using (dispute_id)
   where h.builder_id = b.builder_id and d.status = 'open') as disputed,
  (select coalesce(sum(p.net_cents), 0)::text from billing.payout p
   where p.builder_id = b.builder_id and p.status in ('scheduled', 'paid')) as paid_out
from unnest($1::uuid[]) as b (builder_id)`;

/** Reads what decides how much of the builders' money stays. The gross of the builders must be locked. */
export async function readHolds(tx: Transaction, builderIds: readonly string[]): Promise<(id: string) => HoldRow> {
  const rows = await tx.query<Row>({ name: 'billing.read_payout_holds', text }, [builderIds]);
  const byBuilder = new Map(rows.map((row) => [row.builder_id, fromRow(row)]));
  return (builderId) => byBuilder.get(builderId) ?? none;
}

interface Row {
  readonly builder_id: string;
  readonly first_earned_at: Date | null;
  readonly disputed: string;
  readonly paid_out: string;
}

function fromRow(row: Row): HoldRow {
  return {
    firstEarnedAtMs: row.first_earned_at?.getTime() ?? null,
    disputedMicros: micros(BigInt(row.disputed)),
    paidOutMicros: micros(BigInt(row.paid_out) * 10_000n),
  };
}
