import type { InvoiceTexts } from './invoice-texts.ts';
import type { Mark } from './mark.ts';
import { page, ruleAt, styles } from './page-design.ts';
import type { Typesetter } from './typesetter.ts';

interface PageNumber {
  readonly number: number;
  readonly of: number;
  readonly typesetter: Typesetter;
}

export function layoutFoot({ title, id }: InvoiceTexts, { number, of, typesetter: { set } }: PageNumber): Mark[] {
  const place = { style: styles.foot, y: page.foot };
  const left = set(`${title}, ${id}`, { ...place, x: page.left });
  const right = set(`Page ${number} of ${of}`, { ...place, x: page.right, align: 'right' });
  return [ruleAt(page.foot - 15), ...left.marks, ...right.marks];
}
