import PDFDocument from 'pdfkit';
import { fontFeaturesOf } from './font-features.ts';
import type { Fonts } from './fonts.ts';
import type { Mark } from './mark.ts';

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
  const document = createDocument(drawing, fonts);
  const chunks: Buffer[] = [];
  const isWhole = new Promise<void>((resolve, reject) => document.on('end', resolve).on('error', reject));
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const marks of pages) {
    document.addPage();
    for (const mark of marks) drawMark(document, mark);
  }
  document.end();
  await isWhole;
  return Buffer.concat(chunks);
}

function createDocument({ title, subject, createdAtMs, changedAtMs }: Drawing, fonts: Fonts): PDFKit.PDFDocument {
  const document = new PDFDocument({
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
  for (const name of ['regular', 'semibold', 'fallback'] as const) document.registerFont(name, fonts.bytesOf(name));
  return document;
}

function drawMark(document: PDFKit.PDFDocument, mark: Mark): void {
  if (mark.kind === 'text') {
    // pdfkit's type lists the known names of features; ours are among them.
    const features = fontFeaturesOf(mark.font, mark.text) as PDFKit.Mixins.OpenTypeFeatures[] | undefined;
    const options = { lineBreak: false, baseline: 'alphabetic', ...(features && { features }) } as const;
    document.font(mark.font, mark.size).fillColor(mark.color).text(mark.text, mark.x, mark.y, options);
  } else if (mark.kind === 'box') {
    document.roundedRect(mark.x, mark.y, mark.width, mark.height, mark.radius).fill(mark.color);
  } else {
    document.rect(mark.x, mark.y, mark.width, mark.thickness).fill(mark.color);
  }
}
