import { hash } from 'node:crypto';
import { isUuid } from '@tollgate/kernel/uuid';
import { eventAgeMaxMs, isDurationMs, isIdempotencyKey } from './events.ts';
import { isMetadata, type Metadata } from '../forms/metadata.ts';
import { isSlug } from '../forms/slug.ts';
import { parseIsoTime } from '../forms/timestamp.ts';

/** Versioned: a change that an old reader cannot parse is a new topic. */
export const usageEventsTopic = 'usage.events.v1';
/** The group in which the aggregators read it. */
export const usageEventsGroup = 'aggregator';

/** One accepted event: each record of the topic is such a JSON document. Fields that the caller left out are absent. */
export interface UsageEventRecord {
  readonly v: 1;
  readonly event_id: string;
  readonly consumer_id: string;
  readonly tool_id: string;
  /** When the call happened: UTC, milliseconds, `Z`; at most 24 h before `received_at`, never after it. */
  readonly occurred_at: string;
  readonly received_at: string;
  readonly success: boolean;
  readonly duration_ms?: number | undefined;
  readonly metadata?: Metadata | undefined;
  readonly idempotency_key?: string | undefined;
  /** The hash of the body (`bodyHashOf`). Present exactly when the event has an idempotency key. */
  readonly body_hash?: string | undefined;
  /** The pass that pays for it: the consumer's own, which sent the event or was authorized to. */
  readonly pass_id?: string | undefined;
  /**
   * The end of a gate's wait for an event whose money it holds. An event that comes into the log after the watermark
   * has passed this time is not counted, since its money may be free again.
   */
  readonly hold_expires_at?: string | undefined;
}

/** An event as it goes into the log, and is read from it. */
export interface EncodedUsageEvent {
  readonly key: string;
  readonly value: Uint8Array;
  readonly decoded?: unknown;
}

export type DecodedUsageEvent =
  | { readonly ok: true; readonly record: UsageEventRecord }
  | { readonly ok: false; readonly code: UsageEventProblem; readonly reason: string };

/** Why a record is no event; kept with its bytes as a dead letter. */
export type UsageEventProblem = 'record_too_large' | 'record_not_json' | 'record_version_unknown' | 'record_invalid';

/** The compared part of an event. */
export interface HashedBody {
  readonly tool_id: string;
  readonly success: boolean;
  readonly duration_ms?: number | undefined;
  readonly metadata?: Metadata | undefined;
}

/** An event body has at most 64 KiB; escapes and our own fields add to that, but never this much. */
const recordBytesMax = 512 * 1024;
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Maps the code of a base64url character to the character with the same two first bits, and zeros after them. */
const lastOfHash: readonly string[] = Array.from({ length: 128 }, (_, code) =>
  base64url.charAt(base64url.indexOf(String.fromCodePoint(code)) & 0b110000),
);
const bodyHashPattern = /^[A-Za-z0-9_-]{21}[AQgw]$/;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Spreads one consumer's tools over partitions and keeps each rollup row with a single writer. */
export function partitionKeyOf(record: Pick<UsageEventRecord, 'consumer_id' | 'tool_id'>): string {
  return `${record.consumer_id}:${record.tool_id}`;
}

/**
 * The hash by which a repeat is compared with the first event of its key: 16 bytes of SHA-256, base64url. The body is
 * normalised: `{}` is absent, metadata keys are sorted, numbers are compared by value. The timestamp is left out: a
 * client that stamps each attempt still sends the same event.
 */
export function bodyHashOf(event: HashedBody): string {
  const metadata = Object.entries(event.metadata ?? {}).sort(byKey);
  const canonical = JSON.stringify([event.tool_id, event.success, event.duration_ms ?? null, metadata]);
  const digest = hash('sha256', canonical, 'base64url');
  // The 16th byte ends within the 22nd character: its two first bits remain.
  return digest.slice(0, 21) + lastOfHash[digest.charCodeAt(21)];
}

/** A record for the log. A reader in the same process may be handed `decoded` along with it. */
export function encodeUsageEvent(record: UsageEventRecord): EncodedUsageEvent {
  return { key: partitionKeyOf(record), value: Buffer.from(JSON.stringify(record)), decoded: record };
}

/** The event of a record that was read: as the gateway of this process made it, or decoded from its bytes. */
export function usageEventOf({ value, decoded }: Pick<EncodedUsageEvent, 'value' | 'decoded'>): DecodedUsageEvent {
  if (decoded === undefined) return decodeUsageEvent(value);
  return { ok: true, record: decoded as UsageEventRecord }; // only `encodeUsageEvent` sets it
}

