import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { sumUsageByPrice } from '../../src/usage/sql-sum-usage-by-price.ts';
import { TooMuchUsage } from '../../src/usage/too-much-usage.ts';
import { perCall, putTool } from '../support/invoicing-fixture.ts';
import { putRollup, type TestRollup } from '../support/put-rollup.ts';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();
const ownerId = randomUUID();

const uses = (consumerId: string, tool: string, hours: readonly Omit<TestRollup, 'consumerId' | 'tool'>[]) =>
  Promise.all(hours.map((hour) => putRollup(db.owner, { consumerId, tool, ...hour })));

it('divides the hours of a tool by month, price version and outcome', async () => {
  const consumerId = randomUUID();
  const later = [{ from: '2026-10-15T12:00:00Z', price: perCall('0.002') }];
  const [first, second] = await putTool(db.owner, { slug: 'changed', ownerId, price: perCall('0.001'), later });
  const [only] = await putTool(db.owner, { slug: 'kept', ownerId, price: perCall('0.001') });
  await uses(consumerId, 'changed', [
    { hour: '2026-08-31T23:00:00Z', calls: 1_000 }, // before the span
    { hour: '2026-09-30T23:00:00Z', calls: 1, measures: { tokens: '10' } },
    { hour: '2026-10-01T00:00:00Z', calls: 2, measures: { tokens: '20' } },
    { hour: '2026-10-15T11:00:00Z', calls: 4, measures: { tokens: '40.5' } },
    { hour: '2026-10-15T11:00:00Z', calls: 7, passId: randomUUID() },
    { hour: '2026-10-15T12:00:00Z', calls: 8, durationMs: 5n, measures: { tokens: '80', images: '1' } },
    { hour: '2026-10-15T12:00:00Z', calls: 16, success: false },
    { hour: '2026-11-01T00:00:00Z', calls: 2_000 }, // after it
  ]);
  await uses(consumerId, 'kept', [
    { hour: '2026-10-03T00:00:00Z', calls: 32, measures: { tokens: '1' } },
    { hour: '2026-10-04T00:00:00Z', calls: 64, measures: { tokens: '2' } },
  ]);
  const spans = [{ consumerId, firstPeriod: '2026-09', lastPeriod: '2026-10' }];

  const usage = await db.worker.transaction((tx) => sumUsageByPrice(tx, spans));
  const rows = usage.map(
    ({ period, priceId, success, calls, durationMs, measures }) =>
      [period, priceId, success, Number(calls), Number(durationMs), Object.fromEntries(measures)] as const,
  );
  expect(rows.toSorted((left, right) => left[3] - right[3])).toEqual([
    ['2026-09', first, true, 1, 0, { tokens: '10' }],
    ['2026-10', second, true, 8, 5, { tokens: '80', images: '1' }],
    ['2026-10', first, true, 13, 0, { tokens: '60.5' }],
    ['2026-10', second, false, 16, 0, {}],
    ['2026-10', only, true, 96, 0, { tokens: '3' }],
  ]);
  const ofOne = await db.worker.transaction((tx) => sumUsageByPrice(tx, spans, { toolIds: ['kept', 'unused'] }));
  expect(ofOne.map(({ priceId, calls }) => [priceId, calls])).toEqual([[only, 96n]]);
});

it('refuses more rows than asked for, and more hours than a month has for each', async () => {
  await putTool(db.owner, { slug: 'busy', ownerId, price: perCall('0.001') });
  await putTool(db.owner, { slug: 'quiet', ownerId, price: perCall('0.001') });
  const [steady, wide] = [randomUUID(), randomUUID()];
  const everyHour = `from generate_series('2026-10-01Z'::timestamptz, '2026-10-31T23:00Z', '1 hour') as t (hour)`;
  await db.owner.query(`insert into usage.rollup select $1, 'busy', hour, true, 1, 0 ${everyHour}`, [steady]);
  await db.owner.query(
    `insert into usage.rollup_measure select $1, 'busy', hour, true, key, 1 ${everyHour}, unnest(array['images', 'tokens']) key`,
    [steady],
  );
  await uses(wide, 'busy', [{ hour: '2026-10-01T00:00:00Z' }]);
  await uses(wide, 'quiet', [{ hour: '2026-10-01T00:00:00Z' }]);
  const sum = (consumerId: string, rowsMax: number) => {
    const spans = [{ consumerId, firstPeriod: '2026-10', lastPeriod: '2026-10' }];
    return db.worker.transaction((tx) => sumUsageByPrice(tx, spans, { rowsMax }));
  };

  await expect(sum(wide, 1)).rejects.toThrow(TooMuchUsage);
  expect(await sum(wide, 2)).toHaveLength(2);
  const [row] = await sum(steady, 1);
  expect([row?.calls, Object.fromEntries(row?.measures ?? [])]).toEqual([744n, { tokens: '744', images: '744' }]);
  await uses(steady, 'busy', [{ hour: '2026-10-01T00:00:00Z', passId: randomUUID() }]);
  await expect(sum(steady, 1)).rejects.toThrow(TooMuchUsage);
  expect((await sum(steady, 2)).map(({ calls }) => calls)).toEqual([745n]);
});

it('a tool without a price gives no row, and takes the place of none', async () => {
  await putTool(db.owner, { slug: 'paid', ownerId, price: perCall('0.001') });
  await putTool(db.owner, { slug: 'paid-too', ownerId, price: perCall('0.001') });
  const freeText = `insert into billing.tool (tool_id, owner_id, name, created_at) values ($1, $2, $1, '2020-01-01Z')`;
  for (const slug of ['free', 'free-too']) await db.owner.query(freeText, [slug, ownerId]);
  const [consumerId, other, unused] = [randomUUID(), randomUUID(), randomUUID()];
  const sum = (rowsMax?: number, user = consumerId) => {
    const spans = [user, unused].map((id) => ({ consumerId: id, firstPeriod: '2026-09', lastPeriod: '2026-10' }));
    return db.worker.transaction((tx) => sumUsageByPrice(tx, spans, { rowsMax }));
  };
  const hours = [{ hour: '2026-09-30T00:00:00Z' }, { hour: '2026-10-01T00:00:00Z' }];

  await uses(consumerId, 'free', hours);
  expect(await sum()).toEqual([]);
  await uses(consumerId, 'paid', hours);
  await uses(consumerId, 'paid-too', hours);
  expect(await sum()).toHaveLength(4);
  expect(await sum(4)).toHaveLength(4);
  await expect(sum(3)).rejects.toThrow(TooMuchUsage);
  await expect(sum(2)).rejects.toThrow(TooMuchUsage);

  for (const slug of ['free', 'free-too', 'paid']) await uses(other, slug, hours.slice(1));
  await expect(sum(1, other)).rejects.toThrow(TooMuchUsage); // the paid one has not been read
  expect(await sum(3, other)).toHaveLength(1);
});

it('leaves out measures without calls', async () => {
  await putTool(db.owner, { slug: 'drifted', ownerId, price: perCall('0.001') });
  const consumerId = randomUUID();
  await uses(consumerId, 'drifted', [{ hour: '2026-10-01T00:00:00Z' }]);
  await db.owner.query(`insert into usage.rollup_measure values ($1, 'drifted', '2026-10-01Z', false, 'tokens', 5)`, [
    consumerId,
  ]);
  const spans = [{ consumerId, firstPeriod: '2026-10', lastPeriod: '2026-10' }];
  const usage = await db.worker.transaction((tx) => sumUsageByPrice(tx, spans));
  expect(usage.map(({ success, measures }) => [success, measures.size])).toEqual([[true, 0]]);
});
