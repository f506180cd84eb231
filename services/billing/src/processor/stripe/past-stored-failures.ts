import { AppError } from '@tollgate/kernel/app-error';
import { StoredStripeFailure } from './stored-stripe-failure.ts';

export interface KeyedSending<Made> {
  readonly idempotencyKey: string;
  send(key: string): Promise<Made>;
  /** What an earlier call has made; a list is the proof that there is none. */
  find(): Promise<Made | undefined>;
}

const keysMax = 3;

/**
 * Where Stripe keeps a failure under the key, the object is looked for; only where there is none another key is used, and
 * always the same one: dying on the way, or two at once, make no second object (F59).
 */
export async function pastStoredFailures<Made>({ idempotencyKey, send, find }: KeyedSending<Made>): Promise<Made> {
  for (let nth = 1; nth <= keysMax; nth += 1) {
    try {
      return await send(nth === 1 ? idempotencyKey : `${idempotencyKey}:${nth}`);
    } catch (error) {
      if (!(error instanceof StoredStripeFailure)) throw error;
      const found = await find();
      if (found !== undefined) return found;
    }
  }
  throw new AppError('unavailable', 'The payment processor failed at this several times.');
}
