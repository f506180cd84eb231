import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '../logging/create-logger.ts';
import { createFollower, type News } from './follow-changes.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const deaf: News = { on: () => undefined };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Counts reads; each fails while `isAway` says so. */
async function follow(notifications: News, isAway: () => boolean = () => false) {
  const reads = { count: 0 };
  const refresh = async (): Promise<void> => {
    reads.count += 1;
    if (isAway()) throw new Error('away');
  };
  const follower = createFollower({ channel: 'changes', notifications, log, refresh });
  const before = follower.state();
  await follower.start();
  return { reads, stop: follower.stop, state: follower.state, before };
}

describe('a follower of changes', () => {
  it('looks twice per second, since a notification may be lost', async () => {
    const { reads, stop } = await follow(deaf);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(reads.count).toBe(1 + 9);
    await stop();
  });

  it('looks every five seconds where the source itself notices losses', async () => {
    const { reads, stop } = await follow({ ...deaf, areChecked: true });
    await jest.advanceTimersByTimeAsync(4_999);
    expect(reads.count).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(reads.count).toBe(2);
    await stop();
  });

  it('tries a failed read again after half a second, also where the source notices losses', async () => {
    let announce: (payload: string) => void = () => undefined;
    let isAway = false;
    const news: News = { on: (_, listener) => (announce = listener), areChecked: true };
    const { reads, stop } = await follow(news, () => isAway);
    isAway = true;
    announce('');
    await jest.advanceTimersByTimeAsync(1_499);
    expect(reads.count).toBe(1 + 3); // the announced one, and one after each half second
    isAway = false;
    await jest.advanceTimersByTimeAsync(4_999);
    expect(reads.count).toBe(1 + 3 + 1);
    await stop();
  });

  it('F274 says since when it has read nothing', async () => {
    jest.setSystemTime(Date.parse('2026-11-21T12:00:00Z'));
    let isAway = false;
    const { state, stop, before } = await follow(deaf, () => isAway);
    expect([before, state()]).toEqual(['not read yet', 'ok']);
    await jest.advanceTimersByTimeAsync(500);
    isAway = true;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(state()).toBe('degraded: not read since 2026-11-21T12:00:00.500Z, going on with what was known then');
    isAway = false;
    await jest.advanceTimersByTimeAsync(500);
    expect(state()).toBe('ok');
    await stop();
  });
});
