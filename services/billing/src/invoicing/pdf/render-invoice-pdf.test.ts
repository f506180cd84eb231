import { describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import { extractText } from 'unpdf';
import type { Invoice, InvoiceStatus } from '../invoice.ts';
import type { Line } from '@tollgate/pricing/line';
import { createRenderInvoicePdf } from './render-invoice-pdf.ts';

const render = createRenderInvoicePdf();

const line: Line = {
  period: '2026-09',
  consumerId: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b',
  builderId: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1c',
  toolId: 'search',
  priceId: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1d',
  chargeIndex: 0,
  name: 'per call',
  quantity: '201',
  unit: 'calls',
  chargeMicros: micros(502_500n),
};

const invoice: Invoice = {
  id: '8f3b0c1e-7c1d-8e4f-8a5b-6c7d8e9f0a1b',
  number: 42n,
  consumerId: line.consumerId,
  period: '2026-09',
  status: 'open',
  lines: [line],
  chargeMicros: micros(502_500n),
  carriedInMicros: micros(0n),
  totalCents: 50n,
  carriedOutMicros: micros(2_500n),
  issuedAtMs: Date.parse('2026-10-02T00:00:00Z'),
  dueAtMs: Date.parse('2026-10-16T00:00:00Z'),
  paidAtMs: null,
  refundedCents: 0n,
};

async function textOf(changes: Partial<Invoice>): Promise<string[]> {
  const bytes = await render({ invoice: { ...invoice, ...changes }, email: 'ada@example.com' });
  const { text } = await extractText(new Uint8Array(bytes), { mergePages: false });
  return text;
}

describe('an invoice in print', () => {
  it.each<[InvoiceStatus, string]>([
    ['open', 'Due on 16 October 2026'],
    ['past_due', 'Was due on 16 October 2026'],
    ['paid', 'Paid on 5 October 2026'],
    ['uncollectible', 'Amount not collected'],
    ['void', 'Nothing is due'],
  ])('says that it is %s', async (status, said) => {
    const paidAtMs = status === 'paid' ? Date.parse('2026-10-05T23:59:59.999Z') : null;
    expect((await textOf({ status, paidAtMs })).join('\n')).toContain(said);
  });

  it('names the period of an adjustment, and the price version where two lines look the same', async () => {
    const late = { ...line, period: '2026-08', quantity: '-3', chargeMicros: micros(-7_500n) };
    const other = { ...line, priceId: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1e' };
    const text = (await textOf({ lines: [late, line, other] })).join('\n');
    for (const said of ['Adjustment for August 2026', '−3 calls', '−0.0075', line.priceId, other.priceId])
      expect(text).toContain(said);
  });

  it('says why nothing is billed below the minimum, and shows an invoice of carried amounts alone', async () => {
    const below = { totalCents: 0n, carriedOutMicros: micros(12_500n), status: 'paid' } as const;
    expect((await textOf(below)).join(' ').replaceAll('\n', ' ')).toContain('below the minimum of an invoice');
    expect((await textOf({ lines: [] })).join('\n')).toContain('No charges in this period');
  });

  it('repeats the head of the table on each page and has the totals on the last alone', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => ({
      ...line,
      toolId: `tool-${index}`,
      chargeMicros: micros(BigInt(index) * 1_000n),
    }));
    const pages = await textOf({ lines });
    expect(pages.length).toBeGreaterThan(15);
    for (const [index, text] of pages.entries()) {
      expect(text).toContain('Tool Charge Quantity Amount (USD)');
      expect(text).toContain(`Page ${index + 1} of ${pages.length}`);
      expect(text.includes('Total USD 0.50')).toBe(index === pages.length - 1);
    }
    const printed = pages.flatMap((text) => [...text.matchAll(/^tool-(\d+) per call 201 calls (\S+)$/gm)]);
    expect(printed.map(([, index, amount]) => [index, amount])).toEqual(
      lines.map((_, index) => [String(index), (index / 1_000).toFixed(4)]),
    );
  });

  it.each([
    ['right to left', 'תשלום לכל קריאה 12 שקל, رسوم لكل مكالمة'],
    ['characters of no font here', '每次调用 हिन्दी 𒀀 \u{10ffff} \ue000'],
    ['emoji', '😀👩‍👩‍👧🏳️‍🌈'],
    ['what steers', 'a\u0001\n\u2028\u202e\u200b\ufeff\t\u0301\u00ad'],
    ['nothing but space', ' \n '],
    ['marks without end', `a${'\u0301'.repeat(199)}`],
    ['the longest', 'W'.repeat(200)],
  ])('takes any text: %s', async (_, name) => {
    const pages = await textOf({ lines: [{ ...line, name, unit: name }, line] });
    expect(pages).toHaveLength(1);
    expect(pages.join('\n')).toContain('search per call 201 calls 0.5025');
  });
});
