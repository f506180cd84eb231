import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A busy machine may add this to any time that a test measures: 100 ms were seen where 5 are usual, and 10 s where 7 are.
 * A test's limit is the promised time plus this. A broken promise must take longer than both.
 */
export const busyMs = 3_000;

/**
 * Waits until `condition` returns or resolves to a truthy value, and returns the value. An error of the condition means
 * "not yet", so `expect` may stand inside; the last error is shown when the time runs out, `busyMs` after `withinMs`.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { withinMs, everyMs = 20 }: { withinMs: number; everyMs?: number },
): Promise<T> {
  const patience = AbortSignal.timeout(withinMs + busyMs);
  for (;;) {
    const { value, error } = await attempt(condition);
    if (value) return value;
    if (patience.aborted) throw new Error(`not within ${withinMs} ms: ${reasonOf(error)}`, { cause: error });
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the condition never held';
}
