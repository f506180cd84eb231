import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { isPlainName } from '@tollgate/kernel/text';
import { isUuid } from '@tollgate/kernel/uuid';
import { periodOf } from '@tollgate/kernel/period';
import type { Database, Queryable } from '@tollgate/database/database';
import type { TracedEvent } from './trace.ts';
import { findEventAt, findEventReceivedAt, findKeyedPlace, readKeptSince, type EventPlace } from './sql-find-event.ts';
import { readWatermark } from '../usage/sql-watermark.ts';

export interface EventLook {
  readonly eventId: string;
  /** Shows only events that this account may see. Undefined for the operator, who sees all. */
  readonly accountId?: string | undefined;
}

export interface FindDeps {
  /** A connection under row-level policies. It returns only events that the account may see. */
  readonly api: Database;
  /** A connection that sees all accounts: it finds where keyed events lie, and reads for the operator. */
  readonly worker: Database;
}

/**
 * Finds an event. Throws `event_not_found`, as the gateway does. The error is the same for an unknown event, an
 * uncounted one and another account's.
 */
export async function findTracedEvent(look: EventLook, { api, worker }: FindDeps): Promise<TracedEvent> {
  const find = () =>
    look.accountId === undefined
      ? findEvent(look.eventId, { reader: worker, worker })
      : api.transaction((tx) => findEvent(look.eventId, { reader: tx, worker }), { accountId: look.accountId });
  const event = await find();
  if (event !== undefined) return event;
  // The watermark is read before the second look. In the other order it could pass an event that was counted between
  // the two.
  const countedThroughMs = await readWatermark(worker);
  const late = await find();
  if (late !== undefined) return late;
  const message = (await noLongerKept(look, worker)) ?? notCounted(look.eventId);
  throw new AppError('event_not_found', message, {
    members: { counted_through: toIso(countedThroughMs) },
  });
}

function notCounted(eventId: string): string {
  const which = isPlainName(eventId) ? ` \`${eventId}\`` : '';
  return `The event${which} is not counted. If it was received after counted_through, it may be soon.`;
}

interface Readers {
  readonly reader: Queryable;
  readonly worker: Queryable;
}

/** An id shows its origin: version 8 was derived from an idempotency key, version 7 from the time of receipt. */
async function findEvent(eventId: string, { reader, worker }: Readers): Promise<TracedEvent | undefined> {
  if (!isUuid(eventId)) return undefined;
  const receivedAtMs = receiptOf(eventId);
  if (receivedAtMs !== undefined) return findEventReceivedAt(reader, eventId, receivedAtMs);
  const place = await findKeyedPlace(worker, eventId);
  return place && findEventAt(reader, eventId, place);
}

/**
 * The message for an event whose row is gone; undefined if it was never counted. Only its consumer learns that a keyed
 * event was counted.
 */
async function noLongerKept({ eventId, accountId }: EventLook, worker: Queryable): Promise<string | undefined> {
  const keptSinceMs = await readKeptSince(worker);
  if (keptSinceMs === undefined || !isUuid(eventId)) return undefined;
  const notKept = `Events before ${toIso(keptSinceMs)} are not kept any more`;
  const receivedAtMs = receiptOf(eventId);
  if (receivedAtMs !== undefined)
    return receivedAtMs < keptSinceMs
      ? `${notKept}. If the event \`${eventId}\` was counted, usage and the invoice of its month still contain it.`
      : undefined;
  const place = await findKeyedPlace(worker, eventId);
  const mayKnow = place !== undefined && (accountId === undefined || place.consumerId === accountId);
  return mayKnow && place.occurredAtMs < keptSinceMs ? `${counted(place)} ${notKept}.` : undefined;
}

function counted({ occurredAtMs }: EventPlace): string {
  const period = periodOf(occurredAtMs);
  return `The event of ${toIso(occurredAtMs)} was counted: usage and the invoice of ${period} still contain it.`;
}

/** UUIDv7 begins with 48 bits of milliseconds. Undefined for other versions. */
function receiptOf(eventId: string): number | undefined {
  return eventId.charAt(14) === '7' ? Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16) : undefined;
}
