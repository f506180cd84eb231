export interface RowsToPaginate {
  readonly heights: readonly number[];
  readonly firstSpace: number;
  readonly nextSpace: number;
  /** Of what follows the last row on its page. */
  readonly endHeight: number;
}

/** The rows from `start` up to, not with, `end`. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/** Rows stay whole. What follows them never stands alone on a page: the last row goes there with it. */
export function paginateRows({ heights, firstSpace, nextSpace, endHeight }: RowsToPaginate): RowRange[] {
  const pages: RowRange[] = [];
  let start = 0;
  let left = firstSpace;
  for (const [index, height] of heights.entries()) {
    const needed = index === heights.length - 1 ? height + endHeight : height;
    if (needed > left && index > start) {
      pages.push({ start, end: index });
      start = index;
      left = nextSpace;
    }
    left -= height;
  }
  return [...pages, { start, end: heights.length }];
}
