import type { CallOptions } from './attempt.ts';

interface Keyed {
  readonly idempotency_key?: string | null;
}

/** The body under a key, so that a repeat has no second effect. It is the one key of its call: the header has none. */
export function withKey<Body extends Keyed>(body: Body, options: CallOptions = {}): Body {
  return { ...body, idempotency_key: body.idempotency_key ?? options.idempotencyKey ?? crypto.randomUUID() };
}
