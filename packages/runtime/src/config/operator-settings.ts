import { z } from 'zod';

/** A token that an `Authorization: Bearer` header can carry and that nobody guesses. */
const operatorTokenSchema = z
  .string()
  .regex(/^[^\s,]*$/, { error: 'must have neither blanks nor commas' })
  .min(32, { error: 'must have at least 32 characters' })
  .optional()
  .describe(
    'Opens the operator’s routes, as the operator token `default`; at least 32 characters. Without any operator token those routes do not exist. All services need the same value. It counts until `default` is rotated or revoked by `tollgate operator operator-token`.',
  );

/** Settings of every service that has routes of the operator. */
export const operatorSettings = {
  OPERATOR_TOKEN: operatorTokenSchema,
  WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .describe(
      'Wrong operator tokens per minute from one address (IPv6: one /64). Beyond it the address gets 429, also with a right one.',
    ),
};
