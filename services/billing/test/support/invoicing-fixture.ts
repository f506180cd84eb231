import { randomUUID } from 'node:crypto';
import { measuresOf, type Price } from '@tollgate/contracts/tools/price';
import { dayMs } from '@tollgate/kernel/durations';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { parseUsd } from '@tollgate/kernel/money';
import { periodBounds } from '@tollgate/kernel/period';
import { createDatabase, type Database } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { wireInvoicing } from '../../src/invoicing/wire.ts';
import { putRollup, putWatermark, type TestRollup } from './put-rollup.ts';
import { silentLog as log } from './silent-log.ts';

export interface TestTool {
  readonly slug: string;
  readonly ownerId: string;
  readonly price: Price;
  /** Versions after the first price. */
  readonly later?: readonly { readonly from: string; readonly price: Price }[];
}

export const minimumMicros = parseUsd('0.50');

export type InvoicingFixture = Awaited<ReturnType<typeof createInvoicingFixture>>;

/** The catalogue, the counts and the ledger in a database of one's own, without HTTP. */
export async function createInvoicingFixture(
  given?: TestDatabase,
  limits: { readonly batchUsageRowsMax?: number } = {},
) {
  const database = given ?? (await testDatabase());
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', statementTimeoutMs: 120_000, log });
  const url = database.urlFor('billing_worker');
  const worker = createDatabase({ url, name: 'test-worker', maxConnections: 2, isPipelined: true, log });
  const deps = { api: worker, worker, jobs: worker, minimumMicros, clock: systemClock, log };
  const { closeDuePeriods } = wireInvoicing({ ...deps, batchConsumersMax: 3, ...limits });
  return {
    database,
    owner,
    worker,
    closeDuePeriods,
    /** Answers the ids of the price's versions. */
    putTool: (tool: TestTool) => putTool(owner, tool),
    addUsage: (rollup: TestRollup) => putRollup(owner, rollup),
    /** Lets the watermark pass the period's end by a day, and closes what is due then. */
    async close(period: string) {
      const finalMs = periodBounds(period).end + dayMs;
      await putWatermark(owner, toIso(finalMs));
      await closeDuePeriods(finalMs + 1_000);
    },
    async drop() {
      await worker.stop();
      await owner.stop();
      await database.drop();
    },
  };
}

export async function putTool(owner: Database, { slug, ownerId, price, later = [] }: TestTool): Promise<string[]> {
  await owner.query(
    `insert into billing.tool (tool_id, owner_id, name, created_at) values ($1, $2, $1, '2020-01-01Z')`,
    [slug, ownerId],
  );
  const versions = [{ from: null, price }, ...later];
  const ids = versions.map(() => randomUUID());
  for (const [index, version] of versions.entries())
    await owner.query(
      `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at)
       values ($1, $2, $3, $4, $5, '2020-01-01Z')`,
      [ids[index], slug, version.from, JSON.stringify(version.price), measuresOf(version.price)],
    );
  return ids;
}

export function perCall(unitPriceUsd: string): Price {
  const model = { type: 'per_unit', unit_price_usd: unitPriceUsd } as const;
  return {
    currency: 'usd',
    bill_failed_calls: false,
    charges: [{ name: null, metric: { type: 'calls' }, model, free_quantity: '0' }],
  };
}
