import { parentPort } from 'node:worker_threads';
import type { PrintableInvoice } from './printable-invoice.ts';
import { createRenderPdf } from './render-pdf.ts';

// The thread that `startPdfThread` starts: it answers each invoice with its bytes. An error ends the thread.
const renderPdf = createRenderPdf();
parentPort?.on('message', (printable: PrintableInvoice) => void answer(printable));

async function answer(printable: PrintableInvoice): Promise<void> {
  const bytes = new Uint8Array(await renderPdf(printable)); // a copy: a small Buffer shares its memory with others
  parentPort?.postMessage(bytes, [bytes.buffer]);
}
