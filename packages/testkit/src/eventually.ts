import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What a busy machine may add to any time that a test measures: 100 ms were seen where 5 are usual, and 10 s where 7 are.
 * A limit on such a time is what is promised and this; what breaks the promise must take longer than both.
 */
export const busyMs = 3_000;

/**
 * Waits until `condition` returns (or resolves to) something truthy, and returns that. What it throws counts as "not
 * yet" and is shown if the time runs out: so `expect` may be used inside. It fails `busyMs` after `withinMs`.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { withinMs, everyMs = 20 }: { withinMs: number; everyMs?: number },
): Promise<T> {
  const patience = AbortSignal.timeout(withinMs + busyMs);
  for (;;) {
    const { value, error } = await attempt(condition);
    if (value) return value;
    if (patience.aborted) throw new Error(`not within ${withinMs} ms: ${told(error)}`, { cause: error });
    await sleep(everyMs);
  }
}

async function attempt<T>(condition: () => T | Promise<T>): Promise<{ value?: T; error?: unknown }> {
  try {
    return { value: await condition() };
  } catch (error) {
    return { error };
  }
}

function told(error: unknown): string {
  return error instanceof Error ? error.message : 'the condition never held';
}
