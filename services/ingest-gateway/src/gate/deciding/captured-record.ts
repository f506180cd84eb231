import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { toIso } from '@tollgate/kernel/clock';
import { uuidV8 } from '@tollgate/kernel/uuid';
import type { Hold } from '../authorizations/hold.ts';
import type { AdmissibleEvent } from './admissible-event.ts';

export function withHold(record: UsageEventRecord, expiresAtMs: number): UsageEventRecord {
  return { ...record, hold_expires_at: toIso(expiresAtMs) };
}

/** An authorized call never happened before it was authorized: other prices, and another window, may have been in force. */
export function occurredAtMsOf({ askedAtMs }: Hold, { record }: AdmissibleEvent): number {
  return Math.max(Date.parse(record.occurred_at), askedAtMs);
}

/** The authorization says who pays and with which pass, and makes the key of an event that has none. */
export function toCapturedRecord(event: AdmissibleEvent, hold: Hold): UsageEventRecord {
  const { record, submission } = event;
  const occurredAtMs = occurredAtMsOf(hold, event);
  return {
    ...withHold(record, hold.expiresAtMs),
    consumer_id: hold.accountId,
    pass_id: hold.passId ?? undefined,
    occurred_at: toIso(occurredAtMs),
    // The authorizing gateway's clock may be ahead of ours.
    received_at: toIso(Math.max(submission.receivedAtMs, occurredAtMs)),
    idempotency_key: record.idempotency_key ?? keyOf(hold, submission.event.call_index),
  };
}

function keyOf({ holdId }: Hold, callIndex: number | undefined): string {
  return callIndex === undefined ? holdId : uuidV8('call', holdId, String(callIndex));
}
