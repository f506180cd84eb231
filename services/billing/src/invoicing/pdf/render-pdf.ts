import { drawPages } from './draw-pages.ts';
import { createFonts, type ReadFile } from './fonts.ts';
import { layoutInvoice } from './layout-invoice.ts';
import type { PrintableInvoice } from './printable-invoice.ts';
import { createTypesetter } from './typesetter.ts';

/** Renders invoices on A4. It computes for a second per thousand rows, so a service calls it in a thread of its own. */
export function createRenderPdf(readFile?: ReadFile) {
  const fonts = createFonts(readFile);
  const typesetter = createTypesetter(fonts);
  return async function renderPdf({ texts, ...dates }: PrintableInvoice): Promise<Buffer> {
    await fonts.readFor(JSON.stringify(texts));
    const drawing = { title: texts.title, subject: texts.period, ...dates };
    return drawPages(layoutInvoice(texts, typesetter), drawing, fonts);
  };
}
