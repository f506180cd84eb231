import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PrintableInvoice } from './printable-invoice.ts';

export interface PdfThread {
  /** One invoice at a time. Rejects when the thread fails or ends; it cannot be used afterwards. */
  render(printable: PrintableInvoice): Promise<Buffer>;
  /** Ends the thread at once, also while it renders. */
  end(): Promise<void>;
}

const file = new URL(`./pdf-worker${extname(import.meta.url)}`, import.meta.url);
const heapMbMax = 128;

/** Starts the thread that renders PDFs, from the sources or from the compiled files, as this process runs. */
export function startPdfThread(): PdfThread {
  const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: heapMbMax } });
  const ended = new AbortController();
  worker.on('error', ignore).once('exit', () => ended.abort(new Error('the thread that renders PDFs ended')));
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

function ignore(): void {
  // `render` rejects with the error
}
