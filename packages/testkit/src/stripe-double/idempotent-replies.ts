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
  /** The reply that the key has, if any; else the key is taken. Throws for one in use, or used for something else. */
  begin(key: string, asked: string): StripeReply | undefined;
  /** Nothing was begun under the key: validation had failed, or too many asked. */
  release(key: string): void;
  /** What every repetition gets from now on; an error of the server, too. */
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
