import type { Route } from '../routes/route.ts';
import { clockSchema, moveClockSchema } from './sandbox-clock.ts';

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
