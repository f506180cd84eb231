import type { CountedEvent } from '../ports.ts';

export interface EventRow {
  readonly consumer_id: string;
  readonly event_id: string;
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly received_at: Date;
  readonly success: boolean;
  readonly duration_ms: bigint | null;
  readonly metadata: CountedEvent['metadata'] | null;
  readonly idempotency_key: string | null;
}

export const eventColumns =
  'consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key';

export function fromEventRow(row: EventRow): CountedEvent {
  return {
    consumerId: row.consumer_id,
    eventId: row.event_id,
    toolId: row.tool_id,
    occurredAtMs: row.occurred_at.getTime(),
    receivedAtMs: row.received_at.getTime(),
    success: row.success,
    durationMs: row.duration_ms === null ? undefined : Number(row.duration_ms),
    metadata: row.metadata ?? {},
    idempotencyKey: row.idempotency_key ?? undefined,
  };
}
