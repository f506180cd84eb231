import { AppError } from '@tollgate/kernel/app-error';

/**
 * Stripe keeps the failure of an earlier call under this key. Repeating is useless, and another key needs proof that
 * nothing exists.
 */
export class StoredStripeFailure extends AppError {
  constructor(detail: object) {
    super('processor_unavailable', 'The payment processor failed.', { detail });
  }
}
