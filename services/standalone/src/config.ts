import { configSchema as aggregatorConfigSchema } from '@tollgate/aggregator/config';
import { configSchema as gatewayConfigSchema } from '@tollgate/ingest-gateway/config';
import { configSchema as notifierConfigSchema } from '@tollgate/notifier/config';
import { kafkaSettings } from '@tollgate/runtime/config/kafka-settings';
import {
  connectionsMaxSchema,
  connectionsPerAddressMaxSchema,
  portSchema,
} from '@tollgate/runtime/config/process-settings';
import { sandboxClockStartSchema } from '@tollgate/runtime/config/sandbox-clock-start-schema';
import { telemetrySettings } from '@tollgate/runtime/config/telemetry-settings';
import { z } from 'zod';

/**
 * Standalone's own settings. The settings of the services apply too, with database addresses that standalone fills
 * in.
 */
export const standaloneConfigSchema = z.object({
  PORT: portSchema.default(8080).describe('Port of the base URL; 0 takes a free port. Also `--port`.'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on. Also `--host`.'),
  DATA_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('Folder of all data that must survive a restart; `.tollgate` if not given. Also `--data`.'),
  POSTGRES_BIN: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder with `postgres` and `initdb` of a PostgreSQL 18, such as `/usr/lib/postgresql/18/bin`, which then runs in place of the embedded one on the same data. It can be set and unset at any time.',
    ),
  NEWER_DATABASE: z
    .enum(['refuse', 'accept'])
    .default('refuse')
    .describe('`accept` starts on a database that the next version has migrated: the way back from an upgrade.'),
  SANDBOX_CLOCK_START: sandboxClockStartSchema,
  HTTP_CONNECTIONS_MAX: connectionsMaxSchema,
  HTTP_CONNECTIONS_PER_ADDRESS_MAX: connectionsPerAddressMaxSchema,
  METRICS_PORT: portSchema.optional().describe('Port of /metrics; off if not given.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error'])
    .default('warn')
    .describe('Lowest level that is logged, as JSON on standard error.'),
  ...telemetrySettings,
});

export type StandaloneConfig = z.output<typeof standaloneConfigSchema>;

/** The settings of `tollgate operator topics`: those of the services that use the topics. */
export const topicsConfigSchema = z.object({
  ...kafkaSettings,
  USAGE_EVENT_PARTITIONS: gatewayConfigSchema.shape.USAGE_EVENT_PARTITIONS,
  LOG_RETENTION_DAYS: aggregatorConfigSchema.shape.LOG_RETENTION_DAYS,
  RELAY_TO: notifierConfigSchema.shape.RELAY_TO,
});
