import type { SeededRandom } from '@tollgate/testkit/seeded-random';

export interface Kill {
  readonly mode: (typeof modes)[number];
  /** While it serves: after a number of answers and a moment more. Otherwise: some time after its launch. */
  readonly when: { readonly answers: number; readonly delayMs: number } | { readonly launchedMs: number };
}

const modes = ['node alone', 'node, then postgres', 'postgres, then node', 'postgres, node a little later'] as const;
const duringStartShare = 0.2;

/** Plans each kill, fixed by the seed. Kills while it serves count answers, not seconds. */
export function planKills(random: SeededRandom, count: number): Kill[] {
  return Array.from({ length: count }, () => ({
    mode: random.pick(modes),
    when: random.chance(duringStartShare)
      ? { launchedMs: random.integer(0, 3_000) }
      : { answers: random.integer(1, 400), delayMs: random.integer(0, 20) },
  }));
}
