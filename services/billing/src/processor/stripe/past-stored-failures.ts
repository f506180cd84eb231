import { AppError } from '@tollgate/kernel/app-error';

export interface KeyedSending<Created> {
  readonly idempotencyKey: string;
  send(key: string): Promise<Created>;
  /** Finds the object that an earlier call created. It must read a list, which proves that there is none. */
  find(): Promise<Created | undefined>;
}

const keysMax = 3;

/**
 * Sends a keyed call, past failures that Stripe keeps under the key. After such a failure it first looks for the
 * object. Only if there is none does it use another key, which is always the same. So a crash on the way, or two calls
 * at once, create no second object (F59).
 */
export async function pastStoredFailures<Created>({
  idempotencyKey,
  send,
  find,
}: KeyedSending<Created>): Promise<Created> {
  for (let nth = 1; nth <= keysMax; nth += 1) {
    try {
      return await send(nth === 1 ? idempotencyKey : `${idempotencyKey}:${nth}`);
    } catch (error) {
      if (!(error instanceof StoredStripeFailure)) throw error;
      const found = await find();
      if (found !== undefined) return found;
    }
  }
  throw new AppError('processor_unavailable', 'The payment processor failed several times.');
}

/**
 * Stripe keeps the failure of an earlier call under this key. Repeating is useless, and another key needs proof that
 * nothing exists.
 */
export class StoredStripeFailure extends AppError {
  constructor(detail: object) {
    super('processor_unavailable', 'The payment processor failed.', { detail });
  }
}
