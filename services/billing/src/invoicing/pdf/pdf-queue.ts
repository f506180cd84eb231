import { AppError } from '@tollgate/kernel/app-error';
import { startPdfThread, type PdfThread } from './pdf-thread.ts';
import type { PrintableInvoice } from './printable-invoice.ts';

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
