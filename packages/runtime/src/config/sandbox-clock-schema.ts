import { z } from 'zod';

export const sandboxClockSchema = z
  .enum(['on', 'off'])
  .default('off')
  .describe('`on`: time is that of the clock that the operator may move, for trials. The same in all services.');
