import { z } from 'zod';

export const clockSkewMaxSchema = z.coerce
  .number()
  .int()
  .min(0)
  .max(60_000)
  .default(2_000)
  .describe(
    'How far the clocks of the machines may be apart; the same for all services. A process whose clock differs by more from the database’s is not ready, closes nothing and drops nothing.',
  );
