import { z } from 'zod';

/** A token that an `Authorization: Bearer` header can carry and that nobody guesses. */
export const operatorTokenSchema = z
  .string()
  .regex(/^[^\s,]*$/, { error: 'must have neither blanks nor commas' })
  .min(32, { error: 'must have at least 32 characters' })
  .optional()
  .describe(
    'Opens the operator’s routes, as the operator token `default`; at least 32 characters. Without any operator token those routes do not exist. All services need the same value. It counts until `default` is rotated or revoked by `tollgate operator-token`.',
  );
