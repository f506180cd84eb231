import { randomUUID } from 'node:crypto';
import { measuresOf, type Price } from '@tollgate/contracts/price';
import { dayMs } from '@tollgate/kernel/durations';
import { toIso } from '@tollgate/kernel/clock';
import { parseUsd } from '@tollgate/kernel/money';
import { periodBounds } from '@tollgate/kernel/period';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase, type Database } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createCloseDuePeriods, type CloseDuePeriods } from '../../src/invoicing/close-due-periods.ts';
import type { TestRollup } from './put-rollup.ts';
import { putLateUsage, putWatermark } from './put-rollup.ts';

export interface InvoicingFixture {
  readonly database: TestDatabase;
  readonly owner: Database;
  readonly worker: Database;
  readonly closeDuePeriods: CloseDuePeriods;
  /** A tool with its first price; versions after it begin at `from`. Answers the ids of the versions. */
  putTool(tool: TestTool): Promise<string[]>;
  /** Adds to what is counted, as the aggregator does. */
  addUsage(rollup: TestRollup): Promise<void>;
  /** Lets the watermark pass the period's end by a day, and closes what is due then. */
  close(period: string): Promise<void>;
  drop(): Promise<void>;
}

export interface TestTool {
  readonly slug: string;
  readonly ownerId: string;
  readonly price: Price;
  readonly later?: readonly { readonly from: string; readonly price: Price }[];
}

export const minimumMicros = parseUsd('0.50');
const addCalls = `insert into usage.rollup as kept values ($1, $2, $3, $4, $5, $6)
  on conflict (consumer_id, tool_id, hour, success)
  do update set calls = kept.calls + excluded.calls, duration_ms = kept.duration_ms + excluded.duration_ms`;
const addMeasure = `insert into usage.rollup_measure as kept values ($1, $2, $3, $4, $5, $6)
  on conflict (consumer_id, tool_id, hour, success, key) do update set total = trim_scale(kept.total + excluded.total)`;

/** The catalogue, the counts and the ledger in a database of one's own, without HTTP. */
export async function createInvoicingFixture(given?: TestDatabase): Promise<InvoicingFixture> {
  const database = given ?? (await testDatabase());
  const log = createLogger({ name: 'invoicing-test', level: 'silent' });
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', log });
  const worker = createDatabase({
    url: database.urlFor('billing_worker'),
    name: 'test-worker',
    maxConnections: 2,
    log,
  });
  const closeDuePeriods = createCloseDuePeriods({ database: worker, minimumMicros, log, batchConsumersMax: 3 });
  return {
    database,
    owner,
    worker,
    closeDuePeriods,
    putTool: (tool) => putTool(owner, tool),
    async addUsage({ consumerId, tool, hour, success = true, calls = 1, durationMs = 0n, measures = {} }) {
      const key = [consumerId, tool, hour, success];
      await owner.query(addCalls, [...key, calls, String(durationMs)]);
      for (const [name, total] of Object.entries(measures)) await owner.query(addMeasure, [...key, name, total]);
      await putLateUsage(owner, { consumerId, tool, hour });
    },
    async close(period) {
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
