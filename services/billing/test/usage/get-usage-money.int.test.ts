import { beforeAll, describe, expect, it } from '@jest/globals';
import { putRollup, putWatermark, type TestRollup } from '../support/put-rollup.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;
let consumer: TestAccount;
let tools = 0;

interface Money {
  readonly start?: string;
  readonly calls: number;
  readonly charge_usd?: number;
  readonly earning_usd?: number;
  readonly fee_usd?: number;
}

interface Usage {
  readonly usage: readonly Money[];
  readonly totals: Money;
}

beforeAll(async () => {
  consumer = await billing.newAccount();
  await putWatermark(billing.owner, '2026-11-21T12:34:50.123Z');
});

/** A builder of its own for each tool: its gross begins at 0. */
async function newTool(price: unknown): Promise<string> {
  builder = await billing.newAccount();
  tools += 1;
  const slug = `tool-${tools}`;
  const made = await billing.send('POST', '/v1/tools', { ...builder, body: { slug, name: slug, price } });
  expect(made.status).toBe(201);
  return slug;
}

async function call(tool: string, rollups: readonly Omit<TestRollup, 'tool' | 'consumerId'>[], by = consumer) {
  for (const rollup of rollups) await putRollup(billing.owner, { ...rollup, tool, consumerId: by.accountId });
}

async function read({ token }: TestAccount, query: string): Promise<Usage> {
  const { status, body } = await billing.send<Usage>('GET', `/v1/usage?${query}`, { token });
  expect(status).toBe(200);
  return body;
}

const chargesOf = ({ usage }: Usage) => usage.map((row) => row.charge_usd);
const partsOf = ({ charge_usd: charge, earning_usd: earning, fee_usd: fee }: Money) => [charge, earning, fee];
const charge = (model: unknown, metric: unknown = { type: 'calls' }) => ({ metric, model });
const priced = (...charges: unknown[]) => ({ currency: 'usd', charges });
const tier = (upTo: string | null, unitPriceUsd: string) => ({ up_to: upTo, unit_price_usd: unitPriceUsd });
const perUnit = (unitPriceUsd: string) => ({ type: 'per_unit', unit_price_usd: unitPriceUsd });
const twoTiers = [tier('10', '1'), tier(null, '0.1')];
const november = 'from=2026-11-01T00:00:00Z&to=2026-12-01T00:00:00Z';

