import { beforeAll, describe, expect, it } from '@jest/globals';
import { type TestRollup, putRollup, putWatermark } from '../support/put-rollup.ts';
import { type TestAccount, useBilling } from '../support/start-billing.ts';
import { putPass } from '../support/put-pass.ts';

const billing = useBilling();
let ada: TestAccount; // owns search and parse
let bob: TestAccount; // owns other
let carol: TestAccount; // calls search and other
let dave: TestAccount; // calls search

type Row = Readonly<Record<string, unknown>>;

interface Usage {
  readonly usage: readonly Row[];
  readonly totals: Row;
  readonly counted_through: string;
}

async function call(by: TestAccount, tool: string, rollups: readonly Omit<TestRollup, 'tool' | 'consumerId'>[]) {
  for (const rollup of rollups) await putRollup(billing.owner, { ...rollup, tool, consumerId: by.accountId });
}

describe('get usage', () => {
  beforeAll(async () => {
    [ada, bob, carol, dave] = [
      await billing.newAccount(),
      await billing.newAccount(),
      await billing.newAccount(),
      await billing.newAccount(),
    ];
    await billing.newTool(ada, { slug: 'search' });
    await billing.newTool(ada, { slug: 'parse' });
    await billing.newTool(bob, { slug: 'other' });
    await call(carol, 'search', [
      { hour: '2026-10-31T23:00:00Z', calls: 1, durationMs: 10n },
      { hour: '2026-11-01T00:00:00Z', calls: 2, durationMs: 20n, measures: { tokens: '0.1' } },
      { hour: '2026-11-01T23:00:00Z', calls: 4, durationMs: 40n, measures: { tokens: '0.2', pages: '3' } },
      { hour: '2026-11-01T23:00:00Z', success: false, calls: 8, measures: { tokens: '1000000.000001' } },
      { hour: '2026-11-02T00:00:00Z', calls: 16, durationMs: 160n },
      { hour: '2026-11-30T23:00:00Z', calls: 32, durationMs: 320n },
      { hour: '2026-12-01T00:00:00Z', calls: 64, durationMs: 640n },
    ]);
    await call(carol, 'other', [{ hour: '2026-11-01T00:00:00Z', calls: 100, measures: { secret: '5' } }]);
    await call(dave, 'search', [
      { hour: '2026-11-01T00:00:00Z', calls: 1_000, success: false, measures: { tokens: '7' } },
    ]);
    await call(ada, 'search', [{ hour: '2026-11-03T00:00:00Z', calls: 5 }]);
    await call(ada, 'other', [{ hour: '2026-11-03T00:00:00Z', calls: 6 }]);
    await putWatermark(billing.owner, '2026-11-21T12:34:50.123Z');
  });

  const read = ({ token }: TestAccount, query = '') => billing.send<Usage>('GET', `/v1/usage?${query}`, { token });
  const callsOf = async (account: TestAccount, query = '') => (await read(account, query)).body.totals['calls'];

  /** These fields of each row, which the totals add up; nothing of a field that it lacks. */
  async function rowsOf(account: TestAccount, query: string, fields: readonly string[]): Promise<unknown[][]> {
    const { status, body } = await read(account, query);
    expect(status).toBe(200);
    expect(body.totals['calls']).toBe(body.usage.reduce((calls, row) => calls + Number(row['calls']), 0));
    return body.usage.map((row) => fields.map((field) => row[field]).filter((value) => value !== undefined));
  }

  const callsBy = (account: TestAccount, query: string) =>
    rowsOf(account, query, ['start', 'tool_id', 'consumer_id', 'success', 'calls']);

  describe('GET /v1/usage: 200, what is counted', () => {
    it('sums the current month of the caller in one row, and says through when; nothing of earnings and fees', async () => {
      const { body } = await read(carol);
      const sums = {
        calls: 162,
        successes: 154,
        failures: 8,
        duration_ms: 540,
        measures: { tokens: '1000000.300001', pages: '3', secret: '5' },
        charge_usd: 1.54, // a cent for each success
      };
      expect(body).toEqual({ usage: [sums], totals: sums, counted_through: '2026-11-21T12:34:50.123Z' });
    });

    it('has no rows without calls', async () => {
      const zeros = { calls: 0, successes: 0, failures: 0, duration_ms: 0, measures: {}, charge_usd: 0 };
      for (const query of ['', 'granularity=hour'])
        expect((await read(bob, query)).body).toMatchObject({ usage: [], totals: zeros });
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
      expect(await callsOf(carol, `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`)).toBe(calls);
    });

    it('counts one tool if asked', async () => {
      expect(await callsBy(carol, 'tool_id=other')).toEqual([[100]]);
      expect(await callsBy(carol, 'tool_id=unknown')).toEqual([]);
    });

    it('shows a new count to the very next question, digit by digit beyond 2^53', async () => {
      const erin = await billing.newAccount();
      const tool = await billing.newTool(erin);
      for (const [hour, sum] of [
        ['2026-11-05T00:00:00Z', '9007199254740993'],
        ['2026-11-05T01:00:00Z', '18014398509481986'],
      ] as const) {
        await call(erin, tool, [{ hour, durationMs: 9_007_199_254_740_993n }]);
        expect((await read(erin)).text).toContain(`"duration_ms":${sum},`);
      }
    });
  });

  describe('GET /v1/usage: 200, how it is split', () => {
    it.each([
      [
        'hour',
        '2026-10-31T23 1, 2026-11-01T00 2, 2026-11-01T23 12, 2026-11-02T00 16, 2026-11-30T23 32, 2026-12-01T00 64',
      ],
      ['day', '2026-10-31T00 1, 2026-11-01T00 14, 2026-11-02T00 16, 2026-11-30T00 32, 2026-12-01T00 64'],
      ['month', '2026-10-01T00 1, 2026-11-01T00 62, 2026-12-01T00 64'],
    ])('by %s, in UTC', async (granularity, expected) => {
      const query = `tool_id=search&from=2026-10-01T00:00:00Z&to=2027-01-01T00:00:00Z&granularity=${granularity}`;
      const rows = await callsBy(carol, query);
      expect(rows.map((row) => row.join(' ').replace(':00:00.000Z', '')).join(', ')).toBe(expected);
    });

    it('by tool, outcome, or both', async () => {
      const [other, search] = [
        ['other', true, 100],
        ['search', true, 54],
      ];
      expect(await callsBy(carol, 'group_by=success,tool_id')).toEqual([other, ['search', false, 8], search]);
      expect(await callsBy(carol, 'group_by=tool_id')).toEqual([
        ['other', 100],
        ['search', 62],
      ]);
      expect(await callsBy(carol, 'group_by=success')).toEqual([
        [false, 8],
        [true, 154],
      ]);
    });

    it('by everything at once: each rollup row by itself, with its own measures', async () => {
      const query = 'granularity=hour&group_by=tool_id,consumer_id,success&to=2026-11-02T00:00:00Z';
      expect(await rowsOf(carol, query, ['start', 'tool_id', 'consumer_id', 'success', 'measures'])).toEqual([
        ['2026-11-01T00:00:00.000Z', 'other', carol.accountId, true, { secret: '5' }],
        ['2026-11-01T00:00:00.000Z', 'search', carol.accountId, true, { tokens: '0.1' }],
        ['2026-11-01T23:00:00.000Z', 'search', carol.accountId, false, { tokens: '1000000.000001' }],
        ['2026-11-01T23:00:00.000Z', 'search', carol.accountId, true, { tokens: '0.2', pages: '3' }],
      ]);
    });
  });

  describe('GET /v1/usage: 200, for builders', () => {
    it("sums everybody's calls of the own tools, and of no other", async () => {
      const byConsumer = await callsBy(ada, 'role=builder&group_by=consumer_id');
      expect(new Map(byConsumer as [string, number][])).toEqual(
        new Map([
          [ada.accountId, 5],
          [carol.accountId, 62],
          [dave.accountId, 1_000],
        ]),
      );
      expect(await callsBy(ada, 'role=builder&group_by=tool_id')).toEqual([['search', 1_067]]);
      expect(await callsBy(bob, 'role=builder&group_by=tool_id,success')).toEqual([['other', true, 106]]);
    });

    it('adds the measures up over consumers', async () => {
      const { body } = await read(ada, 'role=builder');
      expect(body.totals['measures']).toEqual({ tokens: '1000007.300001', pages: '3' });
    });

    it("shows nothing of another builder's tool, even by its name", async () => {
      expect(await callsBy(ada, 'role=builder&tool_id=other')).toEqual([]);
      expect(await callsBy(dave, 'role=builder')).toEqual([]);
    });

    it('keeps the two roles apart: own calls as a consumer, own tools as a builder', async () => {
      const own = [
        ['other', ada.accountId, 6],
        ['search', ada.accountId, 5],
      ];
      expect(await callsBy(ada, 'group_by=tool_id,consumer_id')).toEqual(own);
      expect(await callsBy(ada, 'role=consumer&group_by=consumer_id')).toEqual([[ada.accountId, 11]]);
    });

    it('goes on for an archived tool: what was called was called', async () => {
      await billing.send('POST', '/v1/tools/other/archive', bob);
      expect(await callsBy(bob, 'role=builder')).toEqual([[106]]);
    });
  });

  // The tests of packages/pricing show the price of a quantity, and read-usage.int.test.ts that usage adds up to the
  // lines.
  describe('GET /v1/usage: 200, what the rows cost', () => {
    const twoTiers = [
      { up_to: '10', unit_price_usd: '1' },
      { up_to: null, unit_price_usd: '0.1' },
    ];
    const tiered = (type: 'graduated' | 'volume') => {
      return { currency: 'usd', charges: [{ metric: { type: 'calls' }, model: { type, tiers: twoTiers } }] };
    };
    const days = [8, 3, 1].map((calls, index) => ({ hour: `2026-11-0${index + 1}T05:00:00Z`, calls }));
    const oneUsd = { per_call_usd: '1' };
    const november = 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z';
    const splitsOf = (account: TestAccount, query: string) =>
      rowsOf(account, `role=builder&${query}`, ['charge_usd', 'earning_usd', 'fee_usd']);

    /** A builder of its own, whose gross begins at 0, and a tool of it that was called. */
    async function newWorld(price: object, rollups: Parameters<typeof call>[2]) {
      const [builder, consumer] = [await billing.newAccount(), await billing.newAccount()];
      const tool = await billing.newTool(builder, { price });
      await call(consumer, tool, rollups);
      return { builder, consumer, tool };
    }

    it('shows each row what it adds, below 0 where all became cheaper, to the consumer and to the builder', async () => {
      const { builder, consumer } = await newWorld(tiered('volume'), days);
      for (const [account, role] of [
        [consumer, 'consumer'],
        [builder, 'builder'],
      ] as const) {
        const query = `${november}&role=${role}`;
        expect(await rowsOf(account, `${query}&granularity=day`, ['charge_usd'])).toEqual([[8], [-6.9], [0.1]]);
        expect((await read(account, query)).body).toMatchObject({
          usage: [{ charge_usd: 1.2 }],
          totals: { charge_usd: 1.2 },
        });
      }
    });

    it('counts tiers from the beginning of the month, also for rows that begin later, and anew with each month', async () => {
      const { consumer } = await newWorld(tiered('graduated'), [{ hour: '2026-10-31T23:00:00Z', calls: 50 }, ...days]);
      const from = (start: string) => rowsOf(consumer, `from=${start}&to=2026-12-01T00:00:00Z`, ['charge_usd']);
      expect(await from('2026-11-02T05:00:00Z')).toEqual([[2.2]]);
      expect(await from('2026-11-02T06:00:00Z')).toEqual([[0.1]]);
      expect(await from('2026-11-01T00:00:00Z')).toEqual([[10.2]]);
      expect(await from('2026-10-01T00:00:00Z')).toEqual([[24.2]]);
    });

    it.each([
      ['day', 8],
      ['month', 12],
    ])('begins its rows where the hours asked for begin, in the middle of a %s too', async (granularity, cost) => {
      const { consumer } = await newWorld(oneUsd, [{ hour: '2026-11-01T04:00:00Z', calls: 2 }, ...days]);
      const rows = await rowsOf(consumer, `from=2026-11-01T05:00:00Z&granularity=${granularity}`, [
        'start',
        'charge_usd',
      ]);
      expect(rows[0]).toEqual(['2026-11-01T00:00:00.000Z', cost]);
    });

    it('says nothing of money by outcome', async () => {
      const calls = [true, false].map((success) => ({ hour: '2026-11-01T05:00:00Z', success }));
      const { builder } = await newWorld(oneUsd, calls);
      const { usage, totals } = (await read(builder, 'group_by=success&role=builder')).body;
      expect(usage).toHaveLength(2);
      for (const row of [...usage, totals])
        for (const field of ['charge_usd', 'earning_usd', 'fee_usd']) expect(row).not.toHaveProperty(field);
    });

    it('counts the tiers of each consumer on, however many slices there are', async () => {
      const { builder, tool } = await newWorld(tiered('graduated'), []);
      await billing.owner.query(
        `insert into usage.rollup
       select md5(consumer::text)::uuid, $1, '2026-11-01T00:00:00Z'::timestamptz + make_interval(hours => n), true, 1, 0
       from generate_series(1, 10) consumer, generate_series(0, 719) n`,
        [tool],
      );
      for (const granularity of ['hour', 'day', 'month']) {
        const { totals } = (await read(builder, `${november}&role=builder&granularity=${granularity}`)).body;
        expect(totals).toMatchObject({ charge_usd: 810, earning_usd: 810, fee_usd: 0 }); // 10 + 710 × 0.1, ten times
      }
    });

    it('F54 takes no fee of the first 1,000 USD, and 4 % of each row after them', async () => {
      const { builder } = await newWorld(oneUsd, [
        { hour: '2026-10-31T23:00:00Z', calls: 900 },
        { hour: '2026-11-01T00:00:00Z', calls: 50 },
        { hour: '2026-11-01T01:00:00Z', calls: 150 },
        { hour: '2026-11-03T00:00:00Z', calls: 100 },
      ]);
      const [free, ...charged] = [
        [50, 50, 0],
        [150, 146, 4],
        [100, 96, 4],
      ];
      const [october, whole] = [
        [900, 900, 0],
        [300, 292, 8],
      ];
      expect(await splitsOf(builder, `${november}&granularity=hour`)).toEqual([free, ...charged]);
      expect(await splitsOf(builder, 'from=2026-11-01T01:00:00Z&granularity=day')).toEqual(charged);
      expect(await splitsOf(builder, 'from=2026-10-01T00:00:00Z&granularity=month')).toEqual([october, whole]);
      expect(await splitsOf(builder, 'from=2026-10-01T00:00:00Z')).toEqual([[1200, 1192, 8]]);
    });

    it('counts the gross before over all tools of the builder, whichever is asked for', async () => {
      const { builder, consumer } = await newWorld(oneUsd, [{ hour: '2026-10-01T00:00:00Z', calls: 1_100 }]);
      const second = await billing.newTool(builder, { price: oneUsd });
      await call(consumer, second, [{ hour: '2026-11-01T00:00:00Z', calls: 100 }]);
      expect(await splitsOf(builder, `tool_id=${second}`)).toEqual([[100, 96, 4]]);
    });

    it('takes the fees in the order (start, tool, consumer)', async () => {
      const { builder, tool } = await newWorld(oneUsd, [{ hour: '2026-11-02T00:00:00Z', calls: 800 }]);
      await call(await billing.newAccount(), tool, [{ hour: '2026-11-02T00:00:00Z', calls: 800 }]);
      expect(await splitsOf(builder, 'group_by=consumer_id')).toEqual([
        [800, 800, 0],
        [800, 776, 24],
      ]);
    });
  });

  describe('GET /v1/usage: 400', () => {
    it.each([
      ['/from', 'from=2026-11-01T00:30:00Z'],
      ['/to', 'to=2026-10-01T00:00:00Z'],
      ['/role', 'role=operator'],
    ])('points at %s of %s', async (pointer, query) => {
      const refused = await read(carol, query);
      expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
    });

    it('advises whoever asks for more than 10,000 rows, and answers 10,000', async () => {
      const frank = await billing.newAccount();
      await billing.owner.query(
        `insert into usage.rollup select $1, 'search', '2020-01-01T00:00:00Z'::timestamptz + make_interval(hours => n), true, 1, 0
       from generate_series(0, 10000) n`,
        [frank.accountId],
      );
      const years = (from: string) => `from=2020-01-01T${from}:00:00Z&to=2030-01-01T00:00:00Z`;
      const refused = await read(frank, `${years('00')}&granularity=hour`);
      expect(refused).toMatchObject({ status: 400, body: { errors: [{ code: 'too_many_rows' }] } });
      expect(await callsOf(frank, `${years('00')}&granularity=day`)).toBe(10_001);
      expect((await read(frank, `${years('01')}&granularity=hour`)).body.usage).toHaveLength(10_000);
    });
  });
});

describe('GET /v1/usage: passes', () => {
  const read = ({ token }: TestAccount, query = '') =>
    billing.send<{ readonly usage: readonly Row[]; readonly totals: Row }>('GET', `/v1/usage?${query}`, { token });

  /** These fields of each row, which the totals add up; nothing of a field that it lacks. */
  async function rowsOf(account: TestAccount, query: string, fields: readonly string[]): Promise<unknown[][]> {
    const { status, body } = await read(account, query);
    expect(status).toBe(200);
    expect(body.totals['calls']).toBe(body.usage.reduce((calls, row) => calls + Number(row['calls']), 0));
    return body.usage.map((row) => fields.map((field) => row[field]).filter((value) => value !== undefined));
  }

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
