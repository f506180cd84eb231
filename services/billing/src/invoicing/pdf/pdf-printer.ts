import { createHash } from 'node:crypto';
import type { Service } from '@tollgate/kernel/service';
import { LRUCache } from 'lru-cache';
import { AppError } from '@tollgate/kernel/app-error';
import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PrintableInvoice } from './printable-invoice.ts';

export interface PdfPrinter extends Service {
  /** Throws `pdf_busy` when too many wait. Rejects once `hungUp` is aborted. */
  print(printable: PrintableInvoice, hungUp: AbortSignal): Promise<Buffer>;
}

const keptBytesMax = 16 * 1024 * 1024;

/** Prints invoices and credit notes, and keeps the latest prints. A print is found by all that it shows, so a paid invoice has another. */
export function createPdfPrinter(): PdfPrinter {
  const kept = new LRUCache<string, Buffer>({ maxSize: keptBytesMax, sizeCalculation: ({ length }) => length });
  const queue = createPdfQueue();
  return {
    name: 'billing-pdf',
    start: async () => undefined, // the thread starts with the first PDF
    stop: queue.stop,
    async print(printable, hungUp) {
      const key = keyOf(printable);
      const bytes = kept.get(key) ?? (await queue.render(printable, hungUp));
      kept.set(key, bytes);
      return bytes;
    },
  };
}

function keyOf(printable: PrintableInvoice): string {
  return createHash('sha256').update(JSON.stringify(printable)).digest('base64');
}

/** One invoice is rendered, and at most so many wait. */
const waitingMax = 2;
const retryAfterSeconds = 2;

/**
 * Renders one PDF after the other in a thread, which starts with the first. `render` throws `pdf_busy` when too many wait,
 * and rejects once `hungUp` is aborted: the place in the queue is free again, and a rendering in progress is stopped.
 */
export function createPdfQueue() {
  const places = new Set<symbol>();
  let thread: PdfThread | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isStopped = false;

  async function render(printable: PrintableInvoice, hungUp: AbortSignal): Promise<Buffer> {
    if (places.size > waitingMax) throw new AppError('pdf_busy', 'Other PDFs are being made.', { retryAfterSeconds });
    const place = Symbol('place');
    const free = (): void => void places.delete(place);
    places.add(place);
    hungUp.addEventListener('abort', free, { once: true });
    const turn = last.then(() => renderNow(printable, hungUp));
    last = turn.catch(ignore);
    try {
      return await turn;
    } finally {
      free();
      hungUp.removeEventListener('abort', free);
    }
  }

  async function renderNow(printable: PrintableInvoice, hungUp: AbortSignal): Promise<Buffer> {
    hungUp.throwIfAborted();
    if (isStopped) throw new AppError('unavailable', 'The service is stopping.');
    thread ??= startPdfThread();
    const stopThread = (): void => void endThread();
    hungUp.addEventListener('abort', stopThread, { once: true });
    try {
      return await thread.render(printable);
    } catch (error) {
      await endThread();
      throw error;
    } finally {
      hungUp.removeEventListener('abort', stopThread);
    }
  }

  async function endThread(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await ending?.end();
  }

  async function stop(): Promise<void> {
    isStopped = true;
    await endThread();
    await last;
  }

  return { render, stop };
}

function ignore(): void {
  // the caller of `render` has the error
}

interface PdfThread {
  /** One invoice at a time. Rejects when the thread fails or ends; it cannot be used afterwards. */
  render(printable: PrintableInvoice): Promise<Buffer>;
  /** Ends the thread at once, also while it renders. */
  end(): Promise<void>;
}

const file = new URL(`./pdf-worker${extname(import.meta.url)}`, import.meta.url);
const heapMbMax = 128;

/** Starts the thread that renders PDFs, from the sources or from the compiled files, as this process runs. */
function startPdfThread(): PdfThread {
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: heapMbMax } });
  const ended = new AbortController();
  worker.on('error', ignoreEnd).once('exit', () => ended.abort(new Error('the thread that renders PDFs ended')));
  return {
    async render(printable) {
      worker.postMessage(printable);
      const [bytes] = (await once(worker, 'message', { signal: ended.signal })) as [Uint8Array<ArrayBuffer>];
      return Buffer.from(bytes.buffer);
    },
    async end() {
      await worker.terminate();
    },
  };
}

function ignoreEnd(): void {
  // `render` rejects with the error
}
