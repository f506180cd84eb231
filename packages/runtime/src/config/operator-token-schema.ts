import { z } from 'zod';

/** What an `Authorization: Bearer` header can carry, and nobody guesses. Billing and the gateway must have the same one. */
export const operatorTokenSchema = z
  .string()
  .regex(/^[^\s,]*$/, { error: 'must have neither blanks nor commas' })
  .min(32, { error: 'must have at least 32 characters' })
  .optional()
  .describe(
    'Opens the operator’s routes, at least 32 characters; without it there are no such routes. The same in all services.',
  );