describe('GET /v1/usage: 200, what it cost', () => {
  // 8, 3 and 1 calls on three days, of 100 ms and 1.5 tokens each.
  const days = [8, 3, 1].map((calls, index) => ({
    hour: `2026-11-0${index + 1}T05:00:00Z`,
    calls,
    durationMs: BigInt(calls) * 100n,
    measures: { tokens: String(calls * 1.5) },
  }));

  it.each([
    ['per call', priced(charge(perUnit('0.0025'))), [0.02, 0.0075, 0.0025], 0.03],
    ['per millisecond', priced(charge(perUnit('0.00001'), { type: 'duration_ms' })), [0.008, 0.003, 0.001], 0.012],
    ['per token', priced(charge(perUnit('2'), { type: 'metadata_sum', key: 'tokens' })), [24, 9, 3], 36],
    ['graduated', priced(charge({ type: 'graduated', tiers: twoTiers })), [8, 2.1, 0.1], 10.2],
    [
      'volume, below 0 where all became cheaper',
      priced(charge({ type: 'volume', tiers: twoTiers })),
      [8, -6.9, 0.1],
      1.2,
    ],
    ['package', priced(charge({ type: 'package', size: '5', package_price_usd: '3' })), [6, 3, 0], 9],
    [
      'two charges',
      priced(charge(perUnit('1')), charge(perUnit('0.001'), { type: 'duration_ms' })),
      [8.8, 3.3, 1.1],
      13.2,
    ],
    ['free quantity', priced({ ...charge(perUnit('1')), free_quantity: '9' }), [0, 2, 1], 3],
    ['rounded once a line', priced(charge(perUnit('0.0000004'))), [0.000003, 0.000001, 0.000001], 0.000005],
    ['nothing', priced(), [0, 0, 0], 0],
  ])('%s: for the consumer as for the builder', async (_model, price, charges, total) => {
    const tool = await newTool(price);
    await call(tool, days);
    for (const [account, role] of [
      [consumer, 'consumer'],
      [builder, 'builder'],
    ] as const) {
      const usage = await read(account, `${november}&tool_id=${tool}&granularity=day&role=${role}`);
      expect(chargesOf(usage)).toEqual(charges);
      expect(usage.totals.charge_usd).toBe(total);
      const whole = await read(account, `${november}&tool_id=${tool}&role=${role}`);
      expect(chargesOf(whole)).toEqual([total]);
    }
  });

  it('counts tiers from the beginning of the month, also for rows that begin later, and anew with each month', async () => {
    const tool = await newTool(priced(charge({ type: 'graduated', tiers: twoTiers })));
    await call(tool, [{ hour: '2026-10-31T23:00:00Z', calls: 50 }, ...days]);
    const from = (start: string) => read(consumer, `from=${start}&to=2026-12-01T00:00:00Z&tool_id=${tool}`);
    expect(chargesOf(await from('2026-11-02T00:00:00Z'))).toEqual([2.2]);
    expect(chargesOf(await from('2026-11-02T05:00:00Z'))).toEqual([2.2]);
    expect(chargesOf(await from('2026-11-02T06:00:00Z'))).toEqual([0.1]);
    expect(chargesOf(await from('2026-11-01T00:00:00Z'))).toEqual([10.2]);
    expect(chargesOf(await from('2026-10-01T00:00:00Z'))).toEqual([24.2]);
  });

  it('begins its rows where the hours asked for begin, in the middle of a day or month too', async () => {
    const tool = await newTool({ per_call_usd: '1' });
    await call(tool, [{ hour: '2026-11-01T04:00:00Z', calls: 2 }, ...days]);
    for (const [granularity, start] of [
      ['day', '2026-11-01'],
      ['month', '2026-11-01'],
    ] as const) {
      const { usage } = await read(consumer, `from=2026-11-01T05:00:00Z&tool_id=${tool}&granularity=${granularity}`);
      expect(usage[0]).toMatchObject({ start: `${start}T00:00:00.000Z`, charge_usd: granularity === 'day' ? 8 : 12 });
    }
  });

  it('rates each hour by the version that was in force in it, with tiers of its own', async () => {
    const tool = await newTool(priced(charge({ type: 'volume', tiers: twoTiers })));
    const later = { price: { per_call_usd: '0.5' }, effective_from: '2026-11-25T06:00:00Z' };
    expect((await billing.send('POST', `/v1/tools/${tool}/prices`, { ...builder, body: later })).status).toBe(201);
    await call(tool, [
      { hour: '2026-11-25T05:00:00Z', calls: 4 },
      { hour: '2026-11-25T06:00:00Z', calls: 100 },
    ]);
    expect(chargesOf(await read(consumer, `tool_id=${tool}&granularity=hour`))).toEqual([4, 50]);
    expect(chargesOf(await read(consumer, `tool_id=${tool}&granularity=day`))).toEqual([54]);
  });

  it('bills failed calls only if the price says so, and says nothing of money by outcome', async () => {
    const calls = [true, false].map((success) => ({ hour: '2026-11-01T05:00:00Z', success, calls: 2 }));
    for (const [bills, cost] of [
      [true, 4],
      [false, 2],
    ] as const) {
      const tool = await newTool({ ...priced(charge(perUnit('1'))), bill_failed_calls: bills });
      await call(tool, calls);
      expect(chargesOf(await read(consumer, `tool_id=${tool}`))).toEqual([cost]);
      const split = await read(builder, `tool_id=${tool}&group_by=success&role=builder`);
      for (const row of [...split.usage, split.totals]) expect(partsOf(row)).toEqual([undefined, undefined, undefined]);
      expect(split.usage).toHaveLength(2);
    }
  });

  it('counts the tiers of each consumer on, however many slices there are', async () => {
    const tool = await newTool(priced(charge({ type: 'graduated', tiers: twoTiers })));
    await billing.owner.query(
      `insert into usage.rollup
       select md5(consumer::text)::uuid, $1, '2026-11-01T00:00:00Z'::timestamptz + make_interval(hours => n), true, 1, 0
       from generate_series(1, 10) consumer, generate_series(0, 719) n`,
      [tool],
    );
    for (const granularity of ['hour', 'day', 'month']) {
      const { totals } = await read(builder, `${november}&role=builder&granularity=${granularity}`);
      expect(partsOf(totals)).toEqual([810, 810, 0]); // 10 + 710 × 0.1 for each of 10
    }
  });

  it('is free for the builder itself', async () => {
    const tool = await newTool({ per_call_usd: '1' });
    await call(tool, days, builder);
    expect(chargesOf(await read(builder, `tool_id=${tool}`))).toEqual([0]);
    expect((await read(builder, 'role=builder')).totals).toMatchObject({ calls: 12, charge_usd: 0, earning_usd: 0 });
  });

  it("shows nobody another account's money", async () => {
    const tool = await newTool({ per_call_usd: '1' });
    await call(tool, days);
    const stranger = await billing.newAccount();
    for (const query of ['role=builder', `tool_id=${tool}`, `tool_id=${tool}&role=builder&group_by=consumer_id`]) {
      const { usage, totals } = await read(stranger, query);
      expect([usage, totals.charge_usd]).toEqual([[], 0]);
    }
    const other = await billing.newAccount();
    await call(tool, [{ hour: '2026-11-01T05:00:00Z', calls: 1 }], other);
    expect(chargesOf(await read(other, `tool_id=${tool}`))).toEqual([1]);
    expect(chargesOf(await read(consumer, `tool_id=${tool}`))).toEqual([12]);
    expect(chargesOf(await read(builder, 'role=builder'))).toEqual([13]);
  });
});

