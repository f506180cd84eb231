import { beforeAll, describe, expect, it } from '@jest/globals';
import { putRollup, putWatermark, type TestRollup } from '../support/put-rollup.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let ada: TestAccount; // owns search and parse
let bob: TestAccount; // owns other
let carol: TestAccount; // calls search and other
let dave: TestAccount; // calls search

interface Usage {
  readonly usage: readonly Record<string, unknown>[];
  readonly totals: Record<string, unknown>;
  readonly counted_through: string;
}

beforeAll(async () => {
  [ada, bob, carol, dave] = (await Promise.all([1, 2, 3, 4].map(() => billing.newAccount()))) as [
    TestAccount,
    TestAccount,
    TestAccount,
    TestAccount,
  ];
  for (const [owner, slug] of [
    [ada, 'search'],
    [ada, 'parse'],
    [bob, 'other'],
  ] as const) {
    await billing.send('POST', '/v1/tools', { ...owner, body: { slug, name: slug, price: { per_call_usd: '0.01' } } });
  }
  const search = { consumerId: carol.accountId, tool: 'search' };
  const rollups: TestRollup[] = [
    { ...search, hour: '2026-10-31T23:00:00Z', calls: 1, durationMs: 10n },
    { ...search, hour: '2026-11-01T00:00:00Z', calls: 2, durationMs: 20n, measures: { tokens: '0.1' } },
    { ...search, hour: '2026-11-01T23:00:00Z', calls: 4, durationMs: 40n, measures: { tokens: '0.2', pages: '3' } },
    {
      ...search,
      hour: '2026-11-01T23:00:00Z',
      success: false,
      calls: 8,
      durationMs: 80n,
      measures: { tokens: '1000000.000001' },
    },
    { ...search, hour: '2026-11-02T00:00:00Z', calls: 16, durationMs: 160n },
    { ...search, hour: '2026-11-30T23:00:00Z', calls: 32, durationMs: 320n },
    { ...search, hour: '2026-12-01T00:00:00Z', calls: 64, durationMs: 640n },
    { consumerId: carol.accountId, tool: 'other', hour: '2026-11-01T00:00:00Z', calls: 100, measures: { secret: '5' } },
    {
      consumerId: dave.accountId,
      tool: 'search',
      hour: '2026-11-01T00:00:00Z',
      calls: 1_000,
      success: false,
      measures: { tokens: '7' },
    },
    { consumerId: ada.accountId, tool: 'search', hour: '2026-11-03T00:00:00Z', calls: 5 },
    { consumerId: ada.accountId, tool: 'other', hour: '2026-11-03T00:00:00Z', calls: 6 },
  ];
  for (const rollup of rollups) await putRollup(billing.owner, rollup);
  await putWatermark(billing.owner, '2026-11-21T12:34:50.123Z');
});

const read = ({ token }: TestAccount, query = '') => billing.send<Usage>('GET', `/v1/usage${query}`, { token });

/** Rows as [dimensions, calls], which is what most tables below are about. */
async function callsBy(account: TestAccount, query: string): Promise<(readonly unknown[])[]> {
  const { status, body } = await read(account, query);
  expect(status).toBe(200);
  const sum = body.usage.reduce((calls, row) => calls + Number(row['calls']), 0);
  expect(body.totals['calls']).toBe(sum);
  return body.usage.map(({ start, tool_id: tool, consumer_id: consumer, success, calls }) =>
    [start, tool, consumer, success, calls].filter((value) => value !== undefined),
  );
}

