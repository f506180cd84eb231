import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createReadPendingBalance } from '../../src/payouts/read-pending-balance.ts';
import { rateGrossBefore } from '../../src/usage/rate-gross-before.ts';
import { createInvoicingFixture, perCall, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import { silentLog as log } from '../support/silent-log.ts';

const builder = '00000000-0000-4000-8000-00000000000b';
const consumers = [1, 2, 3, 4].map((digit) => `0000000${digit}-0000-4000-8000-000000000000`);
const [first = '', second = ''] = consumers;

let fixture: InvoicingFixture;
let api: Database;

beforeEach(async () => {
  fixture = await createInvoicingFixture();
  api = createDatabase({ url: fixture.database.urlFor('billing_api'), name: 'pending-balance', log });
  await fixture.putTool({ slug: 'search', ownerId: builder, price: perCall('1') });
});
afterEach(async () => {
  await api.stop();
  await fixture.drop();
});

const use = (consumerId: string, hour: string, calls: number) =>
  fixture.addUsage({ consumerId, tool: 'search', hour, calls });
/** Nothing is collected here, so the pending balance is the gross of all calls, from which fees of later rows start. */
async function pendingUsd(): Promise<number> {
  const nowMs = () => Date.parse('2026-03-01T12:00:00Z');
  const micros = await createReadPendingBalance({ database: api, scope: 'lifetime', nowMs })(builder);
  const query = { builderId: builder, scope: 'lifetime', beforeMs: Date.parse('2026-03-01T00:00:00Z') } as const;
  const options = { accountId: builder, isolation: 'snapshot' } as const;
  const gross = await api.transaction((tx) => rateGrossBefore(tx, query), options);
  expect(gross).toEqual(new Map([['lifetime', micros]]));
  return Number(micros) / 1e6;
}
const stopInserts = (table: string) =>
  fixture.owner.query(
    `create trigger stops before insert on billing.${table} execute function billing.refuse_change()`,
  );
const allowInserts = (table: string) => fixture.owner.query(`drop trigger stops on billing.${table}`);

it('has calls that are counted late for a closed month at once, and no other money after the close that bills them', async () => {
  await use(first, '2026-01-05T00:00:00Z', 100);
  await fixture.close('2026-01');
  expect(await pendingUsd()).toBe(100);
  await use(first, '2026-01-06T00:00:00Z', 20);
  await use(second, '2026-01-06T00:00:00Z', 3);
  expect(await pendingUsd()).toBe(123);
  await fixture.close('2026-02');
  expect(await pendingUsd()).toBe(123);
});

it('has calls of a consumer whose invoice could not be made', async () => {
  await use(first, '2026-01-05T00:00:00Z', 100);
  await stopInserts('invoice');
  await fixture.close('2026-01');
  await allowInserts('invoice');
  await use(first, '2026-02-05T00:00:00Z', 10);
  expect(await pendingUsd()).toBe(110);
  await fixture.close('2026-02');
  expect(await pendingUsd()).toBe(110);
});

it('stays the same while a close has stored its invoices and not closed the month yet', async () => {
  for (const consumer of consumers) await use(consumer, '2026-01-05T00:00:00Z', 100);
  await fixture.close('2026-01');
  for (const consumer of consumers) await use(consumer, '2026-02-05T00:00:00Z', 10);
  await use(first, '2026-01-06T00:00:00Z', 3);
  expect(await pendingUsd()).toBe(443);
  await stopInserts('closed_period');
  await expect(fixture.close('2026-02')).rejects.toThrow('closed_period is append-only');
  expect(await pendingUsd()).toBe(443);
  await allowInserts('closed_period');
  await fixture.close('2026-02');
  expect(await pendingUsd()).toBe(443);
});
