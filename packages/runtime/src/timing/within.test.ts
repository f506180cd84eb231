import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { within } from './within.ts';

const never = new Promise<string>(() => undefined);

describe('within', () => {
  it('resolves to an answer that comes in time', async () => {
    expect(await within(Promise.resolve('answer'), 1_000, () => 'late')).toBe('answer');
  });

  it('rejects as the answer does', async () => {
    await expect(within(Promise.reject(new Error('refused')), 1_000, () => 'late')).rejects.toThrow('refused');
  });

  it('resolves to what stands in for an answer that does not come', async () => {
    expect(await within(never, 5, () => 'late')).toBe('late');
  });

  it('rejects with what is thrown in place of an answer', async () => {
    const refuse = (): never => {
      throw new Error('no answer in 5 ms');
    };
    await expect(within(never, 5, refuse)).rejects.toThrow('no answer in 5 ms');
  });

  it('does not take an answer for late that lay there while this process was busy', async () => {
    let lates = 0;
    const answer = new Promise<string>((resolve) => void setTimeout(() => setImmediate(resolve, 'answer'), 1));
    const asked = within(answer, 5, () => String((lates += 1)));
    const untilMs = systemClock.monotonicMs() + 30;
    while (systemClock.monotonicMs() < untilMs); // busy, so that both timers are overdue
    expect([await asked, lates]).toEqual(['answer', 0]);
  });

  it('drops the failure of an answer that comes too late', async () => {
    const failing = new Promise<string>((_resolve, reject) => void setTimeout(reject, 20, new Error('too late')));
    expect(await within(failing, 5, () => 'late')).toBe('late');
    await expect(failing).rejects.toThrow('too late'); // and no unhandled rejection has ended the test
  });
});