describe('GET /v1/usage: 200, what is counted', () => {
  it('sums the current month of the caller in one row, and says through when', async () => {
    const { body } = await read(carol);
    const sums = {
      calls: 162,
      successes: 154,
      failures: 8,
      duration_ms: 620,
      measures: { tokens: '1000000.300001', pages: '3', secret: '5' },
      charge_usd: 1.54, // a cent for each success
    };
    expect(body).toEqual({ usage: [sums], totals: sums, counted_through: '2026-11-21T12:34:50.123Z' });
  });

  it('leaves rows without calls out: none at all for who never called', async () => {
    const zeros = { calls: 0, successes: 0, failures: 0, duration_ms: 0, measures: {}, charge_usd: 0 };
    for (const granularity of ['', '?granularity=hour']) {
      expect((await read(bob, granularity)).body).toMatchObject({ usage: [], totals: zeros });
    }
  });

  it.each([
    ['2026-11-01T00:00:00Z', '2026-11-01T01:00:00Z', 102],
    ['2026-11-01T01:00:00Z', '2026-11-01T23:00:00Z', 0],
    ['2026-11-01T23:00:00Z', '2026-11-02T00:00:00Z', 12],
    ['2026-10-31T23:00:00Z', '2026-11-01T00:00:00Z', 1],
    ['2026-11-30T23:00:00Z', '2026-12-01T01:00:00Z', 96],
    ['2026-11-01T05:30:00+05:30', '2026-10-31T20:00:00-05:00', 102],
    ['2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z', 0],
    ['0001-01-01T00:00:00Z', '9999-12-31T23:00:00Z', 227],
  ])('counts the hours of [%s, %s): %i calls', async (from, to, calls) => {
    const { body } = await read(carol, `?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`);
    expect(body.totals['calls']).toBe(calls);
  });

  it('counts one tool if asked', async () => {
    expect(await callsBy(carol, '?tool_id=other')).toEqual([[100]]);
    expect(await callsBy(carol, '?tool_id=unknown')).toEqual([]);
  });

  it('moves with the month of the clock', async () => {
    const october = await callsBy(carol, '?from=2026-10-01T00:00:00Z&to=2026-11-01T00:00:00Z');
    expect(october).toEqual([[1]]);
  });

  it('shows a new count to the very next question', async () => {
    const before = (await read(dave)).body.totals['calls'];
    await putRollup(billing.owner, {
      consumerId: dave.accountId,
      tool: 'search',
      hour: '2026-11-20T10:00:00Z',
      calls: 3,
    });
    expect((await read(dave)).body.totals['calls']).toBe(Number(before) + 3);
    await billing.owner.query(`delete from usage.rollup where hour = '2026-11-20T10:00:00Z'`);
  });

  it('prints sums beyond 2^53 digit by digit', async () => {
    const eve = await billing.newAccount();
    for (const hour of ['2027-01-05T00:00:00Z', '2027-01-05T01:00:00Z']) {
      await putRollup(billing.owner, {
        consumerId: eve.accountId,
        tool: 'other',
        hour,
        durationMs: 9_007_199_254_740_993n,
      });
    }
    const { text } = await read(eve, '?from=2027-01-01T00:00:00Z&to=2027-02-01T00:00:00Z');
    expect(text).toContain('"duration_ms":18014398509481986,');
  });
});

describe('GET /v1/usage: 200, how it is split', () => {
  it.each([
    [
      'hour',
      [
        ['2026-10-31T23:00:00.000Z', 1],
        ['2026-11-01T00:00:00.000Z', 2],
        ['2026-11-01T23:00:00.000Z', 12],
        ['2026-11-02T00:00:00.000Z', 16],
        ['2026-11-30T23:00:00.000Z', 32],
        ['2026-12-01T00:00:00.000Z', 64],
      ],
    ],
    [
      'day',
      [
        ['2026-10-31T00:00:00.000Z', 1],
        ['2026-11-01T00:00:00.000Z', 14],
        ['2026-11-02T00:00:00.000Z', 16],
        ['2026-11-30T00:00:00.000Z', 32],
        ['2026-12-01T00:00:00.000Z', 64],
      ],
    ],
    [
      'month',
      [
        ['2026-10-01T00:00:00.000Z', 1],
        ['2026-11-01T00:00:00.000Z', 62],
        ['2026-12-01T00:00:00.000Z', 64],
      ],
    ],
  ])('by %s, in UTC', async (granularity, rows) => {
    const query = `?tool_id=search&from=2026-10-01T00:00:00Z&to=2027-01-01T00:00:00Z&granularity=${granularity}`;
    expect(await callsBy(carol, query)).toEqual(rows);
  });

  it.each([
    [
      'tool_id',
      [
        ['other', 100],
        ['search', 62],
      ],
    ],
    [
      'success',
      [
        [false, 8],
        [true, 154],
      ],
    ],
    [
      'success,tool_id',
      [
        ['other', true, 100],
        ['search', false, 8],
        ['search', true, 54],
      ],
    ],
  ])('by %s', async (dimensions, rows) => {
    expect(await callsBy(carol, `?group_by=${dimensions}`)).toEqual(rows);
  });

  it('by consumer: oneself, for a consumer', async () => {
    expect(await callsBy(carol, '?group_by=consumer_id')).toEqual([[carol.accountId, 162]]);
  });

  it('by everything at once: each rollup row by itself, with its own measures', async () => {
    const query = '?granularity=hour&group_by=tool_id,consumer_id,success&to=2026-11-02T00:00:00Z';
    const { body } = await read(carol, query);
    expect(body.usage.map(({ start, tool_id: tool, success, measures }) => [start, tool, success, measures])).toEqual([
      ['2026-11-01T00:00:00.000Z', 'other', true, { secret: '5' }],
      ['2026-11-01T00:00:00.000Z', 'search', true, { tokens: '0.1' }],
      ['2026-11-01T23:00:00.000Z', 'search', false, { tokens: '1000000.000001' }],
      ['2026-11-01T23:00:00.000Z', 'search', true, { tokens: '0.2', pages: '3' }],
    ]);
    expect(body.totals).toMatchObject({
      calls: 114,
      failures: 8,
      measures: { tokens: '1000000.300001', pages: '3', secret: '5' },
    });
  });
});

