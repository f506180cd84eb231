import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import type { Metadata } from '@tollgate/contracts/forms/metadata';
import { toIso } from '@tollgate/kernel/clock';
import { createEventId, keyedEventId } from '@tollgate/kernel/event-id';
import { hourOf } from '@tollgate/kernel/period';
import type { Database } from '@tollgate/database/database';
import { putRollup } from './put-rollup.ts';

export interface TestEvent {
  readonly consumerId: string;
  readonly tool: string;
  readonly at: string;
  readonly key?: string;
  /** The id of an event without a key; a new one if not given. */
  readonly eventId?: string;
  readonly success?: boolean;
  readonly passId?: string;
  readonly durationMs?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** The part of the metadata that the price sums. */
  readonly measures?: Readonly<Record<string, string>>;
}

const eventText = `insert into usage.event values ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9)`;

/** One event, as the aggregator would have counted it; answers its id. */
export async function putEvent(owner: Database, event: TestEvent): Promise<string> {
  const { consumerId, tool, at, key, success = true, passId, durationMs, metadata, measures = {} } = event;
  const atMs = Date.parse(at);
  const id =
    key === undefined ? (event.eventId ?? createEventId(atMs)) : keyedEventId('', { accountId: consumerId, key });
  await owner.transaction(async (tx) => {
    await tx.query('select usage.ensure_day($1)', [at.slice(0, 10)]);
    const row = [consumerId, id, tool, at, success, durationMs ?? null, metadata ?? null, key ?? null, passId ?? null];
    await tx.query(eventText, row);
    if (key !== undefined) {
      const body = { tool_id: tool, success, duration_ms: durationMs, metadata: metadata as Metadata | undefined };
      const hash = Buffer.from(bodyHashOf(body), 'base64url');
      await tx.query(`insert into usage.event_key values ($1, $2, $3, $4)`, [id, consumerId, hash, at]);
    }
    const rollup = { consumerId, tool, hour: toIso(hourOf(atMs)), success, passId, measures };
    await putRollup(tx, { ...rollup, durationMs: BigInt(durationMs ?? 0) });
  });
  return id;
}
