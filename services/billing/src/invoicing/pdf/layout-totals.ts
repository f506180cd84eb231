import type { AmountText, InvoiceTexts } from './invoice-texts.ts';
import type { Block, Mark, TextStyle } from './mark.ts';
import { colors, page, styles } from './page-design.ts';
import type { Typesetter } from './typesetter.ts';

const left = 262;
const rowHeight = 17;
const gap = 10;

/** Lays out the sums below the last line, from the charges to the billed total. */
export function layoutTotals({ sums, total, payments, note }: InvoiceTexts, { top, typesetter }: At): Block {
  const marks: Mark[] = [];
  let y = top + 26;
  for (const sum of sums) {
    marks.push(...layoutSum(sum, { y, typesetter, ...plain }));
    y += rowHeight;
  }
  const rule = { kind: 'rule', x: left, y: y - 5, width: page.right - left, thickness: 1, color: colors.ink } as const;
  y += 15;
  marks.push(rule, ...layoutSum(total, { y, typesetter, labelStyle: styles.total, amountStyle: styles.total }));
  for (const payment of payments) {
    y += rowHeight;
    marks.push(...layoutSum(payment, { y, typesetter, ...plain }));
  }
  const noted = typesetter.set(note, { style: styles.detail, x: page.left, y: top + 26, width: left - page.left - 24 });
  return { marks: [...marks, ...noted.marks], bottom: Math.max(y, noted.bottom) + 6 };
}

interface At {
  readonly top: number;
  readonly typesetter: Typesetter;
}

interface SumPlace {
  readonly y: number;
  readonly labelStyle: TextStyle;
  readonly amountStyle: TextStyle;
  readonly typesetter: Typesetter;
}

const plain = { labelStyle: styles.dim, amountStyle: styles.text };

function layoutSum({ label, amount }: AmountText, { y, labelStyle, amountStyle, typesetter }: SumPlace): Mark[] {
  const width = page.right - left - gap - typesetter.widthOf(label, labelStyle);
  return [
    ...typesetter.set(label, { style: labelStyle, x: left, y }).marks,
    ...typesetter.setAmount(amount, { style: amountStyle, x: page.right, y, align: 'right', width }).marks,
  ];
}
