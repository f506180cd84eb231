import { clockSkewMaxSchema } from '@tollgate/runtime/config/clock-skew-schema';
import { mailSettings } from '@tollgate/runtime/config/mail-settings';
import { operatorSettings } from '@tollgate/runtime/config/operator-settings';
import { outgoingSettings } from '@tollgate/runtime/config/outgoing-settings';
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
const perMinute = wholeNumber.min(1).max(1_000_000);

const settings = z.object({
  DATABASE_API_URL: z
    .url()
    .describe('PostgreSQL as role auth_api, which acts for one account at a time, under row-level policies.'),
  DATABASE_WORKER_URL: z.url().describe('PostgreSQL as role auth_worker, for sign-in, signing keys and clean-up.'),
  AUTH_KEY_ENCRYPTION_SECRET: z
    .string()
    .min(32)
    .describe(
      'Secret of at least 32 characters that seals the private signing keys in the database. All replicas share it. If it is lost, run `tollgate operator signing-key rotate`.',
    ),
  ...tokenSettings,
  ...operatorSettings,
  ...outgoingSettings,
  ACCESS_TOKEN_TTL_SECONDS: wholeNumber.min(60).max(86_400).default(3_600).describe('Lifetime of an access token.'),
  SIGNING_KEY_ROTATION_DAYS: wholeNumber
    .min(1)
    .max(3_650)
    .default(90)
    .describe('Age at which a signing key is replaced. Nobody is signed out.'),
  API_KEYS_PER_ACCOUNT_MAX: wholeNumber
    .min(1)
    .default(20)
    .describe('Live API keys that an account may have; 422 `too_many_keys` beyond it.'),
  PASSWORD_MIN_LENGTH: wholeNumber
    .min(8)
    .max(128)
    .default(8)
    .describe('Shortest password that is accepted, in characters.'),
  PASSWORD_HASHES_CONCURRENT_MAX: wholeNumber
    .min(1)
    .max(64)
    .default(2)
    .describe('Passwords that are hashed at once. Each takes a core and 19 MiB.'),
  PASSWORD_HASHES_WAITING_MAX: wholeNumber
    .min(0)
    .max(10_000)
    .default(100)
    .describe('Sign-ins that may wait for a hash. Further sign-ins are answered 503.'),
  LOGINS_PER_ACCOUNT_AND_ADDRESS_PER_MINUTE: perMinute
    .default(10)
    .describe('Tries per minute of one e-mail from one address.'),
  LOGINS_PER_ADDRESS_PER_MINUTE: perMinute
    .default(100)
    .describe('Sign-ins per minute from one address (IPv6: one /64).'),
  REGISTRATIONS_PER_ADDRESS_PER_MINUTE: perMinute
    .default(600)
    .describe('Registrations per minute from one address (IPv6: one /64).'),
  OAUTH_DYNAMIC_REGISTRATION: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether clients of MCP servers may register themselves (RFC 7591). OAuth needs PUBLIC_URL.'),
  OAUTH_CLIENT_ID_METADATA: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Whether the id of a client may be the https address of its metadata document, which is then fetched.'),
  OAUTH_CLIENTS_PER_ADDRESS_PER_MINUTE: perMinute
    .default(20)
    .describe(
      'Clients that one address may register, and metadata documents that it may have fetched, per minute (IPv6: one /64).',
    ),
  PASSES_PER_ACCOUNT_MAX: passesMaxSchema,
  BOOKS_KEPT_YEARS: wholeNumber
    .min(1)
    .max(100)
    .default(10)
    .describe(
      'Whole calendar years for which the law asks you to keep the books of a closed account. Nothing is deleted by it: closed accounts are shown the date.',
    ),
  CLOCK_SKEW_MAX_MS: clockSkewMaxSchema,
  ...rateLimitSettings,
  ...mailSettings,
  PUBLIC_URL: publicUrlSchema,
  TRUSTED_PROXIES: trustedProxiesSchema,
  CORS_ORIGINS: corsOriginsSchema,
  ...processSettings,
  PORT: portSchema.default(8081).describe('Port to listen on.'),
});

export const configSchema = settings.refine(
  (config) => config.MAIL_SECRET === undefined || config.PUBLIC_URL !== undefined,
  { path: ['PUBLIC_URL'], when: () => true },
);

export type Config = z.infer<typeof configSchema>;
