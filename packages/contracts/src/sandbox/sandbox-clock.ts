import { z } from 'zod';
import { closedObject } from '../forms/closed-object.ts';
import { optional } from '../forms/optional.ts';
import { isoTimeSchema, timestampSchema } from '../forms/timestamp.ts';
import type { Route } from '../routes/route.ts';

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

const clock = {
  path: '/v1/sandbox/clock',
  service: 'billing',
  access: 'operator',
  tag: 'Sandbox',
  processor: 'sandbox',
} as const;

export const clockRoutes: readonly Route[] = [
  {
    ...clock,
    operationId: 'getClock',
    method: 'GET',
    summary: 'Get the sandbox clock',
    description: 'Only with the sandbox processor.',
    responses: { 200: { description: 'The clock.', schema: clockSchema } },
    errors: [],
  },
  {
    ...clock,
    operationId: 'moveClock',
    method: 'POST',
    idempotencyKey: { refused: 'send `now` in place of `advance_seconds`: a repeat then moves nothing more' },
    summary: 'Move the sandbox clock',
    description:
      'Sets the clock of all services, does all work that has become due, and answers when that is complete, or with 202 before 30 seconds have passed. The clock never goes back. Limits, throttles and deadlines do not move with it. Only with the sandbox processor.',
    body: moveClockSchema,
    responses: {
      200: { description: 'The moved clock. All work that became due is done.', schema: clockSchema },
      202: {
        description:
          'The moved clock. The work that became due goes on. It is done when `worked_through` of the clock (`Location`) is not before the `now` of this answer.',
        schema: clockSchema,
        headers: ['Location'],
      },
    },
    errors: ['clock_moved_back', 'clock_moved'],
  },
];
