import { afterEach, expect, it, jest } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';

import { startHeartbeat, type Heartbeat } from './heartbeat.ts';

afterEach(() => void jest.useRealTimers());

it('is never silent for three seconds, and leaves one of them to the program that is being loaded before', () => {
  jest.useFakeTimers();
  const said: number[] = [];
  const heartbeat = startHeartbeat({ clock: systemClock, say: (_, seconds) => said.push(seconds) });
  jest.advanceTimersByTime(7_000);
  heartbeat.stop();
  jest.advanceTimersByTime(7_000);
  expect(said).toEqual([1, 3, 5, 7]);
});

it('says what is going on, again and again, until it is stopped', async () => {
  const said: string[] = [];
  const third = Promise.withResolvers<void>();
  const heartbeat: Heartbeat = startHeartbeat({
    clock: systemClock,
    everyMs: 1,
    say(step, seconds) {
      said.push(`${step} ${seconds}`);
      if (said.length === 2) heartbeat.at('the second step');
      if (said.length < 3) return;
      heartbeat.stop();
      third.resolve();
    },
  });
  heartbeat.at('the first step');
  const keepsAlive = setInterval(() => undefined, 1_000); // the heartbeat alone does not
  await third.promise;
  clearInterval(keepsAlive);
  heartbeat.stop();
  expect(said).toEqual(['the first step 0', 'the first step 0', 'the second step 0']);
});
