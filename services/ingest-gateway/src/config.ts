import { clockSkewMaxSchema } from '@tollgate/runtime/config/clock-skew-schema';
import { eventLogSettings } from '@tollgate/runtime/config/event-log-settings';
import { keyArchiveSettings } from '@tollgate/runtime/config/key-archive-settings';
import { operatorSettings } from '@tollgate/runtime/config/operator-settings';
import { passesMaxSchema } from '@tollgate/runtime/config/passes-max-schema';
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

const wholeNumber = z.coerce.number().int();

export const configSchema = z.object({
  DATABASE_API_URL: z
    .url()
    .describe('PostgreSQL, role ingest_gateway_api: reads for one account at a time, under row-level policies.'),
  DATABASE_WORKER_URL: z
    .url()
    .describe('PostgreSQL, role ingest_gateway_worker: credentials, tools, idempotency keys, the event log.'),
  DATABASE_CONNECTIONS_MAX: wholeNumber
    .min(1)
    .max(100)
    .default(8)
    .describe('Connections of the reading routes; nine more serve the log and the background work.'),
  PUBLIC_URL: publicUrlSchema,
  ...tokenSettings,
  ...operatorSettings,
  APPEND_DEADLINE_MS: wholeNumber
    .min(100)
    .max(60_000)
    .default(5_000)
    .describe('Longest time from an event’s receipt to its acknowledgement; the same in all services.'),
  HELD_EVENTS_MAX: wholeNumber
    .min(1_000)
    .max(1_000_000)
    .default(20_000)
    .describe('Events under way into the log; further events are answered 503.'),
  HELD_BYTES_MAX: wholeNumber
    .min(2_097_152)
    .max(1_073_741_824)
    .default(33_554_432)
    .describe('Bytes of the requests with these events, each 10,000 and its body; further requests are answered 503.'),
  REPLIES_REMEMBERED_MAX: wholeNumber
    .min(1_000)
    .max(10_000_000)
    .default(100_000)
    .describe('Events with a key whose answers stay in memory, some 50 bytes each, until the key table has them.'),
  PASSES_PER_ACCOUNT_MAX: passesMaxSchema,
  CONSUMER_CREDIT: z
    .enum(['postpaid', 'prepaid'])
    .default('postpaid')
    .describe(
      '`prepaid`: calls must be covered by the account’s balance. Calls of accounts with a credit limit must be covered in any case.',
    ),
  UNSECURED_ALLOWANCE_USD: z
    .string()
    .regex(/^\d{1,6}(?:\.\d{1,6})?$/, { error: 'must be a decimal of dollars, such as 5 or 0.50' })
    .optional()
    .describe(
      'With `postpaid`: what an account without a payment method may owe, such as 5; its calls beyond that get 402. If not given, there is no such limit. All gateways need the same value.',
    ),
  PAST_DUE_CALLS: z
    .enum(['accepted', 'refused'])
    .default('accepted')
    .describe(
      '`refused`: new calls of an account with an invoice past due or uncollectible get 402 `payment_required` until it is paid. All gateways need the same value.',
    ),
  TOOLS_REMEMBERED_MAX: wholeNumber
    .min(100)
    .max(10_000_000)
    .default(50_000)
    .describe(
      'Tools in memory, some 500 bytes each: those used or changed last. Other tools are read when they are used.',
    ),
  REDIS_URL: z
    .url()
    .optional()
    .describe(
      'Redis of all gateways: they share the rate limit and their first answers. Without it each gateway limits on its own.',
    ),
  REPLY_LOOKUP_TIMEOUT_MS: wholeNumber
    .min(10)
    .max(4_000)
    .default(1_000)
    .describe(
      'Longest wait for a look-up in the key table; after it events are taken without one, and still counted once.',
    ),
  ...eventLogSettings,
  ...keyArchiveSettings,
  USAGE_EVENT_PARTITIONS: wholeNumber
    .min(1)
    .max(1_024)
    .optional()
    .describe(
      'Partitions of the log. In PostgreSQL a new log has 2 by default; an older one keeps its number and refuses another. In Kafka the topic needs at least this many, by default 4.',
    ),
  CLOCK_SKEW_MAX_MS: clockSkewMaxSchema,
  ...rateLimitSettings,
  TRUSTED_PROXIES: trustedProxiesSchema,
  CORS_ORIGINS: corsOriginsSchema,
  ...processSettings,
  PORT: portSchema.default(8083).describe('Port to listen on.'),
});

export type Config = z.infer<typeof configSchema>;
