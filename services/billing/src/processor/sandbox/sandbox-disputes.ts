import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Disputes } from '../processor.ts';
import { disputeColumns, toDispute, type DisputeRow } from './sandbox-dispute-row.ts';
import { foundRow } from './sandbox-found-row.ts';

const pageMax = 100;

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
