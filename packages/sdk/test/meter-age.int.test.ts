import { expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { systemClock } from '../src/clock.ts';
import { useMeter } from './support/use-meter.ts';

const bench = useMeter();
const hourMs = 3_600_000;
const warning = expect.stringContaining('Tollgate refuses events of more than 24 hours');

it.each([
  { hours: 11, warnings: [] },
  { hours: 13, warnings: [warning] },
])('an event that has waited $hours hours when a request fails makes warnings: $warnings', async (row) => {
  bench.server.next.push({ status: 503, code: 'unavailable' });
  const meter = await bench.open();
  const timestamp = new Date(systemClock.now() - row.hours * hourMs);
  const { idempotencyKey } = await meter.record({ tool: 'search', timestamp });
  await eventually(() => meter.stats().queued === 0, { withinMs: 5_000 });
  expect(meter.stats().failures).toBe(1);
  expect(bench.warnings).toEqual(row.warnings);
  expect([...bench.server.counted.keys()]).toEqual([idempotencyKey]);
});
