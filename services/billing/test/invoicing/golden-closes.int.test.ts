import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatUsd, micros, parseUsd } from '@tollgate/kernel/money';
import type { Invoice } from '../../src/invoicing/invoice.ts';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { readInvoiceOfPeriod } from '../../src/invoicing/sql-invoices.ts';
import { evaluateArithmetic } from '@tollgate/testkit/pricing/evaluate-arithmetic';
import { Fraction } from '@tollgate/testkit/pricing/fraction';
import { createInvoicingFixture, perCall, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import { readGolden, type GoldenRow, type GoldenSection } from '@tollgate/testkit/pricing/read-golden';

const builder = '00000000-0000-4000-8000-00000000000b';
const consumerId = '10000000-0000-4000-8000-000000000000';
const [prices, ...closes] = readGolden(new URL('../../src/invoicing/golden/closes.md', import.meta.url));
const rowsOf = (section: GoldenSection | undefined, table: string): readonly GoldenRow[] =>
  section?.tables.get(table) ?? [];
const cell = (row: GoldenRow, name: string): string => (row.get(name) ?? '').replaceAll(',', '');
const toHour = (text: string): string => `${text.replace(' ', 'T')}:00Z`;

let fixture: InvoicingFixture;
let sinceOf: Map<string, string>;

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
