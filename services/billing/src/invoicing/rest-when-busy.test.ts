import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createRestWhenBusy } from './rest-when-busy.ts';

it('rests for as long as the process was busy', async () => {
  const restWhenBusy = createRestWhenBusy();
  const startedMs = systemClock.monotonicMs();
  workFor(100);
  const restedMs = await restWhenBusy();
  expect(restedMs).toBeGreaterThanOrEqual(100);
  expect(systemClock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(2 * 100 - 1); // a timer may be early by one
});

it('does not rest while the process has little else to do', async () => {
  const restWhenBusy = createRestWhenBusy();
  await sleep(200);
  expect(await restWhenBusy()).toBe(0);
});

it('measures anew after each rest, and never rests for more than a second', async () => {
  const restWhenBusy = createRestWhenBusy();
  workFor(1_200);
  expect(await restWhenBusy()).toBe(1_000);
  await sleep(100);
  expect(await restWhenBusy()).toBe(0);
});

function workFor(ms: number): void {
  const startedMs = systemClock.monotonicMs();
  while (systemClock.monotonicMs() - startedMs < ms);
}
