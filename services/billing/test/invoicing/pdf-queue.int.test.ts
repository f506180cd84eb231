import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { micros } from '@tollgate/kernel/money';
import { serveHttp } from '@tollgate/testkit/http-server';
import { createPdfQueue } from '../../src/invoicing/pdf/pdf-printer.ts';
import { sendPdf } from '../../src/invoicing/send-pdf.ts';
import { type PrintableInvoice, toPrintableInvoice } from '../../src/invoicing/pdf/printable-invoice.ts';

const account = '0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b';

const nothing = {
  carriedInMicros: micros(0n),
  carriedOutMicros: micros(0n),
  refundedCents: 0n,
  balancePaidCents: 0n,
  balanceParts: [],
  partPaidCents: 0n,
  heldFor: null,
  paidAtMs: null,
};

function printableOf(rows: number): PrintableInvoice {
  const lines = Array.from({ length: rows }, (_, index) => ({
    period: '2026-09',
    consumerId: account,
    builderId: account,
    toolId: `tool-${index}`,
    priceId: account,
    chargeIndex: 0,
    name: 'a charge with a name that is long enough for a second line of text',
    quantity: '1',
    unit: 'calls',
    chargeMicros: micros(10_000n),
  }));
  const amounts = { chargeMicros: micros(BigInt(rows) * 10_000n), totalCents: BigInt(rows) };
  const times = { issuedAtMs: 0, dueAtMs: 0 };
  const named = { id: account, number: 1n, consumerId: account, period: '2026-09', status: 'open' } as const;
  const invoice = { ...named, ...amounts, ...nothing, ...times, lines, lineCount: rows };
  return toPrintableInvoice({ invoice, email: 'ada@example.com', toolSums: null, prices: new Map(), ...none });
}

const none = { parties: undefined, toolNames: new Map<string, string>(), chargeIds: [] };
const small = printableOf(1);
const large = printableOf(4_000); // several seconds
const never = new AbortController().signal;

let queue: ReturnType<typeof createPdfQueue>;

const isPdf = (bytes: Buffer) => bytes.subarray(0, 5).toString() === '%PDF-';

describe('F131 the queue of PDFs', () => {
  beforeEach(() => {
    queue = createPdfQueue();
  });
  afterEach(() => queue.stop());

  it('renders one after the other in one thread, and takes two that wait', async () => {
    const rendered = Promise.all([small, small, small].map((one) => queue.render(one, never)));
    await expect(queue.render(small, never)).rejects.toMatchObject({ code: 'pdf_busy', retryAfterSeconds: 2 });
    expect((await rendered).every(isPdf)).toBe(true);
    expect(isPdf(await queue.render(small, never))).toBe(true);
  }, 30_000);

  it('frees the place of a caller that hangs up while waiting', async () => {
    const hungUp = new AbortController();
    const first = queue.render(small, never);
    const waiting = Promise.allSettled([queue.render(small, hungUp.signal), queue.render(small, hungUp.signal)]);
    hungUp.abort();
    const others = [queue.render(small, never), queue.render(small, never)];
    expect((await Promise.all([first, ...others])).every(isPdf)).toBe(true);
    const gone = { status: 'rejected', reason: { name: 'AbortError' } };
    expect(await waiting).toMatchObject([gone, gone]);
  }, 30_000);

  it('stops the rendering of a caller that hangs up, and goes on with the next', async () => {
    await queue.render(small, never);
    const hungUp = new AbortController();
    const order: string[] = [];
    const stopped = queue.render(large, hungUp.signal).catch(() => order.push('stopped'));
    const next = queue.render(small, never).then(() => order.push('next'));
    await new Promise(setImmediate);
    hungUp.abort();
    await Promise.all([stopped, next]);
    expect(order).toEqual(['stopped', 'next']);
  }, 30_000);

  it('answers 503 to all that wait when the service stops', async () => {
    const asked = [queue.render(large, never), queue.render(small, never)];
    const settled = Promise.allSettled(asked);
    await new Promise(setImmediate);
    await queue.stop();
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(queue.render(small, never)).rejects.toMatchObject({ code: 'unavailable' });
  }, 30_000);

  it('outlives an invoice that cannot be rendered', async () => {
    const broken = { ...small, texts: { ...small.texts, facts: null } } as unknown as PrintableInvoice;
    await expect(queue.render(broken, never)).rejects.toThrow(/null/);
    expect(isPdf(await queue.render(small, never))).toBe(true);
  }, 30_000);

  it('hears of a client that hangs up, and answers the next', async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const server = await serveHttp((_request, response) => {
      const print = (hungUp: AbortSignal) => {
        asked.resolve(hungUp);
        return queue.render(large, hungUp);
      };
      void sendPdf(response, { fileName: 'invoice.pdf', print });
    });
    const client = new AbortController();
    const gone = fetch(server.baseUrl, { signal: client.signal }).catch(() => 'gone');
    const hungUp = await asked.promise;
    const heard = once(hungUp, 'abort');
    client.abort();
    await heard;
    expect(await gone).toBe('gone');
    expect(isPdf(await queue.render(small, never))).toBe(true);
    await server.close();
  }, 30_000);
});
