import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Disputes, ProcessorDispute } from '../processor.ts';
import { foundRow } from './sandbox-events.ts';

const pageMax = 100;

export const disputeColumns = 'dispute_id, charge_id, amount_cents, fee_cents, status, created_at';

export interface DisputeRow {
  readonly dispute_id: string;
  readonly charge_id: string;
  readonly amount_cents: bigint;
  readonly fee_cents: bigint;
  readonly status: 'open' | 'won' | 'lost';
  readonly created_at: Date;
}

const readText = `select ${disputeColumns} from sandbox.dispute where dispute_id = $1`;

const listText = `
select ${disputeColumns} from sandbox.dispute
where created_at >= $1 and created_at < $2 and (created_at, dispute_id) > ($3, $4)
order by created_at, dispute_id limit ${pageMax}`;

export function createSandboxDisputes({ database }: { readonly database: Database }): Disputes {
  return {
    async read(id) {
      return toDispute(foundRow(await database.query<DisputeRow>(readText, [id]), id));
    },
    async *list({ sinceMs, untilMs }) {
      let last = [toIso(sinceMs), ''];
      for (;;) {
        const rows = await database.query<DisputeRow>(listText, [toIso(sinceMs), toIso(untilMs), ...last]);
        for (const row of rows) yield toDispute(row);
        const end = rows.at(-1);
        if (!end || rows.length < pageMax) return;
        last = [end.created_at.toISOString(), end.dispute_id];
      }
    },
  };
}

export function toDispute(row: DisputeRow): ProcessorDispute {
  return {
    objectId: row.dispute_id,
    chargeObjectId: row.charge_id,
    amountCents: row.amount_cents,
    status: row.status,
    takenCents: row.status === 'won' ? 0n : row.amount_cents,
    feeCents: row.fee_cents,
    createdAtMs: row.created_at.getTime(),
  };
}