/**
 * Reads one record of the topic, whoever wrote it. Never throws. It accepts only records that can be stored, by the
 * gateway's limits, formats and times. So a foreign producer can neither block a partition nor invent a day in the far
 * past.
 */
export function decodeUsageEvent(bytes: Uint8Array): DecodedUsageEvent {
  if (bytes.byteLength > recordBytesMax) return refused('record_too_large', `${bytes.byteLength} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(decoder.decode(bytes));
  } catch (error) {
    return refused('record_not_json', withoutNul(String(error)));
  }
  if (typeof value !== 'object' || value === null) return refused('record_invalid', 'not an object');
  return checkRecord(value as Record<string, unknown>); // an object
}

function checkRecord(fields: Record<string, unknown>): DecodedUsageEvent {
  if (fields['v'] !== 1) return refused('record_version_unknown', versionText(fields['v']));
  const reason = checkIds(fields) ?? checkTimes(fields) ?? checkBody(fields) ?? checkKey(fields);
  if (reason !== undefined) return refused('record_invalid', reason);
  return { ok: true, record: fields as unknown as UsageEventRecord }; // every field has been checked
}

/** Avoids `JSON.stringify`: a version nested 10⁵ deep would overflow the stack. */
function versionText(version: unknown): string {
  return typeof version === 'number' ? `version ${version}` : `version of type ${typeof version}`;
}

/**
 * The parser's message quotes the record, and PostgreSQL stores no NUL in text: the dead letter would block its
 * partition.
 */
function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}

function refused(code: UsageEventProblem, reason: string): DecodedUsageEvent {
  return { ok: false, code, reason };
}

function checkIds(fields: Record<string, unknown>): string | undefined {
  if (!isUuidText(fields['event_id'])) return 'event_id is not a UUID';
  if (!isUuidText(fields['consumer_id'])) return 'consumer_id is not a UUID';
  const toolId = fields['tool_id'];
  if (typeof toolId !== 'string' || !isSlug(toolId)) return 'tool_id is not a slug';
  const passId = fields['pass_id'];
  return passId === undefined || isUuidText(passId) ? undefined : 'pass_id is not a UUID';
}

function checkTimes(fields: Record<string, unknown>): string | undefined {
  const occurredAt = isoMsOf(fields['occurred_at']);
  if (occurredAt === undefined) return 'occurred_at is not a time in UTC with milliseconds';
  const receivedAt = isoMsOf(fields['received_at']);
  if (receivedAt === undefined) return 'received_at is not a time in UTC with milliseconds';
  if (occurredAt > receivedAt) return 'occurred_at is after received_at';
  const holdExpiresAt = fields['hold_expires_at'];
  if (holdExpiresAt !== undefined && isoMsOf(holdExpiresAt) === undefined)
    return 'hold_expires_at is not a time in UTC';
  return receivedAt - occurredAt > eventAgeMaxMs ? 'occurred_at is more than 24 hours before received_at' : undefined;
}

function checkBody(fields: Record<string, unknown>): string | undefined {
  if (typeof fields['success'] !== 'boolean') return 'success is not a boolean';
  const duration = fields['duration_ms'];
  if (duration !== undefined && !isDurationMs(duration)) return 'duration_ms is out of range';
  const metadata = fields['metadata'];
  return metadata === undefined || isMetadata(metadata) ? undefined : 'metadata is out of its limits';
}

/** A keyed event has a hashed id (UUIDv8) and a body hash; an event without a key has neither. */
function checkKey(fields: Record<string, unknown>): string | undefined {
  const { event_id: eventId, idempotency_key: key, body_hash: bodyHash } = fields;
  const uuidVersion = String(eventId).charAt(14);
  if (key === undefined) {
    if (bodyHash !== undefined) return 'body_hash without idempotency_key';
    return uuidVersion === '7' ? undefined : 'event_id is not a UUIDv7';
  }
  if (!isIdempotencyKey(key)) return 'idempotency_key is out of its limits';
  if (typeof bodyHash !== 'string' || !bodyHashPattern.test(bodyHash)) return 'body_hash is not 16 bytes in base64url';
  return uuidVersion === '8' ? undefined : 'event_id is not a UUIDv8';
}

function isUuidText(value: unknown): boolean {
  return typeof value === 'string' && isUuid(value);
}

function isoMsOf(value: unknown): number | undefined {
  return typeof value === 'string' ? parseIsoTime(value) : undefined;
}

function byKey([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : Number(left > right);
}
