import type { Database } from '@tollgate/runtime/postgres/database';
import type { UsageReader } from '../app/ports.ts';
import { readWatermark } from '../sql/read-watermark.ts';
import { sumUsage } from '../sql/sum-usage.ts';

export function createPgUsageReader(database: Database): UsageReader {
  return {
    read: (query, rowsMax) =>
      database.transaction(
        async (tx) => {
          const countedThroughMs = await readWatermark(tx); // first: see there
          return { countedThroughMs, rows: await sumUsage(tx, query, rowsMax) };
        },
        { accountId: query.accountId },
      ),
  };
}
