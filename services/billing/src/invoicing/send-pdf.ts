import type { Response } from 'express';

/**
 * Sends a PDF that the browser shows. `fileName` is the name to save it under; it must be letters, digits, dots and
 * hyphens.
 */
export function sendPdf(response: Response, { bytes, fileName }: { bytes: Buffer; fileName: string }): void {
  response.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': bytes.length,
    'content-disposition': `inline; filename="${fileName}"`,
  });
  response.end(bytes);
}
