import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import { extractText } from 'unpdf';
import type { Line } from '@tollgate/pricing/line';
import type { Invoice, InvoiceStatus } from '../invoice.ts';
import { createFonts } from './fonts.ts';
import { invoice, line, rest } from '../../../test/support/sample-invoice.ts';
import { toInvoiceTexts } from './invoice-texts.ts';
import { layoutInvoice } from './layout-invoice.ts';
import type { TextMark } from './page-design.ts';
import { toPrintableInvoice } from './printable-invoice.ts';
import { createRenderPdf } from './render-pdf.ts';
import { createTypesetter } from './typesetter.ts';

const textsOf = (changes: Partial<Invoice>) => toInvoiceTexts({ invoice: { ...invoice, ...changes }, ...rest });

describe('what an invoice says', () => {
  it('F222 says which part the balance paid, once it is paid, and changes nothing that it billed', () => {
    const paid = { status: 'paid', paidAtMs: Date.parse('2026-10-05T00:00:00Z') } as const;
    const { payments, status: _paid, ...after } = textsOf({ ...paid, balancePaidCents: 30n });
    expect(payments).toEqual([
      { label: 'Paid from the balance', amount: 'USD 0.30' },
      { label: 'Paid by card', amount: 'USD 0.20' },
    ]);
    expect(textsOf({ ...paid, balancePaidCents: 50n }).payments).toEqual([
      { label: 'Paid from the balance', amount: 'USD 0.50' },
    ]);
    const granted = { creditId: 'a', topUpId: null, cents: 20n, calls: null };
    const balanceParts = [granted, { ...granted, topUpId: 'b', cents: 30n }];
    expect(textsOf({ ...paid, balancePaidCents: 50n, balanceParts }).payments).toEqual([
      { label: 'Paid by granted credit', amount: 'USD 0.20' },
      { label: 'Paid from the balance', amount: 'USD 0.30' },
    ]);
    expect(textsOf(paid).payments).toEqual([]);
    const { payments: none, status: _open, ...before } = textsOf({ balancePaidCents: 30n });
    expect(none).toEqual([]);
    expect(after).toEqual(before);
  });

  it('F213 says in how many charges a card has paid, and before that what it has paid so far', () => {
    const paid = { status: 'paid', paidAtMs: Date.parse('2026-10-05T00:00:00Z'), partPaidCents: 20n } as const;
    const printed = { invoice: { ...invoice, ...paid }, ...rest, chargeIds: ['ch_1', 'ch_2', 'ch_3'] };
    const { payments, facts, status } = toInvoiceTexts(printed);
    expect(payments).toEqual([{ label: 'Paid by card in 3 charges', amount: 'USD 0.50' }]);
    expect(facts).toContainEqual(expect.objectContaining({ detail: 'ch_1 and 2 more' }));
    expect(status.amount).toBe('USD 0.50');
    const open = textsOf({ partPaidCents: 20n });
    expect(open.payments).toEqual([{ label: 'Paid by card so far', amount: 'USD 0.20' }]);
    expect(open.status.amount).toBe('USD 0.30');
  });

  it('F222 prints the payments below the total', async () => {
    const paid = { status: 'paid', paidAtMs: Date.parse('2026-10-05T00:00:00Z'), balancePaidCents: 30n } as const;
    const printed = toPrintableInvoice({ invoice: { ...invoice, ...paid }, ...rest });
    const { text } = await extractText(new Uint8Array(await createRenderPdf()(printed)), { mergePages: true });
    expect(text).toContain('Total USD 0.50\nPaid from the balance USD 0.30\nPaid by card USD 0.20');
  });

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
      { details: ['Adjustment for August 2026', 'USD 0.0025 per call'], quantity: '−3 calls', amount: '−0.0075' },
      { details: ['USD 0.0025 per call', `Price version ${line.priceId}`] },
      { details: [`Price version ${other.priceId}`] },
    ]);
  });

  it.each([
    ['1', 'calls', '1 call'],
    ['-1', 'calls', '−1 call'],
    ['2', 'calls', '2 calls'],
    ['1', 'tokens', '1 tokens'],
  ])('of %p %p is %p', (quantity, unit, said) => {
    expect(textsOf({ lines: [{ ...line, quantity, unit }] }).lines).toMatchObject([{ quantity: said }]);
  });

  it('is why nothing is billed below the minimum', () => {
    const below = { totalCents: 0n, carriedOutMicros: micros(12_500n), status: 'carried' } as const;
    expect(textsOf(below).note).toContain('below the minimum of an invoice');
    expect(textsOf({}).note).not.toContain('minimum');
  });
});

