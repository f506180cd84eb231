import { uuidV7, uuidV8 } from './uuid.ts';

/** The id of an event without an idempotency key. */
export function createEventId(nowMs: number): string {
  return uuidV7(nowMs);
}

export interface EventKey {
  readonly accountId: string;
  readonly key: string;
}

/**
 * The id of an event with an idempotency key. It is the same everywhere and for ever, so a repeat has the same id without
 * a look-up. Without the database's secret nobody can find the key by trying: ADR 106 says why this is as good as an HMAC.
 */
export function keyedEventId(secret: string, { accountId, key }: EventKey): string {
  return uuidV8(secret, accountId, key);
}

/**
 * The id of the event that captures an authorization, or one call of a book. Only the account or pass that asked for the
 * authorization leads to it, and nobody can take it with an idempotency key: a key's id begins with an account.
 */
export function capturedEventId(authorizationId: string, askerId: string, callIndex?: number): string {
  const parts = callIndex === undefined ? [] : [String(callIndex)];
  return uuidV8('authorization', authorizationId, askerId, ...parts);
}
