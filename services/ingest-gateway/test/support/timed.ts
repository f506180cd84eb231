import { systemClock } from '@tollgate/kernel/clock';

export async function timed<Answer>(run: () => Promise<Answer>): Promise<{ answer: Answer; tookMs: number }> {
  const startedMs = systemClock.monotonicMs();
  const answer = await run();
  return { answer, tookMs: systemClock.monotonicMs() - startedMs };
}