const renderPdf = createRenderPdf();

/** Returns the text of each page, as a reader of the file sees it. */
async function pagesOf(lines: readonly Line[]): Promise<string[]> {
  const bytes = await renderPdf(toPrintableInvoice({ invoice: { ...invoice, lines }, ...rest }));
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

  it('shows Chinese, Japanese, Korean and emoji', async () => {
    const name = '每次调用 呼び出し 호출당 龍 😀👩‍👩‍👧';
    const bytes = await renderPdf(toPrintableInvoice({ invoice: { ...invoice, lines: [{ ...line, name }] }, ...rest }));
    const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
    for (const said of ['每次调用', '呼び出し', '호출당', '龍', '😀', '👩']) expect(text).toContain(said);
    expect(String(bytes)).toMatch(/NotoSansSC[\s\S]*NotoSansKR|NotoSansKR[\s\S]*NotoSansSC/);
  });

  it('reads no such font before an invoice needs it, and then each file once', async () => {
    const read: string[] = [];
    const renderCounting = createRenderPdf((path) => {
      read.push(basename(path));
      return readFileSync(path);
    });
    const bytes = await renderCounting(toPrintableInvoice({ invoice, ...rest }));
    expect(read.toSorted()).toEqual(['Inter_400Regular.ttf', 'Inter_600SemiBold.ttf']);
    const chinese = toPrintableInvoice({ invoice: { ...invoice, lines: [{ ...line, name: '龍' }] }, ...rest });
    for (let time = 0; time < 2; time += 1) await renderCounting(chinese);
    const more = read.slice(2).toSorted();
    expect(more).toEqual(['DejaVuSans.ttf', expect.stringMatching(/^noto-sans-sc-\d+-wght-normal\.woff2$/)]);
    expect(String(bytes)).not.toContain('Noto');
    expect(bytes.length).toBeLessThan(40_000);
  });

  it('shows a character beyond the first thousand as a box', async () => {
    const many = (from: number) => String.fromCodePoint(...Array.from({ length: 180 }, (_, index) => from + index));
    const lines = Array.from({ length: 10 }, (_, index) => ({ ...line, name: many(0x4e00 + index * 180) }));
    const bytes = await renderPdf(toPrintableInvoice({ invoice: { ...invoice, lines }, ...rest }));
    const { text } = await extractText(new Uint8Array(bytes), { mergePages: true });
    expect(text).toContain('一');
    expect(new Set(text.match(/\p{Script=Han}/gu))).toHaveProperty('size', 1_000);
  });
});

describe('numbers of sixteen digits', () => {
  const chargeMicros = micros(10n ** 21n + 1n);
  const huge = {
    lines: [line, { ...line, quantity: String(10n ** 15n), chargeMicros }],
    chargeMicros,
    carriedInMicros: chargeMicros,
    totalCents: 10n ** 17n,
    carriedOutMicros: chargeMicros,
    refundedCents: 10n ** 17n,
    status: 'past_due',
  } as const;

  it('are never broken', async () => {
    const quantity = '9'.repeat(60);
    const lines = [...huge.lines, { ...line, quantity }];
    const text = (await pagesOf(lines)).join('\n');
    expect(text).toMatch(/ 1,000,000,000,000,000\s+calls/);
    expect(text).toContain('1,000,000,000,000,000.000001');
    expect(text).toContain(Array.from({ length: 20 }, () => '999').join(','));
  });

  it('never stand over another text', () => {
    const fonts = createFonts();
    const typesetter = createTypesetter(fonts);
    const marks = layoutInvoice(textsOf(huge), typesetter).flat();
    const widthOf = ({ font, text, size }: TextMark) => fonts.shapedWidthOf(font, text) * size;
    const texts = marks.filter((mark): mark is TextMark => mark.kind === 'text');
    const pairs = texts.flatMap((mark, index) => texts.slice(index + 1).map((other) => [mark, other] as const));
    const over = pairs.filter(
      ([one, other]) =>
        one.y === other.y && one.x < other.x + widthOf(other) - 0.5 && other.x < one.x + widthOf(one) - 0.5,
    );
    expect(over).toEqual([]);
  });
});
