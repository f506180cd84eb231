import { drawPages } from './draw-pages.ts';
import { createFonts } from './fonts.ts';
import { toInvoiceTexts } from './invoice-texts.ts';
import { layoutInvoice } from './layout-invoice.ts';
import type { PrintedInvoice } from '../find-printed-invoice.ts';
import { createTypesetter } from './typesetter.ts';

/** Renders the invoice on A4. The same invoice in the same status gives the same bytes. */
export function createRenderInvoicePdf() {
  const fonts = createFonts();
  const typesetter = createTypesetter(fonts);
  return async function renderInvoicePdf(printed: PrintedInvoice): Promise<Buffer> {
    const texts = toInvoiceTexts(printed);
    const { issuedAtMs, paidAtMs } = printed.invoice;
    const dates = { createdAtMs: issuedAtMs, changedAtMs: paidAtMs ?? issuedAtMs };
    const drawing = { title: texts.title, subject: texts.period, ...dates };
    return drawPages(layoutInvoice(texts, typesetter), drawing, fonts);
  };
}

export type RenderInvoicePdf = ReturnType<typeof createRenderInvoicePdf>;
