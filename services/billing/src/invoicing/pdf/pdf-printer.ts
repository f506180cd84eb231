import { createHash } from 'node:crypto';
import type { Service } from '@tollgate/kernel/service';
import { LRUCache } from 'lru-cache';
import { createPdfQueue } from './pdf-queue.ts';
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
