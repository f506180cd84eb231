import { describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import { extractText } from 'unpdf';
import type { Line } from '@tollgate/pricing/line';
import type { Invoice, InvoiceStatus } from '../invoice.ts';
import { toInvoiceTexts } from './invoice-texts.ts';
import { toPrintableInvoice } from './printable-invoice.ts';
import { createRenderPdf } from './render-pdf.ts';

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
  lineCount: 1,
  chargeMicros: micros(502_500n),
  carriedInMicros: micros(0n),
  totalCents: 50n,
  carriedOutMicros: micros(2_500n),
  issuedAtMs: Date.parse('2026-10-02T00:00:00Z'),
  dueAtMs: Date.parse('2026-10-16T00:00:00Z'),
  paidAtMs: null,
  refundedCents: 0n,
  isHeld: false,
};

const email = 'ada@example.com';
const textsOf = (changes: Partial<Invoice>) =>
  toInvoiceTexts({ invoice: { ...invoice, ...changes }, email, toolSums: null });

describe('what an invoice says', () => {
  it.each<[InvoiceStatus, object]>([
    ['open', { badge: 'Open', label: 'Amount due', note: 'Due on 16 October 2026' }],
    ['past_due', { badge: 'Past due', note: 'Was due on 16 October 2026' }],
    ['paid', { label: 'Amount paid', note: 'Paid on 5 October 2026' }],
    ['carried', { badge: 'Carried', note: 'Nothing is due' }],
    ['uncollectible', { label: 'Amount not collected' }],
    ['void', { note: 'Nothing is due' }],
  ])('is that it is %s', (status, said) => {
    const paidAtMs = status === 'paid' ? Date.parse('2026-10-05T23:59:59.999Z') : null;
    expect(textsOf({ status, paidAtMs }).status).toMatchObject(said);
  });

  it('is the period of an adjustment, and the price version where two lines look the same', () => {
    const late = { ...line, period: '2026-08', quantity: '-3', chargeMicros: micros(-7_500n) };
    const other = { ...line, priceId: '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1e' };
    expect(textsOf({ lines: [late, line, other] }).lines).toMatchObject([
      { details: ['Adjustment for August 2026'], quantity: '−3 calls', amount: '−0.0075' },
      { details: [`Price version ${line.priceId}`] },
      { details: [`Price version ${other.priceId}`] },
    ]);
  });

  it('is why nothing is billed below the minimum', () => {
    const below = { totalCents: 0n, carriedOutMicros: micros(12_500n), status: 'carried' } as const;
    expect(textsOf(below).note).toContain('below the minimum of an invoice');
    expect(textsOf({}).note).not.toContain('minimum');
  });
});

const renderPdf = createRenderPdf();

/** What a reader of the file sees on each page. */
async function pagesOf(lines: readonly Line[]): Promise<string[]> {
  const bytes = await renderPdf(toPrintableInvoice({ invoice: { ...invoice, lines }, email, toolSums: null }));
  return (await extractText(new Uint8Array(bytes), { mergePages: false })).text;
}

describe('an invoice in print', () => {
  it('repeats the head of the table on each page and has the totals on the last alone', async () => {
    const chargeOf = (index: number) => micros(BigInt(index) * 1_000n);
    const lines = Array.from({ length: 60 }, (_, index) => ({
      ...line,
      toolId: `tool-${index}`,
      chargeMicros: chargeOf(index),
    }));
    const pages = await pagesOf(lines);
    expect(pages.length).toBeGreaterThan(2);
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

  it('takes any text, and no lines at all', async () => {
    const names = {
      hebrew: 'תשלום לכל קריאה 12 שקל, رسوم لكل مكالمة',
      chinese: '每次调用 हिन्दी 𒀀 \u{10ffff} \ue000',
      emoji: '😀👩‍👩‍👧🏳️‍🌈',
      control: 'a\u0001\n\u2028\u202e\u200b\ufeff\t\u0301\u00ad',
      blank: ' \n ',
      marks: `a${'\u0301'.repeat(199)}`,
      longest: 'W'.repeat(200),
    };
    const lines = Object.entries(names).map(([toolId, name]) => ({ ...line, toolId, name, unit: name }));
    const text = (await pagesOf([...lines, line])).join('\n');
    for (const toolId of Object.keys(names)) expect(text).toMatch(new RegExp(`^${toolId}`, 'm'));
    expect(text).toContain('search per call 201 calls 0.5025');
    expect((await pagesOf([])).join()).toContain('No charges in this period');
  });
});
