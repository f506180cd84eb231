import { clockSkewMaxSchema } from '@tollgate/runtime/config/clock-skew-schema';
import { operatorSettings } from '@tollgate/runtime/config/operator-settings';
import { outgoingSettings } from '@tollgate/runtime/config/outgoing-settings';
import {
  corsOriginsSchema,
  portSchema,
  processSettings,
  publicUrlSchema,
  tokenSettings,
  trustedProxiesSchema,
} from '@tollgate/runtime/config/process-settings';
import { rateLimitSettings } from '@tollgate/runtime/config/rate-limit-settings';
import { z } from 'zod';

export const configSchema = z.object({
  DATABASE_API_URL: z
    .url()
    .describe('PostgreSQL as role notifier_api, which acts for one account at a time, under row-level policies.'),
  DATABASE_WORKER_URL: z.url().describe('PostgreSQL as role notifier_worker: credentials, and webhooks to send.'),
  WEBHOOK_ENCRYPTION_SECRET: z
    .string()
    .min(32)
    .describe(
      'Secret of at least 32 characters that seals the secrets of webhook endpoints in the database. All replicas share it. If it is lost, owners rotate the secrets of their endpoints.',
    ),
  ...tokenSettings,
  ...operatorSettings,
  ...outgoingSettings,
  CLOCK_SKEW_MAX_MS: clockSkewMaxSchema,
  ...rateLimitSettings,
  PUBLIC_URL: publicUrlSchema,
  TRUSTED_PROXIES: trustedProxiesSchema,
  CORS_ORIGINS: corsOriginsSchema,
  ...processSettings,
  PORT: portSchema.default(8085).describe('Port to listen on.'),
});

export type Config = z.infer<typeof configSchema>;
