import { uuidV7, uuidV8 } from './uuid.ts';

/** The id of an event without an idempotency key. */
export function createEventId(nowMs: number): string {
  return uuidV7(nowMs);
}

/** The id of an event with an idempotency key: the same everywhere, for ever, so a repeat needs no look-up to be recognised. */
export function keyedEventId(accountId: string, idempotencyKey: string): string {
  return uuidV8(accountId, idempotencyKey);
}
