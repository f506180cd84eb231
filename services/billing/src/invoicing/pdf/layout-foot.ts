import type { InvoiceTexts } from './invoice-texts.ts';
import type { Mark } from './mark.ts';
import { page, ruleAt, styles } from './page-design.ts';
import type { Typesetter } from './typesetter.ts';

interface PageNumber {
  readonly number: number;
  readonly total: number;
  readonly typesetter: Typesetter;
}

export function layoutFoot({ title, id }: InvoiceTexts, { number, total, typesetter: { set } }: PageNumber): Mark[] {
  const place = { style: styles.foot, y: page.foot };
  const left = set(`${title}, ${id}`, { ...place, x: page.left });
  const right = set(`Page ${number} of ${total}`, { ...place, x: page.right, align: 'right' });
  return [ruleAt(page.foot - 15), ...left.marks, ...right.marks];
}
