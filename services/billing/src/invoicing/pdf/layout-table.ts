import type { LineText } from './line-text.ts';
import type { Block } from './mark.ts';
import { leadingOf, page, ruleAt, styles } from './page-design.ts';
import type { Typesetter } from './typesetter.ts';

const columns = {
  tool: { x: page.left, width: 122 },
  charge: { x: 186, width: 154 },
  quantity: { x: 444, width: 94, align: 'right' },
  amount: { x: page.right, align: 'right' }, // never wraps
} as const;

const padding = 6;

/** Lays out the column titles, which each page with rows repeats. */
export function layoutTableHead(top: number, { set }: Typesetter): Block {
  const y = top + leadingOf(styles.label) + 4;
  const place = { style: styles.label, y };
  const marks = [
    ...set('Tool', { ...columns.tool, ...place }).marks,
    ...set('Charge', { ...columns.charge, ...place }).marks,
    ...set('Quantity', { ...columns.quantity, ...place }).marks,
    ...set('Amount (USD)', { ...columns.amount, ...place }).marks,
  ];
  const bottom = y + 7;
  return { marks: [...marks, ruleAt(bottom, 1)], bottom };
}

/** Lays out one line of the invoice, from y = 0 down. It is as high as its highest cell. */
export function layoutRow({ tool, charge, details, quantity, amount }: LineText, { set }: Typesetter): Block {
  const y = padding + styles.text.size;
  const name = set(charge, { ...columns.charge, style: styles.text, y });
  const cells = [
    set(tool, { ...columns.tool, style: styles.strong, y }),
    name,
    ...layoutDetails(details, { top: name.bottom, set }),
    set(quantity, { ...columns.quantity, style: styles.dim, y }),
    set(amount, { ...columns.amount, style: styles.text, y }),
  ];
  const bottom = Math.max(...cells.map((cell) => cell.bottom)) - styles.text.size + padding - 1;
  return { marks: [...cells.flatMap(({ marks }) => marks), ruleAt(bottom)], bottom };
}

function layoutDetails(details: readonly string[], { top, set }: { top: number; set: Typesetter['set'] }): Block[] {
  let y = top - 1;
  return details.map((detail) => {
    const block = set(detail, { ...columns.charge, style: styles.detail, y });
    y = block.bottom;
    return block;
  });
}
