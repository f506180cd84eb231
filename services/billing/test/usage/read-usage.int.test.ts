import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { sumMicros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';
import fc from 'fast-check';
import { splitCharges } from '../../src/fees/fee-splits.ts';
import { feeOn } from '../../src/fees/fee.ts';
import { createReadUsage, type Usage } from '../../src/usage/read-usage.ts';
import type { UsageQuery, UsageRow } from '../../src/usage/usage-row.ts';
import { perCall, putTool } from '../support/invoicing-fixture.ts';
import { putPass } from '../support/put-pass.ts';
import { putRollup } from '../support/put-rollup.ts';
import { november, october, putWorld, usage } from '../support/random-usage.ts';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();

const chargesOf = (lines: readonly Line[]) => sumMicros(lines.map(({ chargeMicros }) => chargeMicros));
const chargeOf = ({ totals }: Usage) => totals.money?.chargeMicros ?? -1n;
/** Without groups that no call was billed for. */
function chargesBy({ rows }: Usage, groupOf: (row: UsageRow) => unknown): ReadonlyMap<unknown, bigint> {
  const sums = [...Map.groupBy(rows, groupOf)].map(
    ([group, ofGroup]) => [group, sumMicros(ofGroup.flatMap(({ money }) => money?.chargeMicros ?? []))] as const,
  );
  return new Map(sums.toSorted(([left], [right]) => (String(left) < String(right) ? -1 : 1)));
}

const feeOfRows = ({ rows }: Usage) => sumMicros(rows.flatMap(({ money }) => money?.split?.feeMicros ?? []));
const query = (asked: Partial<UsageQuery> & Pick<UsageQuery, 'accountId' | 'role'>): UsageQuery => ({
  fromMs: october.start,
  toMs: november.end,
  groupBy: new Set(),
  ...asked,
});
const granularities = fc.constantFrom(undefined, 'hour' as const, 'day' as const, 'month' as const);
const groupings = fc.subarray(['tool_id', 'consumer_id'] as const);

describe('money of usage in PostgreSQL', () => {
  it('adds up to the lines and their fee exactly, for both sides, wherever the hours are cut', async () => {
    const readUsage = createReadUsage({ database: db.api, scope: 'lifetime' });
    await fc.assert(
      fc.asyncProperty(usage, granularities, groupings, async (random, granularity, by) => {
        const { builderId, consumerIds, lines } = await putWorld(db.owner, random);
        const rows = { ...(granularity && { granularity }), groupBy: new Set(by) };
        const asBuilder = { accountId: builderId, role: 'builder' as const, ...rows };
        const before = await readUsage(query({ ...asBuilder, toMs: random.cutMs }));
        const after = await readUsage(query({ ...asBuilder, fromMs: random.cutMs }));
        expect(chargeOf(before) + chargeOf(after)).toBe(chargesOf(lines));
        expect(feeOfRows(before) + feeOfRows(after)).toBe(feeOn(chargesOf(lines)));
        for (const accountId of consumerIds) {
          const asConsumer = await readUsage(query({ accountId, role: 'consumer', ...rows }));
          expect(chargeOf(asConsumer)).toBe(chargesOf(lines.filter(({ consumerId }) => consumerId === accountId)));
        }
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('F96 adds up to the lines exactly by pass and by tag, and the rows of a pass are the same money however they are cut', async () => {
    const readUsage = createReadUsage({ database: db.api, scope: 'lifetime' });
    await fc.assert(
      fc.asyncProperty(usage, granularities, groupings, async (random, granularity, by) => {
        const { consumerIds, passIds, lines } = await putWorld(db.owner, random);
        const [, accountId = ''] = consumerIds;
        const [passId = '', otherPassId = ''] = passIds;
        await putPass(db.owner, { accountId, passId, tags: { team: 'research' } });
        await putPass(db.owner, { accountId, passId: otherPassId, tags: {} });
        const asConsumer = { accountId, role: 'consumer' as const };
        const billed = chargesOf(lines.filter(({ consumerId }) => consumerId === accountId));
        const rows = { ...(granularity && { granularity }), groupBy: new Set([...by, 'pass_id' as const]) };
        const cut = await readUsage(query({ ...asConsumer, ...rows }));
        expect(chargeOf(cut)).toBe(billed);
        const whole = await readUsage(query({ ...asConsumer, groupBy: new Set(['pass_id'] as const) }));
        expect(chargesBy(cut, (row) => row.passId)).toEqual(chargesBy(whole, (row) => row.passId));
        const byTag = await readUsage(query({ ...asConsumer, ...rows, groupBy: new Set(by), tags: ['team'] }));
        expect(chargeOf(byTag)).toBe(billed);
        const teamOf = (row: UsageRow) => (row.passId === passId ? 'research' : null);
        expect(chargesBy(byTag, ({ tags }) => tags?.[0])).toEqual(chargesBy(whole, teamOf));
      }),
      { numRuns: 40 },
    );
  }, 60_000);

  it('with a month of its own for each 1,000 USD has the fee of each month’s lines', async () => {
    const readUsage = createReadUsage({ database: db.api, scope: 'month' });
    await fc.assert(
      fc.asyncProperty(usage, async (random) => {
        const { builderId, lines } = await putWorld(db.owner, random);
        const { splits } = splitCharges(lines, { scope: 'month', gross: new Map() });
        const asBuilder = { accountId: builderId, role: 'builder' as const };
        const before = await readUsage(query({ ...asBuilder, toMs: random.cutMs }));
        const after = await readUsage(query({ ...asBuilder, fromMs: random.cutMs }));
        expect(feeOfRows(before) + feeOfRows(after)).toBe(sumMicros(splits.map(({ feeMicros }) => feeMicros)));
      }),
      { numRuns: 20 },
    );
  }, 60_000);
});

describe('usage in PostgreSQL', () => {
  /** How many rows the database shows this account, of all that there are. */
  async function visible(view: string, accountId?: string): Promise<number> {
    const account = accountId === undefined ? {} : { accountId };
    return (await db.api.transaction((tx) => tx.query(`select 1 from usage.${view}`), account)).length;
  }

  it('shows each account its calls and those of its tools, and nothing without an account', async () => {
    const [builder, consumer, other] = [randomUUID(), randomUUID(), randomUUID()];
    await putTool(db.owner, {
      slug: 'search',
      ownerId: builder,
      price: { currency: 'usd', charges: [], bill_failed_calls: false },
    });
    for (const [consumerId, tool] of [
      [consumer, 'search'],
      [other, 'search'],
      [other, 'elsewhere'],
    ] as const) {
      await putRollup(db.owner, { consumerId, tool, hour: '2026-11-01T00:00:00Z', measures: { tokens: '1' } });
    }
    for (const view of ['rollup_v1', 'rollup_measure_v1']) {
      const rows = [consumer, other, builder, randomUUID(), undefined].map((account) => visible(view, account));
      expect(await Promise.all(rows)).toEqual([1, 2, 2, 0, 0]);
    }
  });

  it('is the same where an answer has more rows than a batch of either statement', async () => {
    const readUsage = createReadUsage({ database: db.api, scope: 'lifetime' });
    const [ownerId, consumerId] = [randomUUID(), randomUUID()];
    for (const tools of [90, 300, 600]) {
      for (let at = 0; at < tools; at += 1) {
        const tool = `tool-${tools}-${at}`;
        await putTool(db.owner, { slug: tool, ownerId, price: perCall('0.001') });
        await putRollup(db.owner, {
          consumerId,
          tool,
          hour: `2026-11-01T0${at % 9}:00:00Z`,
          measures: { tokens: '1' },
        });
      }
    }
    const { rows } = await readUsage(query({ accountId: consumerId, role: 'consumer', groupBy: new Set(['tool_id']) }));
    expect(rows).toHaveLength(990);
    expect(
      new Set(rows.map(({ calls, money, measures }) => `${calls} ${money?.chargeMicros} ${measures.get('tokens')}`)),
    ).toEqual(new Set(['1 1000 1']));
    const builder = await readUsage(query({ accountId: ownerId, role: 'builder', groupBy: new Set(['tool_id']) }));
    expect(builder.rows.map(({ toolId }) => toolId)).toEqual(rows.map(({ toolId }) => toolId));
  });

  it('is counted through nothing before the first record', async () => {
    const readUsage = createReadUsage({ database: db.api, scope: 'lifetime' });
    const none = await readUsage(query({ accountId: randomUUID(), role: 'consumer' }));
    expect(none).toMatchObject({ countedThroughMs: 0, rows: [] });
  });
});
