import { clockSkewMaxSchema } from '@tollgate/runtime/config/clock-skew-schema';
import { operatorSettings } from '@tollgate/runtime/config/operator-settings';
import { kafkaSettings } from '@tollgate/runtime/config/kafka-settings';
import { mailSettings } from '@tollgate/runtime/config/mail-settings';
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
import { readSender } from './mail/sender.ts';

const smtpUrlSchema = z
  .url({ protocol: /^smtps?$/ })
  .refine(isPlainServer, { error: 'must be smtp:// or smtps://, a host, and nothing after the port' });

/** Anything after the port would be an option of the library, such as one that trusts every certificate. */
function isPlainServer(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && url.hostname !== '' && ['', '/'].includes(url.pathname) && url.search === '' && url.hash === ''
  );
}

const settings = z.object({
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
  SMTP_URL: smtpUrlSchema
    .optional()
    .describe(
      'The mail server, such as `smtp://user:password@mail.example.com:587` (STARTTLS) or `smtps://…:465`. Without it no mail is sent. Needs MAIL_FROM, MAIL_SECRET and PUBLIC_URL.',
    ),
  SMTP_TLS: z
    .enum(['required', 'off'])
    .default('required')
    .describe('`off`: mails go to an `smtp://` server in the clear. For a server on this machine alone.'),
  MAIL_FROM: z
    .string()
    .optional()
    .refine((text) => text === undefined || readSender(text) !== undefined, {
      error: 'must be an address, or a name and an address such as Tollgate <billing@example.com>',
    })
    .describe(
      'The sender of mails, such as `Tollgate <billing@example.com>`. Its address is the envelope’s, too: the SPF record of its domain names SMTP_URL’s server.',
    ),
  ...mailSettings,
  PUBLIC_URL: publicUrlSchema,
  RELAY_TO: z
    .enum(['none', 'kafka'])
    .default('none')
    .describe(
      'With `kafka`, all that is told is relayed to the topic `tollgate.notifications.v1`, for programs of yours. All replicas share it.',
    ),
  ...kafkaSettings,
  ...tokenSettings,
  ...operatorSettings,
  ...outgoingSettings,
  CLOCK_SKEW_MAX_MS: clockSkewMaxSchema,
  ...rateLimitSettings,
  TRUSTED_PROXIES: trustedProxiesSchema,
  CORS_ORIGINS: corsOriginsSchema,
  ...processSettings,
  PORT: portSchema.default(8085).describe('Port to listen on.'),
});

/** The settings that mail requires are also checked if other settings are wrong, to report all problems at once. */
export const configSchema = settings
  .refine((config) => config.SMTP_URL === undefined || config.MAIL_FROM !== undefined, {
    path: ['MAIL_FROM'],
    when: always,
  })
  .refine((config) => config.SMTP_URL === undefined || config.PUBLIC_URL !== undefined, {
    path: ['PUBLIC_URL'],
    when: always,
  })
  .refine((config) => config.SMTP_URL === undefined || config.MAIL_SECRET !== undefined, {
    path: ['MAIL_SECRET'],
    when: always,
  })
  .refine((config) => config.MAIL_SECRET === undefined || config.SMTP_URL !== undefined, {
    path: ['SMTP_URL'],
  });

function always(): boolean {
  return true;
}

export type Config = z.infer<typeof configSchema>;
