import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testDatabaseOfLocale } from '@tollgate/testkit/postgres';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { findLedgerDifferences } from '../../src/audit/sql-ledger-checks.ts';
import { sumUsage } from '../../src/usage/sql-sum-usage.ts';
import { perCall } from '../support/invoicing-fixture.ts';
import { createMoneyWorld, type MoneyWorld } from '../support/money-simulation/create-money-world.ts';

const builder = '0000000b-0000-4000-8000-00000000000a';
const consumer = '1000000a-0000-4000-8000-000000000000';
const startMs = Date.parse('2024-01-20T12:00:00Z');
/** Otherwise than byte by byte, and otherwise than people with another language would. */
const tools = ['ab', 'a-c', 'a1', 'z', 'a-b-1'];

describe('a database that sorts texts as people do', () => {
  let world: MoneyWorld;
  beforeAll(async () => {
    const database = await testDatabaseOfLocale('en-US-u-ka-shifted'); // punctuation comes last, as in many a system's locale
    world = await createMoneyWorld({ startMs, scope: 'lifetime', database });
    for (const slug of tools) await world.putTool({ slug, ownerId: builder, price: perCall('0.01') });
    await world.useCases.enterCard(consumer, { answer: 'complete', card: 'visa' });
    await world.useCases.onboard(builder, 'complete');
    await world.passWebhooks(seededRandom('collation', 1));
    for (const tool of tools)
      await world.addUsage({ consumerId: consumer, tool, hour: '2024-01-20T10:00:00Z', calls: 90 });
    for (const days of [13, 10]) {
      world.clock.advance(days * 86_400_000);
      await world.runDueWork();
    }
    await world.passWebhooks(seededRandom('collation', 2));
  }, 60_000);
  afterAll(() => world.drop());

  it('is one, and of another opinion than the programs', async () => {
    const rows = await world.owner.query<{ slug: string }>('select slug from unnest($1::text[]) slug order by slug', [
      tools,
    ]);
    expect(rows.map(({ slug }) => slug)).not.toEqual(tools.toSorted());
  });

  it('invoices, collects, pays out and proves it as any other', async () => {
    const paid = await world.owner.query<{ status: string; net_cents: string }>(
      'select status, net_cents from billing.payout',
    );
    expect(paid).toEqual([{ status: 'paid', net_cents: '450' }]);
    expect(await world.checkLedgerOn.transaction(findLedgerDifferences)).toEqual([]);
    const processor = createSandboxProcessor({ database: world.owner, clock: world.clock });
    const reconcile = createReconcile({ database: world.checkLedgerOn, processor });
    const { steps } = await reconcile({ period: '2024-01', accountId: undefined });
    expect(steps.slice(1).flatMap(({ rows }) => rows)).toEqual([]); // the first compares events, of which there are none
  });

  it('answers usage in the order that the programs merge it by', async () => {
    const query = {
      accountId: consumer,
      role: 'consumer',
      fromMs: 0,
      toMs: world.clock.now(),
      groupBy: new Set(['tool_id'] as const),
    } as const;
    const rows = await world.checkLedgerOn.transaction((tx) => sumUsage(tx, query, 10));
    expect(rows.map(({ toolId }) => toolId)).toEqual(tools.toSorted());
  });
});
