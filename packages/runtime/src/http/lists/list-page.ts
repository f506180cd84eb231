import { encodeCursor } from './cursor.ts';

export interface PageSource<Row, Item> {
  /** The result of a query for `limit` + 1 rows: an extra row means that there is a next page. */
  readonly rows: readonly Row[];
  readonly limit: number;
  /** Names the list in its cursors, where another list has the same array. Default: the name of the array. */
  readonly list?: string;
  /** Null where counting is too expensive (events). */
  readonly total: number | null;
  readonly cursorOf: (row: Row) => readonly unknown[];
  readonly toApi: (row: Row) => Item;
}

export type ListPage<Name extends string, Item> = Record<Name, Item[]> & {
  total: number | null;
  has_more: boolean;
  next_cursor: string | null;
};

/** The body of every list: the named array, `total`, `has_more`, `next_cursor`. */
export function toListPage<Name extends string, Row, Item>(
  name: Name,
  source: PageSource<Row, Item>,
): ListPage<Name, Item> {
  const shown = source.rows.slice(0, source.limit);
  const last = shown.at(-1);
  const hasMore = source.rows.length > source.limit;
  const page = {
    [name]: shown.map(source.toApi),
    total: source.total,
    has_more: hasMore,
    next_cursor: hasMore && last !== undefined ? encodeCursor(source.list ?? name, source.cursorOf(last)) : null,
  };
  return page as ListPage<Name, Item>; // a computed key widens to string
}
