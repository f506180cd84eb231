import type { TimeSlice } from './time-slice.ts';

export interface WalkPage<Item> {
  /** The last item of the page before; undefined for the first page. */
  readonly after: Item | undefined;
  readonly limit: number;
}

/** Lists at most `limit` items beyond `after`, always in the same order. */
export type ListPage<Item> = (page: WalkPage<Item>) => Promise<readonly Item[]>;

/**
 * Creates a walk over a list that changes, page by page. It ends when its slice has no time left, but never before its first
 * item. The next walk goes on behind the last item of this one. So items that take long, or fail every time, hold up no
 * others: each gets its turn once per round.
 */
export function createWalk<Item>(pageMax: number) {
  let last: Item | undefined;

  return async function* walk(slice: TimeSlice, list: ListPage<Item>): AsyncGenerator<Item, void> {
    let after = last;
    for (;;) {
      const items = await list({ after, limit: pageMax });
      for (const item of items) {
        yield item;
        last = item;
        if (!slice.hasTime()) return slice.leaveRest();
      }
      if (items.length < pageMax) break;
      after = items.at(-1);
    }
    last = undefined;
  };
}
