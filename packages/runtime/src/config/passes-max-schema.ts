import { z } from 'zod';

/** Gateways make passes on request, and auth by consents. */
export const passesMaxSchema = z.coerce
  .number()
  .int()
  .min(1)
  .max(100_000)
  .default(1_000)
  .describe('Live passes that an account may have; 422 `too_many_passes` beyond it.');
