import { AppError } from '@tollgate/kernel/app-error';

/** Stripe keeps the failure of an earlier call under this key: repeating is of no use, and another key needs a proof. */
export class StoredStripeFailure extends AppError {
  constructor(detail: object) {
    super('unavailable', 'The payment processor failed at this.', { detail });
  }
}
