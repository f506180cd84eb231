export interface Heap<Item> {
  add(item: Item): void;
  first(): Item | undefined;
  takeFirst(): Item | undefined;
}

/** A binary heap: the least item comes first. */
export function createHeap<Item>(compare: (a: Item, b: Item) => number): Heap<Item> {
  const items: Item[] = [];

  const isLess = (a: number, b: number): boolean => {
    const [left, right] = [items[a], items[b]];
    return left !== undefined && right !== undefined && compare(left, right) < 0;
  };

  function swap(a: number, b: number): void {
    const [left, right] = [items[a], items[b]];
    if (left === undefined || right === undefined) return;
    items[a] = right;
    items[b] = left;
  }

  function add(item: Item): void {
    items.push(item);
    let at = items.length - 1;
    for (let parent = (at - 1) >> 1; at > 0 && isLess(at, parent); parent = (at - 1) >> 1) {
      swap(at, parent);
      at = parent;
    }
  }

  function takeFirst(): Item | undefined {
    swap(0, items.length - 1);
    const taken = items.pop();
    let at = 0;
    for (let least = leastChild(at); isLess(least, at); least = leastChild(at)) {
      swap(at, least);
      at = least;
    }
    return taken;
  }

  const leastChild = (at: number): number => {
    const left = 2 * at + 1;
    return isLess(left + 1, left) ? left + 1 : left;
  };

  return { add, first: () => items[0], takeFirst };
}
