import { z } from 'zod';

const pattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** The `Idempotency-Key` header: printable ASCII, since header bytes beyond it have no agreed meaning. */
export const idempotencyKeySchema = z
  .string()
  .regex(pattern, { error: 'must be 1 to 255 printable ASCII characters' })
  .meta({ minLength: 1, maxLength: 255, examples: ['0f7a1c52-order-1842'] });
