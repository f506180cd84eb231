import { expect } from '@jest/globals';
import type { CountingReport } from '@tollgate/testkit/oracles/check-counting';
import type { Shape } from './shape.ts';

/** Lets the load come to its end, prints what the oracles find with `facts`, and expects that nothing is wrong. */
export async function expectCountedOnce(
  shape: Pick<Shape, 'judge'>,
  name: string,
  facts: object = {},
): Promise<Omit<CountingReport, 'violations'>> {
  const { violations, ...figures } = await shape.judge();
  process.stderr.write(`${name}: ${JSON.stringify({ ...facts, ...figures })}\n`);
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, invented: 0 });
  return figures;
}
