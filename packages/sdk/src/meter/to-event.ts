import { readTraceparent } from '../client/traceparent.ts';
import type { Clock } from '../clock.ts';

/** The service refuses larger events. */
const eventBytesMax = 65_536;

/** A call of a tool, as `record()` takes it. */
export interface ToolCall {
  /** The slug of the tool. */
  readonly tool: string;
  /** How long the call took. Fractions of a millisecond are rounded. */
  readonly duration_ms?: number | undefined;
  /** Default: true. */
  readonly success?: boolean | undefined;
  /** At most 10 keys, and 256 characters per value. */
  readonly metadata?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** When the call happened. Default: now. */
  readonly timestamp?: Date | string | undefined;
  /** Default: a random one. Give one if you may record the same call twice. */
  readonly idempotencyKey?: string | undefined;
  /** The call captures this authorization, so its account pays. */
  readonly authorizationId?: string | undefined;
  /** The span of the call, as W3C Trace Context has it. What is no traceparent is left out. */
  readonly traceparent?: string | undefined;
}

/** An event with everything that makes a repeat of it a repeat for ever. */
export interface KeyedEvent {
  readonly json: string;
  readonly idempotencyKey: string;
}

/** Checks what would keep the event from ever being sent. Everything else the service decides. */
export function toEvent(call: ToolCall, clock: Clock): KeyedEvent {
  const {
    tool,
    duration_ms: duration,
    success,
    metadata,
    idempotencyKey = crypto.randomUUID(),
    authorizationId,
  } = call;
  requireSendable(call);
  const json = JSON.stringify({
    tool_id: tool,
    duration_ms: duration && Math.round(duration),
    success,
    metadata,
    timestamp: toTime(call.timestamp, clock),
    idempotency_key: idempotencyKey,
    authorization_id: authorizationId,
    traceparent: readTraceparent(call.traceparent),
  });
  if (bytesOf(json) > eventBytesMax) throw new RangeError(`an event has at most ${eventBytesMax} bytes`);
  return { json, idempotencyKey };
}

function requireSendable({ tool, duration_ms: duration, metadata, idempotencyKey }: ToolCall): void {
  if (typeof tool !== 'string' || tool === '') throw new TypeError('`tool` must be the slug of a tool');
  if (!isDuration(duration ?? 0)) throw new TypeError('`duration_ms` must be a finite number of 0 or more');
  if (Object.values(metadata ?? {}).some(isNoJson)) throw new TypeError('a number in `metadata` must be finite');
  if (idempotencyKey === '') throw new TypeError('`idempotencyKey` must not be empty');
}

function isDuration(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && !isNoJson(value);
}

/** It would be sent as null, and so be recorded as if it had not been given. */
function isNoJson(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value);
}

function toTime(timestamp: Date | string | undefined, clock: Clock): string {
  if (typeof timestamp === 'string') return timestamp;
  if (timestamp === undefined) return toIsoText(clock.now());
  if (Number.isNaN(timestamp.getTime())) throw new TypeError('`timestamp` must be a valid time');
  return timestamp.toISOString();
}

let lastText = { ms: Number.NaN, text: '' };

/** Many events share a millisecond, and writing it was a fifth of what record() cost. */
function toIsoText(ms: number): string {
  if (ms !== lastText.ms) lastText = { ms, text: new Date(ms).toISOString() };
  return lastText.text;
}

function bytesOf(json: string): number {
  return json.length * 3 <= eventBytesMax ? json.length : new TextEncoder().encode(json).length;
}
