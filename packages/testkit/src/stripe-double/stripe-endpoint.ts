import type { Fields } from './read-fields.ts';
import type { StripeWorld } from './stripe-world.ts';

export interface StripeEndpoint {
  readonly method: 'GET' | 'POST';
  /** Its groups are handed to `answer`. */
  readonly path: RegExp;
  /** A name that is not here is refused, as Stripe does. */
  readonly fields: readonly RegExp[];
  answer(world: StripeWorld, fields: Fields, id: string): object;
}
