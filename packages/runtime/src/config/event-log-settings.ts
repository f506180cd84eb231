import { z } from 'zod';
import { kafkaSettings } from './kafka-settings.ts';

/** Of every service that appends to the log or reads it. Standalone has the log in its own PostgreSQL, whatever is set. */
export const eventLogSettings = {
  EVENT_LOG: z
    .enum(['postgres', 'kafka'])
    .default('postgres')
    .describe('Where events wait to be counted; the same for gateways and aggregators.'),
  ...kafkaSettings,
};
