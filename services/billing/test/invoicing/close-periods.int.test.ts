import { randomUUID } from 'node:crypto';
import { useEach } from '@tollgate/testkit/use-world';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InvoicingFixture, createInvoicingFixture, perCall } from '../support/invoicing-fixture.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { formatUsd, micros, parseUsd } from '@tollgate/kernel/money';
import type { Invoice } from '../../src/invoicing/invoice.ts';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { readInvoiceOfPeriod } from '../../src/invoicing/sql-invoices.ts';
import { evaluateArithmetic } from '@tollgate/testkit/pricing/evaluate-arithmetic';
import { Fraction } from '@tollgate/testkit/pricing/fraction';
import { type GoldenRow, type GoldenSection, readGolden } from '@tollgate/testkit/pricing/read-golden';
import { testDatabaseOfLocale } from '@tollgate/testkit/postgres';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { createReconcile } from '../../src/audit/reconcile.ts';
import { findLedgerDifferences } from '../../src/audit/sql-ledger-checks.ts';
import { createReadUsage } from '../../src/usage/read-usage.ts';
import { type MoneyWorld, createMoneyWorld } from '../support/money-simulation/create-money-world.ts';

const consumers = Array.from({ length: 7 }, (_, index) => `1000000${index}-0000-4000-8000-000000000000`);
const [ada = '', bob = ''] = consumers;
const inJanuary = '2026-01-05T00:00:00Z';
const consumerId = '10000000-0000-4000-8000-000000000000';
const [prices, ...closes] = readGolden(new URL('../../src/invoicing/golden/closes.md', import.meta.url));

const rowsOf = (section: GoldenSection | undefined, table: string): readonly GoldenRow[] =>
  section?.tables.get(table) ?? [];
const cell = (row: GoldenRow, name: string): string => (row.get(name) ?? '').replaceAll(',', '');
const toHour = (text: string): string => `${text.replace(' ', 'T')}:00Z`;
let sinceOf: Map<string, string>;

function amountsOf({ chargeMicros, carriedInMicros, totalCents, carriedOutMicros, status }: Invoice) {
  return {
    charge: formatUsd(chargeMicros),
    'carried in': formatUsd(carriedInMicros),
    owed: formatUsd(micros(chargeMicros + carriedInMicros)),
    billed: formatUsd(centsToMicros(totalCents)),
    'carried out': formatUsd(carriedOutMicros),
    status,
  };
}
const consumer = '1000000a-0000-4000-8000-000000000000';
const startMs = Date.parse('2024-01-20T12:00:00Z');

/** Otherwise than byte by byte, and otherwise than people with another language would. */
const tools = ['ab', 'a-c', 'a1', 'z', 'a-b-1'];

