import { StripeRefusal } from './stripe-refusal.ts';

export interface StripeReply {
  readonly status: number;
  readonly body: object;
}

interface Entry {
  readonly asked: string;
  readonly atMs: number;
  reply?: StripeReply;
}

/** Stripe keeps a key for 24 hours at least. */
const keptMs = 86_400_000;

export interface IdempotentReplies {
  /** Returns the key's reply, or takes the key. Throws if the key is in use or was used for another call. */
  begin(key: string, asked: string): StripeReply | undefined;
  /** Frees a key whose call did not begin: it failed validation or met a limit. */
  release(key: string): void;
  /** Sets the reply of every repetition from now on, also a server error. */
  finish(key: string, reply: StripeReply): void;
}

export function createIdempotentReplies(nowMs: () => number): IdempotentReplies {
  const entries = new Map<string, Entry>();
  return {
    begin(key, asked) {
      const entry = entries.get(key);
      if (!entry || nowMs() - entry.atMs >= keptMs) {
        entries.set(key, { asked, atMs: nowMs() });
        return undefined;
      }
      if (entry.asked !== asked) {
        const message =
          'Keys for idempotent requests can only be used with the same parameters they were first used with.';
        throw new StripeRefusal({ status: 400, type: 'idempotency_error', message });
      }
      if (entry.reply) return entry.reply;
      const message = 'There is currently another in-progress request using this Idempotency Key.';
      throw new StripeRefusal({ status: 409, type: 'idempotency_error', code: 'idempotency_key_in_use', message });
    },
    release: (key) => void entries.delete(key),
    finish(key, reply) {
      const entry = entries.get(key);
      if (entry) entry.reply = reply;
    },
  };
}
