import { randomBytes, randomUUID } from 'node:crypto';

/** An event as the aggregator stores it; the record of the log, version 1. */
export interface StoreEvent {
  readonly v: 1;
  readonly event_id: string;
  readonly consumer_id: string;
  readonly tool_id: string;
  readonly occurred_at: string;
  readonly received_at: string;
  readonly success: boolean;
  readonly duration_ms: number;
  readonly metadata: Readonly<Record<string, string | number>>;
  readonly idempotency_key?: string;
  readonly body_hash?: string;
}

export interface EventPlan {
  readonly events: number;
  readonly consumers: readonly string[];
  readonly tools: number;
  /** Every so many events one that failed; 0: none. */
  readonly failEvery: number;
  readonly nowMs: number;
}

/**
 * Half of the events have a key, whose id is a hash and so anywhere in the index; the others have ids in the order of time.
 * Ids and hashes are random: the store compares them and never makes them.
 */
export function makeEvents(plan: EventPlan): StoreEvent[] {
  return Array.from({ length: plan.events }, (_, index) => makeEvent(plan, index));
}

function makeEvent({ consumers, tools, failEvery, nowMs }: EventPlan, index: number): StoreEvent {
  const event = {
    v: 1 as const,
    consumer_id: consumers[index % consumers.length] ?? '',
    tool_id: `tool-${Math.floor(index / consumers.length) % tools}`,
    occurred_at: new Date(nowMs - (index % 3_000)).toISOString(),
    received_at: new Date(nowMs).toISOString(),
    success: failEvery === 0 || index % failEvery > 0,
    duration_ms: index % 1_000,
    metadata: { model: 'large', region: 'eu-central-1', tokens: 1284 },
  };
  if (index % 2 === 1) return { ...event, event_id: timeOrderedId(nowMs) };
  return { ...event, event_id: randomUUID(), idempotency_key: randomUUID(), body_hash: randomHash() };
}

function randomHash(): string {
  return randomBytes(16).toString('base64url');
}

/** UUID version 7. */
function timeOrderedId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, '0');
  const rest = randomBytes(10);
  rest[0] = 0x70 | ((rest[0] ?? 0) & 0x0f);
  rest[2] = 0x80 | ((rest[2] ?? 0) & 0x3f);
  const text = time + rest.toString('hex');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}

export const copyEventsText = `
copy usage.event (consumer_id, event_id, tool_id, occurred_at, received_at, success, duration_ms, metadata, idempotency_key)
from stdin`;

/** The rows that `copyEventsText` reads. */
export function toCopyText(events: readonly StoreEvent[]): string {
  const lines = events.map((event) =>
    [
      event.consumer_id,
      event.event_id,
      event.tool_id,
      event.occurred_at,
      event.received_at,
      event.success,
      event.duration_ms,
      JSON.stringify(event.metadata),
      event.idempotency_key ?? '\\N',
    ].join('\t'),
  );
  return `${lines.join('\n')}\n`;
}
