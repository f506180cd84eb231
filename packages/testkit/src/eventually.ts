import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `condition` returns (or resolves to) something truthy, and returns that. What it throws counts as "not
 * yet" and is shown if the time runs out: so `expect` may be used inside.
 */
export async function eventually<T>(
  condition: () => T | Promise<T>,
  { withinMs, everyMs = 20 }: { withinMs: number; everyMs?: number },
): Promise<T> {
  const patience = AbortSignal.timeout(withinMs);
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
