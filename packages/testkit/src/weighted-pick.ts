import type { SeededRandom } from './seeded-random.ts';

/** Picks one of the items by its share of the total weight. */
export function createWeightedPick<Item extends { readonly weight: number }>(
  items: Readonly<Record<string, Item>>,
): (random: SeededRandom) => readonly [name: string, item: Item] {
  const [first, ...others] = Object.entries(items);
  if (first === undefined) throw new Error('there is no item to pick from');
  const entries = [first, ...others];
  const weightInAll = entries.reduce((sum, [, { weight }]) => sum + weight, 0);

  return function pick(random) {
    let at = random.next() * weightInAll;
    for (const entry of entries) {
      at -= entry[1].weight;
      if (at < 0) return entry;
    }
    return first; // reached only by a rounding error of the sum
  };
}
