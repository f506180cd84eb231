import { expect } from '@jest/globals';
import type { CountingReport } from '@tollgate/testkit/oracles/check-counting';
import type { KafkaShape } from './kafka-shape.ts';

/** Lets the load come to its end and the oracles judge; the figures are printed, with what else there is to tell of the run. */
export async function expectCountedOnce(
  shape: Pick<KafkaShape, 'judge'>,
  name: string,
  told: object = {},
): Promise<Omit<CountingReport, 'violations'>> {
  const { violations, ...figures } = await shape.judge();
  process.stderr.write(`${name}: ${JSON.stringify({ ...told, ...figures })}\n`);
  expect(violations).toEqual([]);
  expect(figures).toMatchObject({ lost: 0, doubled: 0, invented: 0 });
  return figures;
}
