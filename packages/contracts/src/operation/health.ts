import { z } from 'zod';
import { isoTimeSchema } from '../forms/timestamp.ts';

export const livenessSchema = z
  .object({
    status: z.literal('ok'),
    now: isoTimeSchema.meta({
      description: 'The time by which the service judges. In a sandbox, the operator may move it.',
    }),
  })
  .meta({ id: 'Liveness' });

export const readinessSchema = z
  .object({
    status: z.literal('ok'),
    checks: z.record(z.string(), z.string()).optional().meta({
      description:
        'On the port of the metrics alone, the state of each part: `ok`, or `degraded: …` if the service works without it.',
    }),
  })
  .meta({ id: 'Readiness' });

export type Liveness = z.infer<typeof livenessSchema>;
export type Readiness = z.infer<typeof readinessSchema>;
