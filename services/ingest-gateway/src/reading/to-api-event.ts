import type { BuilderEvent, ConsumerEvent } from '@tollgate/contracts/events/event-answers';
import { toIso } from '@tollgate/kernel/clock';
import type { CountedEvent } from './counted-event.ts';

/** The consumer sees the whole event. */
export function toConsumerEvent(event: CountedEvent): ConsumerEvent {
  const { metadata, idempotencyKey, passId } = event;
  return { ...shared(event), metadata, idempotency_key: idempotencyKey ?? null, pass_id: passId ?? null };
}

/** The tool's builder sees the caller, and the metadata that the price sums. The rest belongs to the consumer. */
export function toBuilderEvent(event: CountedEvent, measures: readonly string[]): BuilderEvent {
  const summed = Object.entries(event.metadata).filter(([key]) => measures.includes(key));
  return { ...shared(event), metadata: Object.fromEntries(summed), consumer_id: event.consumerId };
}

function shared(event: CountedEvent) {
  return {
    event_id: event.eventId,
    tool_id: event.toolId,
    status: 'recorded' as const,
    state: 'counted' as const,
    timestamp: toIso(event.occurredAtMs),
    received_at: toIso(event.receivedAtMs),
    duration_ms: event.durationMs ?? null,
    success: event.success,
  };
}
