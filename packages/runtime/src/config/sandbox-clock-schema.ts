import { z } from 'zod';

export const sandboxClockSchema = z
  .enum(['on', 'off'])
  .default('off')
  .describe(
    '`on`: services follow the sandbox’s clock, which the operator can move. All services need the same value.',
  );
