import type { ServerResponse } from 'node:http';

export interface PdfToSend {
  /** The name to save it under: letters, digits, dots and hyphens. */
  readonly fileName: string;
  /** `hungUp` is aborted when the client has gone; the promise is then rejected. */
  readonly print: (hungUp: AbortSignal) => Promise<Buffer>;
}

/** Prints a PDF and sends it, for the browser to show. Sends nothing to a client that has gone. */
export async function sendPdf(response: ServerResponse, { fileName, print }: PdfToSend): Promise<void> {
  const hungUp = new AbortController();
  response.once('close', () => hungUp.abort());
  if (response.closed) return;
  try {
    const bytes = await print(hungUp.signal);
    response.writeHead(200, {
      'content-type': 'application/pdf',
      'content-length': bytes.length,
      'content-disposition': `inline; filename="${fileName}"`,
    });
    response.end(bytes);
  } catch (error) {
    if (!hungUp.signal.aborted) throw error;
  }
}
