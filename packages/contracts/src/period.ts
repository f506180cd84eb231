import { z } from 'zod';

/** A billing period. Of this millennium: what the database calls a time does not reach as far as four digits do. */
export const periodSchema = z
  .string()
  .regex(/^2[0-9]{3}-(?:0[1-9]|1[0-2])$/, { error: 'must be a month as YYYY-MM, from 2000-01 on' })
  .meta({ description: 'A calendar month in UTC.', examples: ['2026-11'] });
