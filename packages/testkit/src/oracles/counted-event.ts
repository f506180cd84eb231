import type pg from 'pg';

/** A row of usage.event, with what the load put into its metadata. */
export interface CountedEvent {
  readonly event_id: string;
  readonly consumer_id: string;
  readonly tool_id: string;
  readonly occurred_at: Date;
  readonly success: boolean;
  readonly duration_ms: string | null;
  readonly idempotency_key: string | null;
  readonly ref: string | null;
  readonly units: string | null;
}

export async function readCountedEvents(client: pg.Client): Promise<CountedEvent[]> {
  const { rows } = await client.query<CountedEvent>(
    `select event_id, consumer_id, tool_id, occurred_at, success, duration_ms, idempotency_key,
       metadata ->> 'ref' as ref, metadata ->> 'units' as units
     from usage.event`,
  );
  return rows;
}
