import { describe, expect, it } from '@jest/globals';
import { priceInputSchema } from '@tollgate/contracts/tools/price-input';
import { formatUsd, sumMicros } from '@tollgate/kernel/money';
import { periodOf } from '@tollgate/kernel/period';
import { evaluateArithmetic } from '@tollgate/testkit/pricing/evaluate-arithmetic';
import { Fraction } from '@tollgate/testkit/pricing/fraction';
import { readGolden, type GoldenRow, type GoldenSection } from '@tollgate/testkit/pricing/read-golden';
import { priceInForce } from './price-in-force.ts';
import type { RatedPrice } from './rated-price.ts';
import { rateUsage } from './rate-usage.ts';
import type { CountedUsage } from './counted-usage.ts';

const invoices = readGolden(new URL('golden/invoices.md', import.meta.url));
const cell = (row: GoldenRow, name: string): string => {
  const text = row.get(name);
  if (text === undefined) throw new Error(`no column ${name}`);
  return text;
};
const plain = (number: string): string => number.replaceAll(',', '');

/** Headings are "`search` and `answer` from the beginning" or "`search` from 2026-11-11 15:00". */
function pricesOf({ text, blocks }: GoldenSection): RatedPrice[] {
  const own = [...text.matchAll(/The consumer owns `([^`]+)`/g)].map(([, toolId]) => toolId);
  return blocks.flatMap(({ heading, code }) => {
    const since = /from (.*)$/.exec(heading)?.[1] ?? '';
    return [...heading.matchAll(/`([^`]+)`/g)].map(([, toolId = '']) => ({
      priceId: `${toolId} since ${since}`,
      toolId,
      builderId: own.includes(toolId) ? 'consumer' : 'builder',
      effectiveFromMs: since === 'the beginning' ? null : toMs(since),
      price: priceInputSchema.parse(JSON.parse(code)),
    }));
  });
}

function toMs(hour: string): number {
  const ms = Date.parse(`${hour.replace(' ', 'T')}:00Z`);
  if (Number.isNaN(ms)) throw new Error(`not an hour: ${hour}`);
  return ms;
}

function toCountedUsage(row: GoldenRow, prices: readonly RatedPrice[]): CountedUsage {
  const versions = prices.filter(({ toolId }) => toolId === cell(row, 'tool'));
  const price = priceInForce(versions, toMs(cell(row, 'hour')));
  const measures = [...cell(row, 'measures').matchAll(/(\S+) ([\d,.]*\d)/g)];
  return {
    period: periodOf(toMs(cell(row, 'hour'))),
    consumerId: 'consumer',
    priceId: price?.priceId ?? 'none',
    success: cell(row, 'outcome') === 'ok',
    calls: BigInt(plain(cell(row, 'calls'))),
    durationMs: BigInt(plain(cell(row, 'ms'))),
    measures: new Map(measures.map(([, key = '', total = '']) => [key, plain(total)])),
  };
}

function ratedLines(invoice: GoldenSection) {
  const prices = pricesOf(invoice);
  const usage = (invoice.tables.get('hour') ?? []).map((row) => toCountedUsage(row, prices));
  return rateUsage(usage, new Map(prices.map((price) => [price.priceId, price])));
}

const linesOf = (invoice: GoldenSection): readonly GoldenRow[] => invoice.tables.get('tool') ?? [];

describe('golden invoices', () => {
  it('are all read', () => {
    expect(invoices.map((invoice) => linesOf(invoice).length)).toEqual([1, 2, 3, 3, 3, 3, 3, 3, 10, 1]);
  });

  it.each(invoices.map((invoice) => [invoice.title, invoice] as const))('%s', (_title, invoice) => {
    const rated = ratedLines(invoice);
    expect(
      rated.map(({ toolId, priceId, chargeIndex, name, quantity, unit, chargeMicros }) => [
        toolId,
        priceId,
        name === null ? `${chargeIndex}` : `${chargeIndex} ${name}`,
        quantity,
        unit,
        formatUsd(chargeMicros),
      ]),
    ).toEqual(
      linesOf(invoice).map((row) => [
        cell(row, 'tool'),
        `${cell(row, 'tool')} since ${cell(row, 'since')}`,
        cell(row, 'charge'),
        plain(cell(row, 'quantity')),
        cell(row, 'unit'),
        cell(row, 'charge_usd'),
      ]),
    );
    const total = formatUsd(sumMicros(rated.map(({ chargeMicros }) => chargeMicros)));
    expect(invoice.text).toContain(`\nTotal: ${total} USD\n`);
  });

  it.each(invoices.map((invoice) => [invoice.title, invoice] as const))('%s: the arithmetic', (_title, invoice) => {
    for (const row of linesOf(invoice)) {
      const exact = evaluateArithmetic(cell(row, 'arithmetic'));
      const micro = Fraction.of(1_000_000n);
      expect(exact.equals(Fraction.parse(cell(row, 'exactly')))).toBe(true);
      expect(
        Fraction.of(exact.times(micro).roundHalfEven()).equals(Fraction.parse(cell(row, 'charge_usd')).times(micro)),
      ).toBe(true);
    }
  });
});
