import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMovableClock, toIso } from '@tollgate/kernel/clock';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { dataOf, takeTold, typesOf, withoutVersion } from '@tollgate/testkit/take-told';
import { createNightlyRollupCheck } from '../../src/rollups/check-rollups-nightly.ts';
import { batchOf, countingFixture, startMs, usageEvent } from '../support/counting-fixture.ts';
import { failingAt } from '../support/failing-at.ts';

const builder = '00000000-0000-4000-8000-00000000000b';
const fixture = countingFixture();
const log = createLogger({ name: 'test', level: 'silent' });

const take = async () => {
  const owner = createDatabase({ url: fixture.test.ownerUrl, name: 'test-owner', log });
  const told = await takeTold(owner, 'usage');
  await owner.stop();
  return told;
};

beforeEach(async () => {
  await fixture.reset();
  await fixture.owner.query('truncate usage.called_tool');
  await fixture.owner.query(
    `insert into billing.tool (tool_id, owner_id, name, created_at)
     select name, $1, 'The ' || name, now() from unnest(array['weather', 'llm']) name on conflict do nothing`,
    [builder],
  );
  await take();
});

describe('F328 the first call of a tool', () => {
  it('is told to its builder in the transaction that counts it, once for all partitions and processes', async () => {
    const [one, other] = [fixture.newReader(), fixture.newReader(fixture.storeOver(fixture.database))];
    const at = (ms: number) => usageEvent({ occurred_at: toIso(startMs - ms) });
    await one(batchOf([at(0), at(9_000)]));
    const told = await take();
    expect(told.map(({ type, account_id: to }) => [type, to])).toEqual([['tool.first_call', builder]]);
    expect(withoutVersion(dataOf(told, 'tool.first_call'))).toEqual({
      slug: 'weather',
      name: 'The weather',
      account_id: builder,
      first_called_at: toIso(startMs - 9_000),
    });
    await one(batchOf([at(0)], 2n));
    await other(batchOf([at(0), usageEvent({ tool_id: 'llm' })], 0n, 1));
    expect((await take()).map(({ data }) => data['slug'])).toEqual(['llm']);
  });

  it('is told by the flush that is committed, also after one whose commit was lost', async () => {
    let isDying = true;
    const dying = failingAt(fixture.database, 99);
    const database: Database = {
      ...fixture.database,
      transaction: (work, options) => (isDying ? dying : fixture.database).transaction(work, options),
    };
    const read = fixture.newReader(fixture.storeOver(database));
    await expect(read(batchOf([usageEvent()]))).rejects.toThrow('pulled the plug');
    expect(await take()).toEqual([]);
    isDying = false;
    await read(batchOf([usageEvent()]));
    expect(typesOf(await take())).toEqual(['tool.first_call']);
  });

  it('is not told of a tool that only a refused event names', async () => {
    const read = fixture.newReader();
    await read(batchOf([usageEvent({ key: 'order-1' })]));
    await take();
    await read(batchOf([usageEvent({ key: 'order-1', tool_id: 'llm' })], 1n));
    expect(typesOf(await take())).toEqual(['dead_letter.stored']);
  });
});

describe('F328 a record that is not counted', () => {
  it('is told to the operator alone, whether it can be read or not', async () => {
    const read = fixture.newReader();
    await read(batchOf([usageEvent({ key: 'order-1' })]));
    await take();
    await read(batchOf([Buffer.from('no event'), usageEvent({ key: 'order-1', duration_ms: 7 })], 1n));
    const told = await take();
    expect(told.map(({ type, account_id: to }) => [type, to])).toEqual([
      ['dead_letter.stored', null],
      ['dead_letter.stored', null],
    ]);
    const codes = new Map(told.map(({ data }) => [data['id'], data['code']]));
    expect(Object.fromEntries(codes) as object).toEqual({
      'usage.events.v1:0:1': expect.any(String),
      'usage.events.v1:0:2': 'idempotency_conflict',
    });
  });
});

describe('F328 a nightly comparison of rollups and events', () => {
  it('is told to the operator if rows differ', async () => {
    const clock = createMovableClock(Date.parse('2026-11-20T12:00:00Z'), { isFrozen: true });
    const url = fixture.test.urlFor('aggregator_worker');
    const database = createDatabase({ url, name: 'nightly', maxConnections: 1, whenStopped: 'cancel', log });
    const metrics = createMetrics({ service: 'aggregator' });
    const check = createNightlyRollupCheck({ database, clock, log, metrics });
    await fixture.newReader()(batchOf([usageEvent()]));
    await take();
    await check.look();
    for (const [day, calls] of [
      ['2026-11-21', 1],
      ['2026-11-22', 7],
    ] as const) {
      await fixture.owner.query('update usage.rollup set calls = $1', [calls]);
      clock.set(Date.parse(`${day}T04:00:00Z`));
      await check.look();
    }
    const told = await take();
    expect(told.map(({ type, account_id: to }) => [type, to])).toEqual([['ledger.difference_found', null]]);
    expect(withoutVersion(dataOf(told, 'ledger.difference_found'))).toEqual({
      books: 'rollups',
      differences: 2,
      checked_at: '2026-11-22T04:00:00.000Z',
    });
    await check.stop();
  });
});