describe('close periods', () => {
  const fixture = useEach(() => createInvoicingFixture());
  const builder = '00000000-0000-4000-8000-00000000000b';

  beforeEach(async () => {
    await fixture.putTool({ slug: 'search', ownerId: builder, price: perCall('0.01') });
  });

  const invoicesOf = (consumerId: string) =>
    fixture.owner.query<object>('select * from billing.invoice where consumer_id = $1 order by period', [consumerId]);
  const linesOf = (consumerId: string) =>
    fixture.owner.query<object>(
      `select period, quantity, l.charge_micros, adjustment_of from billing.invoice_line l join billing.invoice using (invoice_id)
     where consumer_id = $1 order by period, place`,
      [consumerId],
    );
  const use = (consumerId: string, hour: string, calls: number, tool = 'search') =>
    fixture.addUsage({ consumerId, tool, hour, calls });

  describe('the close of a period', () => {
    it('waits for the watermark: 24 hours past the end, not a millisecond less', async () => {
      await use(ada, '2026-10-31T23:00:00Z', 100);
      await putWatermark(fixture.owner, '2026-11-01T23:59:59.999Z');
      expect(await fixture.closeDuePeriods(Date.parse('2027-01-01T00:00:00Z'))).toEqual([]);
      await putWatermark(fixture.owner, '2026-11-02T00:00:00.000Z');
      expect(await fixture.closeDuePeriods(Date.parse('2026-11-02T00:00:01Z'))).toEqual([
        { period: '2026-10', invoices: 1 },
      ]);
      expect(await fixture.closeDuePeriods(Date.parse('2026-11-02T00:00:02Z'))).toEqual([]);
    });

    it('does nothing where nothing was ever used or counted', async () => {
      expect(await fixture.closeDuePeriods(Date.parse('2027-01-01T00:00:00Z'))).toEqual([]);
      await use(ada, '2026-10-31T23:00:00Z', 1);
      expect(await fixture.closeDuePeriods(Date.parse('2027-01-01T00:00:00Z'))).toEqual([]);
    });

    it('bills whole cents and carries the rest into the next invoice, over months without any', async () => {
      await fixture.putTool({ slug: 'cheap', ownerId: builder, price: perCall('0.0001') });
      await use(ada, inJanuary, 12_345, 'cheap');
      await fixture.close('2026-01');
      await fixture.close('2026-02');
      await use(ada, '2026-03-05T00:00:00Z', 10_055, 'cheap');
      await fixture.close('2026-03');
      expect(await invoicesOf(ada)).toMatchObject([
        { period: '2026-01', charge_micros: '1234500', total_cents: '123', carried_out_micros: '4500', status: 'open' },
        { period: '2026-03', carried_in_micros: '4500', total_cents: '101', carried_out_micros: '0', status: 'open' },
      ]);
    });

    it('bills nothing below the minimum: that invoice waits for no payment, and all of it is carried', async () => {
      await use(ada, inJanuary, 49);
      await fixture.close('2026-01');
      await use(ada, '2026-02-05T00:00:00Z', 1);
      await fixture.close('2026-02');
      expect(await invoicesOf(ada)).toMatchObject([
        { status: 'paid', total_cents: '0', carried_out_micros: '490000' },
        { status: 'open', carried_in_micros: '490000', total_cents: '50', carried_out_micros: '0' },
      ]);
    });

    it('makes no invoice for who has no lines: own calls, failed ones, free tools', async () => {
      await fixture.putTool({ slug: 'free', ownerId: builder, price: { ...perCall('1'), charges: [] } });
      await use(builder, inJanuary, 100);
      await fixture.addUsage({ consumerId: ada, tool: 'search', hour: inJanuary, success: false, calls: 9 });
      await use(bob, inJanuary, 9, 'free');
      await fixture.close('2026-01');
      expect(await fixture.owner.query('select number from billing.invoice')).toEqual([]);
      expect(await fixture.owner.query('select period from billing.closed_period')).toEqual([{ period: '2026-01' }]);
    });

    it('numbers without gaps over batches, periods and consumers', async () => {
      for (const consumer of consumers) await use(consumer, inJanuary, 100);
      await fixture.close('2026-01');
      for (const consumer of consumers.slice(2)) await use(consumer, '2026-02-05T00:00:00Z', 100);
      await fixture.close('2026-02');
      const rows = await fixture.owner.query<{ number: bigint }>('select number from billing.invoice order by 1');
      expect(rows.map(({ number }) => Number(number))).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    });

    it('closes the months that have passed one after the other', async () => {
      await use(ada, '2025-12-31T23:00:00Z', 100);
      await use(ada, '2026-02-01T00:00:00Z', 100);
      await fixture.close('2026-02');
      expect(await fixture.owner.query('select period from billing.closed_period order by 1')).toEqual([
        { period: '2025-12' },
        { period: '2026-01' },
        { period: '2026-02' },
      ]);
    });
  });

  describe('F46 what is counted late', () => {
    it('belongs to its own period until the close, and is an adjustment of the next invoice after it', async () => {
      await use(ada, '2026-01-31T23:00:00Z', 100);
      await use(ada, '2026-02-01T00:00:00Z', 200);
      await fixture.close('2026-01');
      const before = await invoicesOf(ada);
      await use(ada, '2026-01-31T23:00:00Z', 7);
      await fixture.close('2026-02');
      expect((await invoicesOf(ada)).slice(0, 1)).toEqual(before);
      expect(await linesOf(ada)).toEqual([
        { period: '2026-01', quantity: '100', charge_micros: '1000000', adjustment_of: null },
        { period: '2026-02', quantity: '7', charge_micros: '70000', adjustment_of: '2026-01' },
        { period: '2026-02', quantity: '200', charge_micros: '2000000', adjustment_of: null },
      ]);
    });

    it('is billed once, also over several closes and for who had no invoice then', async () => {
      await use(ada, '2026-01-31T23:00:00Z', 100);
      await fixture.close('2026-01');
      await use(bob, '2026-01-31T23:00:00Z', 60);
      await fixture.close('2026-02');
      await use(bob, '2026-01-31T22:00:00Z', 5);
      await fixture.close('2026-03');
      await fixture.close('2026-04');
      expect(await linesOf(bob)).toMatchObject([
        { period: '2026-02', quantity: '60', adjustment_of: '2026-01' },
        { period: '2026-03', quantity: '5', adjustment_of: '2026-01' },
      ]);
      expect(await invoicesOf(ada)).toHaveLength(1);
    });

    it('may lower what was charged, where it reaches a cheaper tier: a credit that later charges use up', async () => {
      const tiers = [
        { up_to: '100', unit_price_usd: '0.1', flat_price_usd: '0' },
        { up_to: null, unit_price_usd: '0.01', flat_price_usd: '0' },
      ];
      const model = { type: 'volume', tiers } as const;
      const charges = perCall('1').charges.map((charge) => ({ ...charge, model }));
      await fixture.putTool({ slug: 'volume', ownerId: builder, price: { ...perCall('1'), charges } });
      await use(ada, inJanuary, 100, 'volume');
      await fixture.close('2026-01');
      await use(ada, inJanuary, 1, 'volume');
      await fixture.close('2026-02');
      await use(ada, '2026-03-05T00:00:00Z', 1_000);
      await fixture.close('2026-03');
      expect(await invoicesOf(ada)).toMatchObject([
        { total_cents: '1000' },
        { charge_micros: '-8990000', total_cents: '0', carried_out_micros: '-8990000', status: 'paid' },
        { carried_in_micros: '-8990000', total_cents: '101', carried_out_micros: '0' },
      ]);
    });
  });

  describe('F47 month ends', () => {
    it.each([
      ['2023-02', '2023-02-28T23:00:00Z', '2023-03-01T00:00:00Z'],
      ['2024-02', '2024-02-29T23:00:00Z', '2024-03-01T00:00:00Z'],
      ['2100-02', '2100-02-28T23:00:00Z', '2100-03-01T00:00:00Z'],
      ['2026-04', '2026-04-30T23:00:00Z', '2026-05-01T00:00:00Z'],
      ['2026-12', '2026-12-31T23:00:00Z', '2027-01-01T00:00:00Z'],
      ['2026-03', '2026-03-29T01:00:00Z', '2026-04-01T00:00:00Z'],
    ])('%s holds its last hour %s and not %s', async (period, last, next) => {
      await use(ada, last, 100);
      await use(ada, next, 10_000);
      await fixture.close(period);
      expect(await invoicesOf(ada)).toMatchObject([{ period, charge_micros: '1000000' }]);
    });
  });

  describe('F48 another time zone', () => {
    it('of the session moves no hour into another month', async () => {
      await fixture.owner.query(`alter database ${fixture.database.name} set timezone to 'America/Sao_Paulo'`);
      await use(ada, '2026-10-31T23:00:00Z', 100);
      await use(ada, '2026-11-01T00:00:00Z', 10_000);
      await fixture.close('2026-10');
      expect(await fixture.worker.query('show timezone')).toEqual([{ TimeZone: 'America/Sao_Paulo' }]);
      expect(await invoicesOf(ada)).toMatchObject([{ period: '2026-10', charge_micros: '1000000' }]);
    });
  });

  describe('a closed invoice', () => {
    it('and its prices are changed by nobody', async () => {
      await use(ada, inJanuary, 100);
      await fixture.close('2026-01');
      for (const statement of [
        'update billing.invoice set total_cents = 0',
        'delete from billing.invoice',
        'update billing.invoice_line set charge_micros = 0',
        'delete from billing.invoice_line',
        'delete from billing.closed_period',
        "update billing.invoice_parties set issuer = '{}'",
        'delete from billing.invoice_tool',
      ])
        await expect(fixture.worker.query(statement)).rejects.toThrow(/permission denied/);
      for (const statement of [
        'delete from billing.tool_price',
        'delete from billing.tool',
        'truncate billing.tool cascade',
      ])
        await expect(fixture.owner.query(statement)).rejects.toThrow(/append-only/);
    });

    it('takes no more lines, and charges what its lines do', async () => {
      await use(ada, inJanuary, 100);
      await fixture.close('2026-01');
      const line = `insert into billing.invoice_line select invoice_id, 2, tool_id, price_id, 1, builder_id, name, 1, unit, 5, null
      from billing.invoice_line`;
      await expect(fixture.worker.query(line)).rejects.toThrow(/takes no more lines/);
      await expect(fixture.worker.query(line.replace('select invoice_id', 'select gen_random_uuid()'))).rejects.toThrow(
        'there is no such invoice',
      );
      for (const other of ['tool_id, gen_random_uuid()', `'find', price_id`])
        await expect(fixture.worker.query(line.replace('tool_id, price_id', other))).rejects.toThrow(
          'there is no such price of this tool',
        );
      const invoice = `insert into billing.invoice values ($1, 2, $2, '2026-02', 'open', 10000, 0, 1, 0, '2026-03-02Z', '2026-03-16Z')`;
      await expect(fixture.worker.query(invoice, [randomUUID(), ada])).rejects.toThrow(/charges 10000, its lines 0/);
    });
  });
});

