import type { InvoiceTexts, AmountText, LineText } from './invoice-texts.ts';
import { layoutContinuationHead, layoutHead } from './layout-head.ts';
import { type Mark, page, ruleAt, styles, type Block, type TextStyle, colors, leadingOf } from './page-design.ts';
import { paginateRows } from './paginate-rows.ts';
import type { Typesetter } from './typesetter.ts';

export type Page = readonly Mark[];

const noLines = {
  tool: '–',
  toolDetail: '',
  charge: 'No charges in this period',
  details: [],
  quantity: '',
  amount: '',
};

/** Lays out the whole invoice: the marks of each page. Drawing decides nothing further. */
export function layoutInvoice(texts: InvoiceTexts, typesetter: Typesetter): Page[] {
  const firstHead = layoutHead(texts, typesetter);
  const nextHead = layoutContinuationHead(texts, typesetter);
  const lines = texts.lines.length === 0 ? [noLines] : texts.lines;
  const table = { columns: planColumns(lines, typesetter), typesetter };
  const rows = lines.map((line) => layoutRow(line, table));
  const tops = {
    first: layoutTableHead(firstHead.bottom, table),
    next: layoutTableHead(nextHead.bottom, table),
  };
  const pages = paginateRows({
    heights: rows.map(({ bottom }) => bottom),
    firstSpace: page.bottom - tops.first.bottom,
    nextSpace: page.bottom - tops.next.bottom,
    endHeight: layoutTotals(texts, { top: 0, typesetter }).bottom,
  });
  return pages.map(({ start, end }, index) => {
    const head = index === 0 ? firstHead : nextHead;
    const tableHead = index === 0 ? tops.first : tops.next;
    const marks = [...head.marks, ...tableHead.marks];
    let top = tableHead.bottom;
    for (const row of rows.slice(start, end)) {
      marks.push(...row.marks.map((mark) => ({ ...mark, y: mark.y + top })));
      top += row.bottom;
    }
    if (index === pages.length - 1) marks.push(...layoutTotals(texts, { top, typesetter }).marks);
    return [...marks, ...layoutFoot(texts, { number: index + 1, total: pages.length, typesetter })];
  });
}

interface PageNumber {
  readonly number: number;
  readonly total: number;
  readonly typesetter: Typesetter;
}

function layoutFoot({ title, id }: InvoiceTexts, { number, total, typesetter: { set } }: PageNumber): Mark[] {
  const place = { style: styles.foot, y: page.foot };
  const left = set(`${title}, ${id}`, { ...place, x: page.left });
  const right = set(`Page ${number} of ${total}`, { ...place, x: page.right, align: 'right' });
  return [ruleAt(page.foot - 15), ...left.marks, ...right.marks];
}

const left = 262;
const rowHeight = 17;
const gap = 10;

/** Lays out the sums below the last line, from the charges to the billed total. */
function layoutTotals({ sums, total, payments, note }: InvoiceTexts, { top, typesetter }: At): Block {
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

const columnGap = 12;
const padding = 6;
const toolWidth = 122;
const chargeWidthMin = 100;
const numberWidths = { quantity: { min: 80, max: 122 }, amount: { min: 86, max: 122 } } as const;

/** Makes the columns of numbers as wide as their widest number, within bounds. A wider number is set smaller. */
function planColumns(lines: readonly LineText[], { widthOf }: Typesetter): Columns {
  const widest = (texts: readonly string[]) =>
    texts.flatMap((text) => text.split(' ')).reduce((most, word) => Math.max(most, widthOf(word, styles.text)), 0);
  const amountWidth = within(widest(lines.map(({ amount }) => amount)) + 1, numberWidths.amount);
  const quantityWidth = within(widest(lines.map(({ quantity }) => quantity)) + 1, numberWidths.quantity);
  const chargeX = page.left + toolWidth + columnGap;
  const quantityX = page.right - amountWidth - columnGap;
  return {
    tool: { x: page.left, width: toolWidth },
    charge: { x: chargeX, width: Math.max(chargeWidthMin, quantityX - quantityWidth - columnGap - chargeX) },
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
function layoutTableHead(top: number, { columns, typesetter: { set } }: TableSetting): Block {
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
function layoutRow(line: LineText, { columns, typesetter: { set, setAmount } }: TableSetting): Block {
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
