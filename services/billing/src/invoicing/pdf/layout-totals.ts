import type { InvoiceTexts } from './invoice-texts.ts';
import type { Block, Mark } from './mark.ts';
import { colors, page, styles } from './page-design.ts';
import type { Typesetter } from './typesetter.ts';

const left = 316;
const rowHeight = 17;

/** Lays out the sums below the last line, from the charges to the billed total. */
export function layoutTotals({ sums, total, refunded, note }: InvoiceTexts, { top, typesetter }: At): Block {
  const { set } = typesetter;
  const marks: Mark[] = [];
  let y = top + 26;
  for (const { label, amount } of sums) {
    marks.push(...set(label, { style: styles.dim, x: left, y }).marks);
    marks.push(...set(amount, { style: styles.text, x: page.right, y, align: 'right' }).marks);
    y += rowHeight;
  }
  const rule = { kind: 'rule', x: left, y: y - 5, width: page.right - left, thickness: 1, color: colors.ink } as const;
  y += 15;
  marks.push(rule, ...set(total.label, { style: styles.total, x: left, y }).marks);
  marks.push(...set(total.amount, { style: styles.total, x: page.right, y, align: 'right' }).marks);
  if (refunded) {
    y += rowHeight + 2;
    marks.push(...set(refunded.label, { style: styles.dim, x: left, y }).marks);
    marks.push(...set(refunded.amount, { style: styles.text, x: page.right, y, align: 'right' }).marks);
  }
  marks.push(...set(note, { style: styles.detail, x: page.left, y: top + 26, width: 190 }).marks);
  return { marks, bottom: y + 6 };
}

interface At {
  readonly top: number;
  readonly typesetter: Typesetter;
}
