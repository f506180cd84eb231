import { beforeAll, describe, expect, it } from '@jest/globals';
import { putPass } from '../support/put-pass.ts';
import { putRollup, type TestRollup } from '../support/put-rollup.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();

type Row = Readonly<Record<string, unknown>>;

async function call(by: TestAccount, tool: string, rollups: readonly Omit<TestRollup, 'tool' | 'consumerId'>[]) {
  for (const rollup of rollups) await putRollup(billing.owner, { ...rollup, tool, consumerId: by.accountId });
}

const read = ({ token }: TestAccount, query = '') =>
  billing.send<{ readonly usage: readonly Row[]; readonly totals: Row }>('GET', `/v1/usage?${query}`, { token });

/** These fields of each row, which the totals add up; nothing of a field that it lacks. */
async function rowsOf(account: TestAccount, query: string, fields: readonly string[]): Promise<unknown[][]> {
  const { status, body } = await read(account, query);
  expect(status).toBe(200);
  expect(body.totals['calls']).toBe(body.usage.reduce((calls, row) => calls + Number(row['calls']), 0));
  return body.usage.map((row) => fields.map((field) => row[field]).filter((value) => value !== undefined));
}

describe('GET /v1/usage: passes', () => {
  const november = 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z';
  const [first, second] = ['10000000-0000-4000-8000-000000000000', '20000000-0000-4000-8000-000000000000'];
  const hour = '2026-11-01T05:00:00Z';
  let owner: TestAccount;
  let stranger: TestAccount;

  beforeAll(async () => {
    [owner, stranger] = [await billing.newAccount(), await billing.newAccount()];
    const { accountId } = owner;
    await putPass(billing.owner, { passId: first, accountId, tags: { team: 'a b', env: 'test' } });
    await putPass(billing.owner, { passId: second, accountId, tags: {} });
    const tool = await billing.newTool(await billing.newAccount(), { price: { per_call_usd: '0.5' } });
    await call(owner, tool, [
      { hour, calls: 1 },
      { hour, calls: 2, passId: first, measures: { tokens: '7' } },
      { hour: '2026-11-02T05:00:00Z', calls: 4, passId: first, measures: { tokens: '8' } },
      { hour, calls: 8, passId: second },
      { hour, calls: 16, success: false, passId: second },
    ]);
  });

  it('F96 are told apart, also revoked ones, and what they cost; null is for calls without one', async () => {
    const fields = ['start', 'pass_id', 'success', 'calls', 'charge_usd'];
    expect(await rowsOf(owner, `${november}&group_by=pass_id`, fields)).toEqual([
      [null, 1, 0.5],
      [first, 6, 3],
      [second, 24, 4],
    ]);
    expect((await rowsOf(owner, `${november}&granularity=day&group_by=pass_id`, fields)).at(-1)).toEqual([
      '2026-11-02T00:00:00.000Z',
      first,
      4,
      2,
    ]);
    const byOutcome = await rowsOf(owner, `${november}&group_by=success,pass_id`, fields);
    expect(byOutcome).toEqual([
      [second, false, 16],
      [null, true, 1],
      [first, true, 6],
      [second, true, 8],
    ]);
    const { usage } = (await read(owner, `${november}&group_by=pass_id`)).body;
    expect(usage.map(({ measures }) => measures)).toEqual([{}, { tokens: '15' }, {}]);
    expect((await read(owner, november)).body.usage[0]).not.toHaveProperty('pass_id');
  });

  it('F96 are grouped by their tags; null is for passes without the tag', async () => {
    const fields = ['pass_id', 'tags', 'calls', 'charge_usd'];
    expect(await rowsOf(owner, `${november}&group_by=tag.team`, fields)).toEqual([
      [{ team: 'a b' }, 6, 3],
      [{ team: null }, 25, 4.5],
    ]);
    const two = encodeURIComponent('tag.env,tag.no one,pass_id');
    expect(await rowsOf(owner, `${november}&group_by=${two}`, fields)).toEqual([
      [null, { env: null, 'no one': null }, 1, 0.5],
      [first, { env: 'test', 'no one': null }, 6, 3],
      [second, { env: null, 'no one': null }, 24, 4],
    ]);
    const { text } = await read(owner, `${november}&group_by=${encodeURIComponent('tag.__proto__')}`);
    expect(text).toContain('"tags":{"__proto__":null}');
  });

  it('F96 belong to their owner: another account with calls under the same id sees no tag', async () => {
    await call(stranger, 'search', [{ hour, calls: 3, passId: first }]);
    expect(await rowsOf(stranger, `${november}&group_by=pass_id,tag.team`, ['pass_id', 'tags', 'calls'])).toEqual([
      [first, { team: null }, 3],
    ]);
  });

  it('F96 gives the cheap tiers of a month to the pass that came first, however the rows are cut', async () => {
    const calls = [
      { hour: '2026-11-01T05:00:00Z', calls: 10, passId: second },
      { hour: '2026-11-01T06:00:00Z', calls: 10, passId: first },
    ];
    const tiers = [
      { up_to: '10', unit_price_usd: '1' },
      { up_to: null, unit_price_usd: '0.1' },
    ];
    const price = { currency: 'usd', charges: [{ metric: { type: 'calls' }, model: { type: 'graduated', tiers } }] };
    const consumer = await billing.newAccount();
    await call(consumer, await billing.newTool(await billing.newAccount(), { price }), calls);
    for (const granularity of ['', '&granularity=hour', '&granularity=day', '&granularity=month']) {
      const rows = await rowsOf(consumer, `${november}&group_by=pass_id${granularity}`, ['pass_id', 'charge_usd']);
      expect({ granularity, charges: Object.fromEntries(rows) as object }).toEqual({
        granularity,
        charges: { [first]: 1, [second]: 10 },
      });
    }
  });

  it.each(['pass_id', 'tool_id,tag.team'])('400: a builder does not see them: %s', async (by) => {
    const refused = await read(owner, `role=builder&group_by=${by}`);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ pointer: '/group_by' }] } });
  });
});
