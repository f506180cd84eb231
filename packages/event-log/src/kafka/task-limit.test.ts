import { describe, expect, it } from '@jest/globals';
import { createTaskLimit } from './task-limit.ts';

describe('createTaskLimit', () => {
  it('runs no more tasks at once than it may, the others in their order, also after one has failed', async () => {
    const withinLimit = createTaskLimit(2);
    const begun: number[] = [];
    let running = 0;
    let most = 0;
    const tasks = [0, 1, 2, 3, 4].map((task) =>
      withinLimit(async () => {
        begun.push(task);
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (task === 1) throw new Error('failed');
        return task;
      }),
    );
    const outcomes = await Promise.allSettled(tasks);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    expect(most).toBe(2);
    expect(outcomes.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ]);
  });
});
