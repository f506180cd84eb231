import type { EventBatchResult } from '@tollgate/contracts/events/event-answers';
import type { Ask } from './ask.ts';
import type { Call } from './calls.ts';
import type { ServiceClock } from './clock.ts';
import { DemoError } from './demo-error.ts';
import { lastTime, type Batch } from './plan-batches.ts';
import type { Member } from './register.ts';

export interface BatchDeps {
  readonly ask: Ask;
  readonly clock: ServiceClock;
  readonly consumers: readonly Member[];
}

/** Lets the clock reach the batch's last call, then sends the batch. Exactly the repeats must be duplicates. */
export async function sendBatch(batch: Batch, { ask, clock, consumers }: BatchDeps): Promise<void> {
  await clock.reach(lastTime(batch));
  const body = { events: [...batch.repeats, ...batch.calls].map(toApiEvent) };
  const token = consumers[batch.consumer]?.token ?? '';
  const answer = await ask<EventBatchResult>('POST', '/v1/events/batch', { token, body });
  refuseSurprise(batch, answer.body);
}

function toApiEvent({ toolId, timestamp, idempotencyKey, contextTokens, generatedTokens }: Call) {
  return {
    tool_id: toolId,
    timestamp,
    idempotency_key: idempotencyKey,
    metadata: { context_tokens: contextTokens, generated_tokens: generatedTokens },
  };
}

function refuseSurprise({ repeats, calls }: Batch, { results }: EventBatchResult): void {
  const expected = [...repeats.map(() => 'duplicate'), ...calls.map(() => 'recorded')];
  const surprise = expected.findIndex((status, at) => results[at]?.status !== status);
  if (surprise === -1) return;
  throw new DemoError(`an event was to be ${expected[surprise]}, and is ${JSON.stringify(results[surprise])}`);
}
