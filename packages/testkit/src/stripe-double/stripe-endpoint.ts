import type { Fields } from './read-fields.ts';
import type { StripeWorld } from './stripe-world.ts';

export interface StripeEndpoint {
  readonly method: 'GET' | 'POST';
  /** `answer` gets its groups. */
  readonly path: RegExp;
  /** Any other name is refused, as at Stripe. */
  readonly fields: readonly RegExp[];
  answer(world: StripeWorld, fields: Fields, id: string): object;
}
