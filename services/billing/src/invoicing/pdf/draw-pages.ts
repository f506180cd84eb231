import PDFDocument from 'pdfkit';
import { fontFeaturesOf } from './font-features.ts';
import type { Fonts } from './fonts.ts';
import type { Mark, TextMark } from './mark.ts';
import type { FontName } from './text-runs.ts';

export interface Drawing {
  readonly title: string;
  readonly subject: string;
  readonly createdAtMs: number;
  readonly changedAtMs: number;
}

/**
 * Draws the marks. The same input gives the same bytes: the dates are the invoice's, and pdfkit derives the document id
 * from them.
 */
export async function drawPages(pages: readonly (readonly Mark[])[], drawing: Drawing, fonts: Fonts): Promise<Buffer> {
  const document = createDocument(drawing);
  const chunks: Buffer[] = [];
  const isWhole = new Promise<void>((resolve, reject) => document.on('end', resolve).on('error', reject));
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const name of fontsOf(pages)) document.registerFont(name, fonts.bytesOf(name));
  for (const marks of pages) {
    document.addPage();
    for (const mark of marks) drawMark(document, mark);
  }
  document.end();
  await isWhole;
  return Buffer.concat(chunks);
}

/** The fonts of these pages alone: a document without Chinese reads no Chinese font. */
function fontsOf(pages: readonly (readonly Mark[])[]): ReadonlySet<FontName> {
  return new Set(pages.flat().flatMap((mark) => (mark.kind === 'text' ? [mark.font] : [])));
}

function createDocument({ title, subject, createdAtMs, changedAtMs }: Drawing): PDFKit.PDFDocument {
  return new PDFDocument({
    size: 'A4',
    margin: 0, // the layout has placed all text already
    autoFirstPage: false,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    font: '', // loads no font of pdfkit's own
    info: {
      Title: title,
      Subject: subject,
      Author: 'Tollgate',
      Creator: 'Tollgate',
      CreationDate: new Date(createdAtMs),
      ModDate: new Date(changedAtMs),
    },
  });
}

function drawMark(document: PDFKit.PDFDocument, mark: Mark): void {
  if (mark.kind === 'text') {
    drawText(document, mark);
  } else if (mark.kind === 'box') {
    document.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.radius).fill(mark.color);
  } else {
    document.rect(mark.x, mark.y, mark.width, mark.thickness).fill(mark.color);
  }
}

function drawText(document: PDFKit.PDFDocument, { text, font, size, color, outline, x, y }: TextMark): void {
  // pdfkit's type lists the known names of features; ours are among them.
  const features = fontFeaturesOf(font, text) as PDFKit.Mixins.OpenTypeFeatures[] | undefined;
  const stroke = outline > 0 && { fill: true, stroke: true };
  const options = { lineBreak: false, baseline: 'alphabetic', ...(features && { features }), ...stroke } as const;
  document.font(font, size).fillColor(color).strokeColor(color).lineWidth(outline).text(text, x, y, options);
}
