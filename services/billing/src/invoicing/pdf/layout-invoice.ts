import type { InvoiceTexts } from './invoice-texts.ts';
import { layoutContinuationHead, layoutHead } from './layout-head.ts';
import { layoutFoot } from './layout-foot.ts';
import { layoutRow, layoutTableHead, planColumns } from './layout-table.ts';
import { layoutTotals } from './layout-totals.ts';
import type { Mark } from './mark.ts';
import { page } from './page-design.ts';
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
