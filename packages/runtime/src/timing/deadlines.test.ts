import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createDeadlines, Deadline } from './deadlines.ts';

class Work extends Deadline {
  readonly name: string;
  readonly #expired: string[];

  constructor(name: string, expired: string[]) {
    super();
    this.name = name;
    this.#expired = expired;
  }

  override onExpired(): void {
    this.#expired.push(this.name);
  }
}

function setUp(afterMs: number) {
  const expired: string[] = [];
  const deadlines = createDeadlines(afterMs);
  const start = (name: string): Work => {
    const work = new Work(name, expired);
    deadlines.start(work);
    return work;
  };
  return { expired, deadlines, start };
}

describe('createDeadlines', () => {
  it('tells each that has not ended, once, in the order of their starts', async () => {
    const { expired, deadlines, start } = setUp(30);
    const [first, middle, last] = ['first', 'middle', 'last'].map(start);
    start('open');
    for (const ended of [middle, first, last, middle]) if (ended !== undefined) deadlines.end(ended);
    start('too');
    await wait(150);
    expect(expired).toEqual(['open', 'too']);
  });

  it('gives each its whole time, also after the timer of an earlier one', async () => {
    const { expired, deadlines, start } = setUp(100);
    deadlines.end(start('ended'));
    await wait(60);
    const startedMs = systemClock.monotonicMs();
    const late = start('late');
    while (expired.length === 0) await wait(2);
    expect(systemClock.monotonicMs() - startedMs).toBeGreaterThanOrEqual(100);
    expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(late.expiresAtMs);
    expect(expired).toEqual(['late']);
  });

  it('starts again after all have ended, and while one expires', async () => {
    const { expired, deadlines, start } = setUp(20);
    class Renewed extends Deadline {
      override onExpired(): void {
        expired.push('renewed');
        start('its next');
      }
    }
    deadlines.start(new Renewed());
    await wait(80);
    expect(expired).toEqual(['renewed', 'its next']);
    deadlines.end(start('ended'));
    await wait(60);
    start('after a rest');
    await wait(80);
    expect(expired).toEqual(['renewed', 'its next', 'after a rest']);
  });
});