describe('golden closes', () => {
  const builder = '00000000-0000-4000-8000-00000000000b';

  let fixture: InvoicingFixture;

  async function setUp(limits?: { readonly batchUsageRowsMax: number }): Promise<void> {
    fixture = await createInvoicingFixture(undefined, limits);
    const versions = rowsOf(prices, 'since').map((row) => ({
      since: cell(row, 'since'),
      price: perCall(cell(row, 'per call')),
    }));
    const [first = { since: '', price: perCall('0') }, ...rest] = versions;
    const later = rest.map(({ since, price }) => ({ from: toHour(since), price }));
    const ids = await fixture.putTool({ slug: 'search', ownerId: builder, price: first.price, later });
    sinceOf = new Map(ids.map((id, index) => [id, versions[index]?.since ?? '']));
  }

  describe.each([
    ['F55 golden closes', undefined],
    ['F133 golden closes, each invoice made in parts', { batchUsageRowsMax: 0 }],
  ])('%s', (_name, limits) => {
    beforeAll(() => setUp(limits));
    afterAll(() => fixture.drop());

    it.each(closes.map((close) => [close.title, close] as const))('%s', async (title, close) => {
      for (const row of rowsOf(close, 'hour')) {
        const hour = toHour(cell(row, 'hour'));
        await fixture.addUsage({ consumerId, tool: 'search', hour, calls: Number(cell(row, 'calls')) });
      }
      const period = title.slice(0, 7);
      await fixture.close(period);
      const invoice = await fixture.worker.transaction((tx) => readInvoiceOfPeriod(tx, consumerId, period));
      expect(
        invoice?.lines.map((line) => [
          line.period,
          sinceOf.get(line.priceId),
          line.quantity,
          formatUsd(line.chargeMicros),
        ]),
      ).toEqual(
        rowsOf(close, 'month').map((row) => [
          cell(row, 'month'),
          cell(row, 'price since'),
          cell(row, 'quantity'),
          cell(row, 'charge_usd'),
        ]),
      );
      expect(invoice && amountsOf(invoice)).toEqual(Object.fromEntries(rowsOf(close, 'charge')[0] ?? []));
    });
  });

  describe('golden closes', () => {
    it.each(closes.map((close) => [close.title, close] as const))('%s: the arithmetic', (_title, close) => {
      for (const row of rowsOf(close, 'month')) {
        const exact = evaluateArithmetic(row.get('arithmetic') ?? '').times(Fraction.of(1_000_000n));
        expect(exact.roundHalfEven()).toBe(parseUsd(cell(row, 'charge_usd')));
      }
    });
  });
});

describe('a database that sorts texts as people do', () => {
  const builder = '0000000b-0000-4000-8000-00000000000a';

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
    const { rows } = await createReadUsage({ database: world.checkLedgerOn, scope: 'lifetime' })(query);
    expect(rows.map(({ toolId }) => toolId)).toEqual(tools.toSorted());
  });
});
