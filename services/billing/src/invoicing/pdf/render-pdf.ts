import PDFDocument from 'pdfkit';
import { createFonts, type ReadFile, fontFeaturesOf, type Fonts } from './fonts.ts';
import { layoutInvoice } from './layout-invoice.ts';
import type { PrintableInvoice } from './printable-invoice.ts';
import { createTypesetter } from './typesetter.ts';
import type { Mark, TextMark } from './page-design.ts';
import type { FontName } from './text-runs.ts';

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
async function drawPages(pages: readonly (readonly Mark[])[], drawing: Drawing, fonts: Fonts): Promise<Buffer> {
  const document = createDocument(drawing);
  const chunks: Buffer[] = [];
  const isWhole = new Promise<void>((resolve, reject) => document.on('end', resolve).on('error', reject));
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const name of fontsOf(pages)) document.registerFont(name, fonts.bytesOf(name));
  const root = document.struct('Document');
  document.addStructure(root);
  for (const marks of pages) {
    document.addPage();
    for (const group of toGroups(marks)) drawTagged(document, root, group);
  }
  root.end();
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
    // PDF/A-3b is for archives that keep a file for decades: fonts and colours are in the file.
    subset: 'PDF/A-3b',
    pdfVersion: '1.7',
    tagged: true, // a screen reader reads the texts in their order
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

/** Texts that follow each other, such as those of a row, or boxes and lines. */
function toGroups(marks: readonly Mark[]): Mark[][] {
  const groups: Mark[][] = [];
  for (const mark of marks) {
    const last = groups.at(-1);
    if (last !== undefined && (last[0]?.kind === 'text') === (mark.kind === 'text')) last.push(mark);
    else groups.push([mark]);
  }
  return groups;
}

/** Texts are paragraphs of the document. Boxes and lines mean nothing to who reads by ear. */
function drawTagged(document: PDFKit.PDFDocument, root: PDFKit.PDFStructureElement, group: readonly Mark[]): void {
  const draw = () => group.forEach((mark) => drawMark(document, mark));
  if (group[0]?.kind === 'text') {
    root.add(document.struct('P', {}, draw));
    return;
  }
  document.markContent('Artifact');
  draw();
  document.endMarkedContent();
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
