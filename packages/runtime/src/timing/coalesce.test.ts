import { describe, expect, it } from '@jest/globals';
import { coalesce } from './coalesce.ts';

/** Runs that end when the test says so. */
function createGate() {
  const begun: PromiseWithResolvers<void>[] = [];
  const run = (): Promise<void> => {
    const running = Promise.withResolvers<void>();
    begun.push(running);
    return running.promise;
  };
  return { begun, run };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('coalesce', () => {
  it('shares runs, but never one that began before the call', async () => {
    const { begun, run } = createGate();
    const runOnce = coalesce(run);
    const first = runOnce();
    const [second, third] = [runOnce(), runOnce()];
    expect(begun).toHaveLength(1);
    let secondEnded = false;
    void second.then(() => (secondEnded = true));
    begun[0]?.resolve();
    await first;
    await settle();
    expect([begun.length, secondEnded]).toEqual([2, false]);
    begun[1]?.resolve();
    await Promise.all([second, third]);
    expect(begun).toHaveLength(2);
    const fourth = runOnce();
    expect(begun).toHaveLength(3);
    begun[2]?.resolve();
    await fourth;
  });

  it('starts again after a failure, which only the callers of that run see', async () => {
    const { begun, run } = createGate();
    const runOnce = coalesce(run);
    const first = runOnce();
    const second = runOnce();
    begun[0]?.reject(new Error('down'));
    await expect(first).rejects.toThrow('down');
    await settle();
    begun[1]?.resolve();
    await expect(second).resolves.toBeUndefined();
  });
});
