import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { optional } from '../forms/optional.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';

/** A century: so no time that the clock can reach has a year of more than four digits. */
const advanceSecondsMax = 3_155_760_000;
/** The sandbox's clock never passes `endMs`, and never begins before `startMs`. */
export const sandboxClockBounds = {
  startMs: new Date('2000-01-01T00:00:00.000Z').getTime(),
  endMs: new Date('3000-01-01T00:00:00.000Z').getTime(),
} as const;

export const moveClockSchema = closedObject({
  now: optional(timestampSchema).meta({ description: 'The new time, not before the current one.' }),
  advance_seconds: optional(z.int().min(0).max(advanceSecondsMax)).meta({
    description: 'In place of `now`: how far the clock moves ahead.',
    examples: [3_600],
  }),
  frozen: optional(z.boolean()).meta({ description: 'Whether the clock stands still from then on. Default: false.' }),
})
  .check((context) => {
    const { now, advance_seconds: advanceSeconds } = context.value;
    if (now === undefined || advanceSeconds === undefined) return;
    context.issues.push({
      code: 'custom',
      path: ['advance_seconds'],
      input: context.value,
      message: 'must not be given together with `now`',
      params: { code: 'invalid_value' },
    });
  })
  .meta({ id: 'ClockMove', examples: [{ advance_seconds: 3_600 }] });

export const clockSchema = z
  .object({
    now: isoTimeSchema,
    frozen: z.boolean().meta({ description: 'Whether the clock stands still. Otherwise it ticks.' }),
    worked_through: isoTimeSchema.nullable().meta({
      description:
        'All work that moves of the clock made due by this time has been done. Null before the first move has done its work.',
    }),
  })
  .meta({ id: 'Clock' });

export type MoveClock = z.output<typeof moveClockSchema>;
export type ClockState = z.infer<typeof clockSchema>;
