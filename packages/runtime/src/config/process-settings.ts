import { z } from 'zod';
import { sandboxClockStartSchema } from './sandbox-clock-start-schema.ts';
import { telemetrySettings } from './telemetry-settings.ts';

const sandboxClockSchema = z
  .enum(['on', 'off'])
  .default('off')
  .describe(
    '`on`: services follow the sandbox’s clock, which the operator can move. All services need the same value.',
  );

export const portSchema = z.coerce.number().int().min(0).max(65_535);

/** Settings of every service that checks access tokens. */
export const tokenSettings = {
  TOKEN_ISSUER: z
    .string()
    .min(1)
    .default('tollgate')
    .describe('`iss` of access tokens. All services need the same value.'),
  TOKEN_AUDIENCE: z
    .string()
    .min(1)
    .default('tollgate')
    .describe('`aud` of access tokens. All services need the same value.'),
};

export const trustedProxiesSchema = z
  .string()
  .default('')
  .describe('Proxies whose X-Forwarded-For is believed: addresses and CIDR ranges, comma-separated.');

export const corsOriginsSchema = z
  .string()
  .default('')
  .refine((text) => text.split(',').every(isOriginOrNothing), {
    error: 'must be origins such as https://app.example.com, comma-separated, or *',
  })
  .describe(
    'Origins whose pages may call the API from a browser (CORS), comma-separated; `*` is every origin. Without a value none may.',
  );

function isOriginOrNothing(text: string): boolean {
  return text === '' || text === '*' || URL.parse(text)?.origin === text;
}

export const publicUrlSchema = z
  .url({ protocol: /^https?$/ })
  .optional()
  .describe(
    'Address at which browsers reach the service. If not given, links use http and the Host header of the request.',
  );

export const connectionsMaxSchema = z.coerce
  .number()
  .int()
  .min(10)
  .max(1_000_000)
  .default(10_000)
  .describe(
    'How many connections clients may have open; each takes some 10,000 bytes. At the bound, the one that has been idle for longest is closed.',
  );

export const connectionsPerAddressMaxSchema = z.coerce
  .number()
  .int()
  .min(1)
  .max(1_000_000)
  .default(500)
  .describe(
    'How many connections one address may have open; an IPv6 /64 counts as one, and TRUSTED_PROXIES are exempt. At the bound, its longest idle one is closed.',
  );

/** Settings of every service that is a process of its own: its clock, its listeners, its log. `PORT` differs between services. */
export const processSettings = {
  SANDBOX_CLOCK: sandboxClockSchema,
  SANDBOX_CLOCK_START: sandboxClockStartSchema,
  HOST: z.string().min(1).default('0.0.0.0').describe('Address to listen on.'),
  HTTP_CONNECTIONS_MAX: connectionsMaxSchema,
  HTTP_CONNECTIONS_PER_ADDRESS_MAX: connectionsPerAddressMaxSchema,
  METRICS_PORT: portSchema.default(9464).describe('Port of /metrics.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('Lowest level that is logged.'),
  ...telemetrySettings,
};
