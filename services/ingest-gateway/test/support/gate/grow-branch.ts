import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import type { Pass } from '../../../src/passes/pass.ts';
import type { GateWorld, TestCap } from './gate-world.ts';

/** A capped pass with one child at each level, down to the fourth, with windows and caps of their own. */
export async function growBranch(
  world: Pick<GateWorld, 'addPass'>,
  random: SeededRandom,
  { accountId, cap }: { readonly accountId: string; readonly cap: TestCap },
): Promise<Pass[]> {
  const branch = [await world.addPass(accountId, cap)];
  while (branch.length < 4) {
    const amountMicros = BigInt(random.integer(5, 800)) * 10_000n;
    const window = random.pick(['day', 'month', 'total'] as const);
    branch.push(
      await world.addPass(accountId, random.chance(0.8) ? { amountMicros, window } : undefined, branch.at(-1)),
    );
  }
  return branch;
}
