import type { Response } from 'express';

/** Shown in the browser; `fileName` is what it is saved as, of plain letters, digits, dots and hyphens. */
export function sendPdf(response: Response, { bytes, fileName }: { bytes: Buffer; fileName: string }): void {
  response.writeHead(200, {
    'content-type': 'application/pdf',
    'content-length': bytes.length,
    'content-disposition': `inline; filename="${fileName}"`,
  });
  response.end(bytes);
}
