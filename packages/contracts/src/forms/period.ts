import { z } from 'zod';

/** A billing period, `YYYY-MM`. It begins in 2000 or later, since PostgreSQL cannot store every year of four digits. */
export const periodSchema = z
  .string()
  .regex(/^2[0-9]{3}-(?:0[1-9]|1[0-2])$/, { error: 'must be a month as YYYY-MM, from 2000-01 on' })
  .meta({ description: 'A calendar month in UTC.', examples: ['2026-11'] });
