import { clockSkewMaxSchema } from '@tollgate/runtime/config/clock-skew-schema';
import { eventLogSettings } from '@tollgate/runtime/config/event-log-settings';
import { keyArchiveSettings } from '@tollgate/runtime/config/key-archive-settings';
import { portSchema, processSettings } from '@tollgate/runtime/config/process-settings';
import { z } from 'zod';

const days = z.coerce.number().int().min(1).max(36_500);

export const configSchema = z
  .object({
    DATABASE_WORKER_URL: z
      .string()
      .min(1)
      .describe('PostgreSQL as role aggregator_worker: postgresql://aggregator_worker:…@host/tollgate'),
    EVENT_RETENTION_DAYS: days
      .default(90)
      .describe('How long single events are kept. Rollups and idempotency keys are kept for ever.'),
    LOG_RETENTION_DAYS: days
      .default(7)
      .describe('How long counted records stay in the event log. Shorter than EVENT_RETENTION_DAYS.'),
    APPEND_DEADLINE_MS: z.coerce
      .number()
      .int()
      .min(100)
      .max(60_000)
      .default(5_000)
      .describe('How long after receipt a gateway may still acknowledge an event. All services need the same value.'),
    CLOCK_SKEW_MAX_MS: clockSkewMaxSchema,
    ...eventLogSettings,
    ...keyArchiveSettings,
    ...processSettings,
    PORT: portSchema.default(8084).describe('Port to listen on. It serves only /livez and /readyz.'),
  })
  .refine((config) => config.LOG_RETENTION_DAYS < config.EVENT_RETENTION_DAYS, {
    path: ['LOG_RETENTION_DAYS'],
    message: 'must be shorter than EVENT_RETENTION_DAYS: a record that the log repeats must meet the row of its event',
  });

export type Config = z.output<typeof configSchema>;
