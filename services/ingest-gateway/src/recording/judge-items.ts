import { eventBodyBytesMax, type EventInput } from '@tollgate/contracts/events/events';
import { parseEvent } from '@tollgate/contracts/events/parse-event';
import { AppError } from '@tollgate/kernel/app-error';
import { invalidInput } from '@tollgate/runtime/http/requests/invalid-request';
import { refuseConsumer } from './refuse-consumer.ts';

export type JudgedItem =
  | { readonly isValid: true; readonly event: EventInput; readonly ignoredFields: readonly string[] }
  | { readonly isValid: false; readonly error: AppError };

/** The length of the longest slug. The limits of all other fields keep an event far below the limit of an item. */
const slugLengthMax = 63;

/** Checks each item by itself, so an invalid item does not affect the others. */
export function judgeItems(items: readonly unknown[], accountId: string): readonly JudgedItem[] {
  return items.map((item) => judgeItem(item, accountId));
}

function judgeItem(item: unknown, accountId: string): JudgedItem {
  const parsed = parseEvent(item);
  const isPlain = parsed.ok && parsed.ignoredFields.length === 0 && parsed.event.tool_id.length <= slugLengthMax;
  // Measuring the size costs more than parsing, and a plain event cannot be too large.
  if (!isPlain && isTooLarge(item)) return { isValid: false, error: tooLarge() };
  if (!parsed.ok) return { isValid: false, error: invalidInput('body', parsed.errors) };
  const refusal = refuseConsumer(item, parsed.ignoredFields, accountId);
  if (refusal !== undefined) return { isValid: false, error: refusal };
  return { isValid: true, event: parsed.event, ignoredFields: parsed.ignoredFields };
}

function isTooLarge(item: unknown): boolean {
  return Buffer.byteLength(JSON.stringify(item)) > eventBodyBytesMax;
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', `An item may have at most ${eventBodyBytesMax} bytes.`);
}
