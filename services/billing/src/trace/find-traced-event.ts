import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { isUuid } from '@tollgate/kernel/uuid';
import { periodOf } from '@tollgate/kernel/period';
import type { Database, Queryable } from '@tollgate/database/database';
import type { TracedEvent } from './trace.ts';
import { findEventAt, findEventReceivedAt, findKeyedPlace, readKeptSince, type EventPlace } from './sql-find-event.ts';
import { readWatermark } from '../usage/sql-watermark.ts';

export interface EventLook {
  readonly eventId: string;
  /** Only as far as this account sees; left out: the operator sees all. */
  readonly accountId?: string | undefined;
}

export interface FindDeps {
  /** Under row-level policies: what it hands out, the account may see. */
  readonly api: Database;
  /** Knows where keyed events lie; and it is the operator's eyes. */
  readonly worker: Database;
}

/** Throws `event_not_found`, as the gateway does for the event alone: not there, not yet, or another's are the same. */
export async function findTracedEvent(look: EventLook, { api, worker }: FindDeps): Promise<TracedEvent> {
  const find = () =>
    look.accountId === undefined
      ? findEvent(look.eventId, { by: worker, worker })
      : api.transaction((tx) => findEvent(look.eventId, { by: tx, worker }), { accountId: look.accountId });
  const event = await find();
  if (event !== undefined) return event;
  // The watermark first: read after the look, it could have passed an event that was counted in between.
  const countedThroughMs = await readWatermark(worker);
  const late = await find();
  if (late !== undefined) return late;
  const message = (await noLongerKept(look, worker)) ?? notCounted;
  throw new AppError('event_not_found', message, {
    members: { counted_through: toIso(countedThroughMs) },
  });
}

const notCounted = 'No such event is counted. If it was received after counted_through, it may be soon.';

interface Readers {
  readonly by: Queryable;
  readonly worker: Queryable;
}

/** An id tells how it was made: version 8 from a key, version 7 from the time of receipt. */
async function findEvent(eventId: string, { by, worker }: Readers): Promise<TracedEvent | undefined> {
  if (!isUuid(eventId)) return undefined;
  const receivedAtMs = receiptOf(eventId);
  if (receivedAtMs !== undefined) return findEventReceivedAt(by, eventId, receivedAtMs);
  const place = await findKeyedPlace(worker, eventId);
  return place && findEventAt(by, eventId, place);
}

/** What can still be said of an event whose row is gone. Of a keyed one its consumer is told that it was counted. */
async function noLongerKept({ eventId, accountId }: EventLook, worker: Queryable): Promise<string | undefined> {
  const keptSinceMs = await readKeptSince(worker);
  if (keptSinceMs === undefined || !isUuid(eventId)) return undefined;
  const gone = `Events before ${toIso(keptSinceMs)} are not kept any more`;
  const receivedAtMs = receiptOf(eventId);
  if (receivedAtMs !== undefined)
    return receivedAtMs < keptSinceMs
      ? `${gone}. If this one was counted, usage and the invoice of its month still hold it.`
      : undefined;
  const place = await findKeyedPlace(worker, eventId);
  const isTold = place !== undefined && (accountId === undefined || place.consumerId === accountId);
  return isTold && place.occurredAtMs < keptSinceMs ? `${counted(place)} ${gone}.` : undefined;
}

function counted({ occurredAtMs }: EventPlace): string {
  const period = periodOf(occurredAtMs);
  return `The event of ${toIso(occurredAtMs)} was counted: usage and the invoice of ${period} still hold it.`;
}

/** UUIDv7 begins with 48 bits of milliseconds. Undefined for other versions. */
function receiptOf(eventId: string): number | undefined {
  return eventId.charAt(14) === '7' ? Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16) : undefined;
}
