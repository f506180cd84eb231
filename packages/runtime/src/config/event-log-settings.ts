import { z } from 'zod';
import { kafkaSettings } from './kafka-settings.ts';

/** Settings of every service that appends to the log or reads it. Standalone ignores them: its log is in its own PostgreSQL. */
export const eventLogSettings = {
  EVENT_LOG: z
    .enum(['postgres', 'kafka'])
    .default('postgres')
    .describe('Where the event log is. Gateways and aggregators need the same value.'),
  ...kafkaSettings,
};
