import { isUuid } from '@tollgate/kernel/uuid';
import type { FieldError } from '@tollgate/kernel/app-error';
import { callIndexMax, eventSchema, isDurationMs, isIdempotencyKey, type EventInput } from './events.ts';
import { fieldErrorsOf, pointerOf } from '../forms/field-errors.ts';
import { isMetadata, withoutNulls } from '../forms/metadata.ts';
import { textProblem } from '../forms/text-schema.ts';
import { unknownFieldError } from '../forms/unknown-field.ts';
import { isTraceparent } from '../forms/traceparent.ts';
import { parseTimestamp } from '../forms/timestamp.ts';

export type EventParse =
  | { readonly ok: true; readonly event: EventInput; readonly ignoredFields: readonly string[] }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

type Draft = { -readonly [Field in keyof EventInput]: EventInput[Field] };

type Take = (draft: Partial<Draft>, value: unknown) => boolean;

const takers: ReadonlyMap<string, Take> = new Map([
  ['tool_id', takeToolId],
  ['idempotency_key', takeIdempotencyKey],
  ['timestamp', takeTimestamp],
  ['success', takeSuccess],
  ['duration_ms', takeDuration],
  ['metadata', takeMetadata],
  ['authorization_id', takeAuthorizationId],
  ['call_index', takeCallIndex],
  ['traceparent', takeTraceparent],
]);

/** `toolId`, `idempotencyKey`, `durationMs`. Ignored, such a field would change what the event means. */
const camelCaseTwins: ReadonlySet<string> = new Set(
  [...takers.keys()].filter((field) => field.includes('_')).map(toCamelCase),
);

const toolIdLimits = { min: 1, max: Number.POSITIVE_INFINITY };

/**
 * Checks one event on the gateway's hot path, in well under a microsecond. Never throws, whatever the value. A
 * hand-written parser accepts valid events; for anything else `eventSchema` says what is wrong. A property test holds
 * the two to the same answer.
 */
export function parseEvent(value: unknown): EventParse {
  const parsed = parseValidEvent(value);
  if (parsed) return parsed;
  const checked = eventSchema.safeParse(value);
  const errors = [...twinErrors(value), ...(checked.success ? [] : fieldErrorsOf(checked.error, value))];
  if (!checked.success || errors.length > 0) return { ok: false, errors };
  return { ok: true, event: withoutUndefined(checked.data), ignoredFields: ignoredFieldsOf(value) };
}

function twinErrors(value: unknown): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  const twins = Object.keys(value).filter((field) => camelCaseTwins.has(field));
  return twins.map((field) => unknownFieldError(field, { pointer: pointerOf([field]), known: [...takers.keys()] }));
}

function toCamelCase(field: string): string {
  return field.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** A single loop over the own fields. It finds the ignored fields on the way and reads no prototype. */
function parseValidEvent(value: unknown): EventParse | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const draft: Partial<Draft> = { success: true };
  const ignoredFields: string[] = [];
  for (const [field, fieldValue] of Object.entries(value) as [string, unknown][]) {
    const take = takers.get(field);
    if (take === undefined) {
      if (camelCaseTwins.has(field)) return undefined;
      ignoredFields.push(field);
    } else if (fieldValue != null && !take(draft, fieldValue)) return undefined;
  }
  if (draft.tool_id === undefined) return undefined;
  return { ok: true, event: draft as EventInput, ignoredFields }; // tool_id and success are set
}

function takeToolId(draft: Partial<Draft>, value: unknown): boolean {
  if (typeof value !== 'string' || textProblem(value, toolIdLimits) !== undefined) return false;
  draft.tool_id = value;
  return true;
}

function takeIdempotencyKey(draft: Partial<Draft>, value: unknown): boolean {
  if (!isIdempotencyKey(value)) return false;
  draft.idempotency_key = value;
  return true;
}

function takeAuthorizationId(draft: Partial<Draft>, value: unknown): boolean {
  if (typeof value !== 'string' || !isUuid(value)) return false;
  draft.authorization_id = value;
  return true;
}

function takeCallIndex(draft: Partial<Draft>, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > callIndexMax) return false;
  draft.call_index = value + 0; // −0 becomes 0
  return true;
}

function takeTraceparent(draft: Partial<Draft>, value: unknown): boolean {
  if (!isTraceparent(value)) return false;
  draft.traceparent = value;
  return true;
}

function takeTimestamp(draft: Partial<Draft>, value: unknown): boolean {
  const ms = typeof value === 'string' ? parseTimestamp(value) : undefined;
  if (ms === undefined) return false;
  draft.timestamp = ms;
  return true;
}

function takeSuccess(draft: Partial<Draft>, value: unknown): boolean {
  if (typeof value !== 'boolean') return false;
  draft.success = value;
  return true;
}

function takeDuration(draft: Partial<Draft>, value: unknown): boolean {
  if (!isDurationMs(value)) return false;
  draft.duration_ms = value + 0; // −0 becomes 0
  return true;
}

function takeMetadata(draft: Partial<Draft>, value: unknown): boolean {
  const metadata = withoutNulls(value);
  if (!isMetadata(metadata)) return false;
  draft.metadata = metadata;
  return true;
}

function ignoredFieldsOf(value: unknown): readonly string[] {
  return Object.keys(value as object).filter((field) => !takers.has(field)); // the contract accepted it, so it is an object
}

function withoutUndefined(event: EventInput): EventInput {
  return Object.fromEntries(Object.entries(event).filter(([, value]) => value !== undefined)) as unknown as EventInput;
}