describe('GET /v1/usage: 200, for builders', () => {
  it("sums everybody's calls of the own tools, and of no other", async () => {
    expect(new Map((await callsBy(ada, '?role=builder&group_by=consumer_id')) as [string, number][])).toEqual(
      new Map([
        [ada.accountId, 5],
        [carol.accountId, 62],
        [dave.accountId, 1_000],
      ]),
    );
    expect(await callsBy(ada, '?role=builder&group_by=tool_id')).toEqual([['search', 1_067]]);
    expect(await callsBy(bob, '?role=builder&group_by=tool_id,success')).toEqual([['other', true, 106]]);
  });

  it('adds the measures up over consumers', async () => {
    const { body } = await read(ada, '?role=builder');
    expect(body.totals['measures']).toEqual({ tokens: '1000007.300001', pages: '3' });
  });

  it("shows nothing of another builder's tool, even by its name", async () => {
    expect(await callsBy(ada, '?role=builder&tool_id=other')).toEqual([]);
    expect(await callsBy(dave, '?role=builder')).toEqual([]);
  });

  it('keeps the two roles apart: own calls as a consumer, own tools as a builder', async () => {
    expect(await callsBy(ada, '?group_by=tool_id')).toEqual([
      ['other', 6],
      ['search', 5],
    ]);
    expect(await callsBy(ada, '?role=consumer&group_by=consumer_id')).toEqual([[ada.accountId, 11]]);
  });

  it('goes on for an archived tool: what was called was called', async () => {
    await billing.send('POST', '/v1/tools/other/archive', bob);
    expect(await callsBy(bob, '?role=builder')).toEqual([[106]]);
  });
});

describe('GET /v1/usage: 400', () => {
  it.each([
    ['/from', 'from=2026-11-01T00:30:00Z'],
    ['/from', 'from=2026-11-01T00:00:00.001Z'],
    ['/from', 'from=2026-11-01'],
    ['/from', 'from=yesterday'],
    ['/to', 'to=2026-11-01T00:00:01Z'],
    ['/to', 'from=2026-11-02T00:00:00Z&to=2026-11-01T00:00:00Z'],
    ['/to', 'to=2026-10-01T00:00:00Z'],
    ['/from', 'from=2026-12-02T00:00:00Z'],
    ['/granularity', 'granularity=week'],
    ['/group_by', 'group_by='],
    ['/group_by', 'group_by=owner'],
    ['/group_by', 'group_by=tool_id,tool_id'],
    ['/role', 'role=operator'],
    ['/tool_id', 'tool_id=%00'],
    ['/from', 'from=2026-11-01T00:00:00Z&from=2026-11-02T00:00:00Z'],
  ])('points at %s of %s', async (pointer, query) => {
    const refused = await billing.send('GET', `/v1/usage?${query}`, carol);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });

  it('advises whoever asks for more than 10,000 rows, and answers 10,000', async () => {
    const frank = await billing.newAccount();
    await billing.owner.query(
      `insert into usage.rollup select $1, 'search', '2020-01-01T00:00:00Z'::timestamptz + make_interval(hours => n), true, 1, 0
       from generate_series(0, 10000) n`,
      [frank.accountId],
    );
    const wide = '?from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00Z&granularity=hour';
    const refused = await billing.send('GET', `/v1/usage${wide}`, frank);
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: 'too_many_rows' }] } });
    expect((await read(frank, wide.replace('hour', 'day'))).body.totals['calls']).toBe(10_001);
    const fits = await read(frank, wide.replace('2020-01-01T00', '2020-01-01T01'));
    expect(fits.body.usage).toHaveLength(10_000);
  });
});

describe('GET /v1/usage: 401', () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('GET', '/v1/usage')).toMatchObject({ status: 401, body: { code: 'unauthorized' } });
  });
});
