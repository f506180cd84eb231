import { uuidV7, uuidV8 } from './uuid.ts';

/** The id of an event without an idempotency key. */
export function createEventId(nowMs: number): string {
  return uuidV7(nowMs);
}

/** The id of an event with an idempotency key. It is the same everywhere and for ever, so a repeat has the same id without a look-up. */
export function keyedEventId(accountId: string, idempotencyKey: string): string {
  return uuidV8(accountId, idempotencyKey);
}
