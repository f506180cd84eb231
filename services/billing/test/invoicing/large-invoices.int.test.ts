import { encodeCursor } from '@tollgate/runtime/http/lists/cursor';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Invoice, InvoiceLineList, InvoiceList } from '@tollgate/contracts/money/invoices';
import { longestHoldMs } from '@tollgate/testkit/longest-hold';
import { extractText } from 'unpdf';
import { putLargeInvoice } from '../support/put-large-invoice.ts';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let bob: TestAccount;
let id: string;

const tools = 2_000;
const lines = 160_000;
const get = <Body = unknown>(path: string) =>
  billing.send<Body>('GET', `/v1/billing/invoices${path}`, { token: bob.token });
const pdf = () => get(`/${id}.pdf`);

/** The address is printed, so no kept print will do afterwards. */
const repaint = () => billing.owner.query(`update auth.account set email = gen_random_uuid() || '@example.com'`);

beforeAll(async () => {
  const [ada, consumer] = [await billing.newAccount(), await billing.newAccount()];
  bob = consumer;
  const whose = { consumerId: bob.accountId, builderId: ada.accountId, period: '2026-09' };
  const size = { tools, linesPerTool: lines / tools, issuedAtMs: billing.clock.now() };
  id = await putLargeInvoice(billing.owner, { ...whose, ...size });
}, 120_000);

describe('an invoice with 160,000 lines', () => {
  it('F130 is printed with one row per tool, without holding up other requests', async () => {
    let answer = await get('');
    const heldMs = await longestHoldMs(async () => {
      await repaint();
      answer = await pdf();
    });
    expect(answer.status).toBe(200);
    expect(heldMs).toBeLessThan(50);
    const { text, totalPages } = await extractText(answer.bytes.slice(), { mergePages: true });
    expect(totalPages).toBeLessThan(40);
    expect(text).toMatch(/large-\w+-000001 80 lines 0\.80\b/);
    expect(text).toContain('All other tools 120,000 lines 1,200.00');
    expect(text.replaceAll('\n', ' ')).toContain('The 160,000 lines of this invoice are added up by tool');
    expect(text.replaceAll('\n', '')).toContain(`/v1/billing/invoices/${id}/lines`);
    expect(text).toContain('Total USD 1,600.00');
  }, 120_000);

  it('F132 has its first 1,000 lines in the answer, and 20 in a list', async () => {
    const { body: one } = await get<Invoice>(`/${id}`);
    expect(one).toMatchObject({ line_count: lines, lines_truncated: true, total_usd: 1_600 });
    expect(one.lines).toHaveLength(1_000);
    const { body: list } = await get<InvoiceList>('');
    expect(list.invoices).toMatchObject([{ line_count: lines, lines_truncated: true }]);
    expect(list.invoices[0]?.lines).toHaveLength(20);
  });

  it('F132 has all its lines page by page, in order', async () => {
    const { body: first } = await get<InvoiceLineList>(`/${id}/lines?limit=100`);
    expect(first).toMatchObject({ total: lines, has_more: true });
    const { body: one } = await get<Invoice>(`/${id}`);
    expect(first.lines).toEqual(one.lines.slice(0, 100));
    const { body: second } = await get<InvoiceLineList>(`/${id}/lines?cursor=${first.next_cursor}`);
    expect(second.lines).toEqual(one.lines.slice(100, 120));
    const beyond = encodeCursor('lines', [2_147_483_647]); // anybody can make one
    expect(await get(`/${id}/lines?cursor=${beyond}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });
});

it('F131 answers each of many PDFs asked for at once with the file, or with 503 and Retry-After', async () => {
  await repaint();
  const answers = await Promise.all(Array.from({ length: 8 }, pdf));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeLessThanOrEqual(5); // one is made, and two wait
  for (const answer of refused) {
    expect(answer).toMatchObject({ status: 503, body: { code: 'pdf_busy' } });
    expect(answer.headers.get('retry-after')).toBe('2');
  }
}, 60_000);
