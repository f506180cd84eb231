import type { SeededRandom } from './seeded-random.ts';

/** Picks one of these by name, the more often the more it weighs beside the others. */
export function createWeightedPick<Item extends { readonly weight: number }>(
  items: Readonly<Record<string, Item>>,
): (random: SeededRandom) => readonly [name: string, item: Item] {
  const [first, ...others] = Object.entries(items);
  if (first === undefined) throw new Error('there is nothing to pick from');
  const entries = [first, ...others];
  const weightInAll = entries.reduce((sum, [, { weight }]) => sum + weight, 0);

  return function pick(random) {
    let at = random.next() * weightInAll;
    for (const entry of entries) {
      at -= entry[1].weight;
      if (at < 0) return entry;
    }
    return first; // as good as any: the sum of the weights was off by a rounding
  };
}
