export interface RowsToPaginate {
  readonly heights: readonly number[];
  readonly firstSpace: number;
  readonly nextSpace: number;
  /** The height of the totals, which stand below the last row on its page. */
  readonly endHeight: number;
}

/** The rows from `start`, inclusive, to `end`, exclusive. */
export interface RowRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Divides rows among pages. A row is never split, and the totals never stand alone on a page: the last row moves with
 * them.
 */
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
