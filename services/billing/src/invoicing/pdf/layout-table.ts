import type { LineText } from './line-text.ts';
import type { Block } from './mark.ts';
import { leadingOf, page, ruleAt, styles } from './page-design.ts';
import type { Typesetter } from './typesetter.ts';

interface Column {
  readonly x: number;
  readonly width: number;
  readonly align?: 'right';
}

/** The columns of the table, the same on all pages. */
export interface Columns {
  readonly tool: Column;
  readonly charge: Column;
  readonly quantity: Column;
  readonly amount: Column;
}

const gap = 12;
const padding = 6;
const toolWidth = 122;
const chargeWidthMin = 100;
const numberWidths = { quantity: { min: 80, max: 122 }, amount: { min: 86, max: 122 } } as const;

/** Makes the columns of numbers as wide as their widest number, within bounds. A wider number is set smaller. */
export function planColumns(lines: readonly LineText[], { widthOf }: Typesetter): Columns {
  const widest = (texts: readonly string[]) =>
    texts.flatMap((text) => text.split(' ')).reduce((most, word) => Math.max(most, widthOf(word, styles.text)), 0);
  const amountWidth = within(widest(lines.map(({ amount }) => amount)) + 1, numberWidths.amount);
  const quantityWidth = within(widest(lines.map(({ quantity }) => quantity)) + 1, numberWidths.quantity);
  const chargeX = page.left + toolWidth + gap;
  const quantityX = page.right - amountWidth - gap;
  return {
    tool: { x: page.left, width: toolWidth },
    charge: { x: chargeX, width: Math.max(chargeWidthMin, quantityX - quantityWidth - gap - chargeX) },
    quantity: { x: quantityX, width: quantityWidth, align: 'right' },
    amount: { x: page.right, width: amountWidth, align: 'right' },
  };
}

function within(width: number, { min, max }: { readonly min: number; readonly max: number }): number {
  return Math.min(max, Math.max(min, width));
}

export interface TableSetting {
  readonly columns: Columns;
  readonly typesetter: Typesetter;
}

/** Lays out the column titles, which each page with rows repeats. */
export function layoutTableHead(top: number, { columns, typesetter: { set } }: TableSetting): Block {
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
export function layoutRow(line: LineText, { columns, typesetter: { set, setAmount } }: TableSetting): Block {
  const y = padding + styles.text.size;
  const tool = set(line.tool, { ...columns.tool, style: styles.strong, y });
  const name = set(line.charge, { ...columns.charge, style: styles.text, y });
  const cells = [
    tool,
    ...layoutDetails(line.toolDetail === '' ? [] : [line.toolDetail], { place: columns.tool, top: tool.bottom, set }),
    name,
    set(line.quantity, { ...columns.quantity, style: styles.dim, y, whole: true }),
    setAmount(line.amount, { ...columns.amount, style: styles.text, y }),
    ...layoutDetails(line.details, { place: columns.charge, top: name.bottom, set }),
  ];
  const bottom = Math.max(...cells.map((cell) => cell.bottom)) - styles.text.size + padding - 1;
  return { marks: [...cells.flatMap(({ marks }) => marks), ruleAt(bottom)], bottom };
}

interface DetailsPlace {
  readonly place: Column;
  readonly top: number;
  readonly set: Typesetter['set'];
}

function layoutDetails(details: readonly string[], { place, top, set }: DetailsPlace): Block[] {
  let y = top - 1;
  return details.map((detail) => {
    const block = set(detail, { ...place, style: styles.detail, y });
    y = block.bottom;
    return block;
  });
}