describe('GET /v1/usage: 200, how it is split', () => {
  it('F54 takes no fee of the first 1,000 USD, and 4 % of each row after them', async () => {
    const tool = await newTool({ per_call_usd: '1' });
    await call(tool, [
      { hour: '2026-10-31T23:00:00Z', calls: 900 },
      { hour: '2026-11-01T00:00:00Z', calls: 50 },
      { hour: '2026-11-01T01:00:00Z', calls: 150 },
      { hour: '2026-11-03T00:00:00Z', calls: 100 },
    ]);
    const hours = await read(builder, `${november}&role=builder&granularity=hour`);
    expect(hours.usage.map(partsOf)).toEqual([
      [50, 50, 0],
      [150, 146, 4],
      [100, 96, 4],
    ]);
    expect(partsOf(hours.totals)).toEqual([300, 292, 8]);
    const later = await read(builder, 'from=2026-11-01T01:00:00Z&role=builder&granularity=day');
    expect(later.usage.map(partsOf)).toEqual([
      [150, 146, 4],
      [100, 96, 4],
    ]);
    const all = await read(builder, 'from=2026-10-01T00:00:00Z&role=builder&granularity=month');
    expect(all.usage.map(partsOf)).toEqual([
      [900, 900, 0],
      [300, 292, 8],
    ]);
    expect((await read(builder, 'from=2026-10-01T00:00:00Z&role=builder')).usage.map(partsOf)).toEqual([
      [1200, 1192, 8],
    ]);
  });

  it('counts the gross before over all tools of the builder, whichever is asked for', async () => {
    const first = await newTool({ per_call_usd: '1' });
    const owner = builder;
    const body = { slug: `${first}-b`, name: 'b', price: { per_call_usd: '1' } };
    await billing.send('POST', '/v1/tools', { ...owner, body });
    await call(first, [{ hour: '2026-10-01T00:00:00Z', calls: 1_100 }]);
    await call(body.slug, [{ hour: '2026-11-01T00:00:00Z', calls: 100 }]);
    const { usage } = await read(owner, `role=builder&tool_id=${body.slug}`);
    expect(usage.map(partsOf)).toEqual([[100, 96, 4]]);
  });

  it('takes the fees in the order (start, tool, consumer)', async () => {
    const tool = await newTool({ per_call_usd: '1' });
    const others = [await billing.newAccount(), await billing.newAccount()];
    for (const other of others) await call(tool, [{ hour: '2026-11-02T00:00:00Z', calls: 800 }], other);
    const { usage } = await read(builder, 'role=builder&group_by=consumer_id');
    expect(usage.map(partsOf)).toEqual([
      [800, 800, 0],
      [800, 776, 24],
    ]);
  });

  it('tells consumers neither earning nor fee', async () => {
    const { usage, totals } = await read(consumer, 'granularity=day');
    for (const row of [...usage, totals]) {
      expect(row).toHaveProperty('charge_usd');
      expect(row).not.toHaveProperty('earning_usd');
      expect(row).not.toHaveProperty('fee_usd');
    }
  });
});
