import { setImmediate } from 'node:timers/promises';

const turnItems = 100;

/** Maps many items, a hundred at a time. Between two turns, other requests get theirs. */
export async function mapInTurns<Item, Result>(
  items: readonly Item[],
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += turnItems) {
    if (start > 0) await setImmediate();
    for (const [at, item] of items.slice(start, start + turnItems).entries()) results.push(map(item, start + at));
  }
  return results;
}
