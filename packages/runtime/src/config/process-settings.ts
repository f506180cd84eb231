import { z } from 'zod';
import { sandboxClockSchema } from './sandbox-clock-schema.ts';
import { sandboxClockStartSchema } from './sandbox-clock-start-schema.ts';

export const portSchema = z.coerce.number().int().min(0).max(65_535);

/** Of every service that judges access tokens. */
export const tokenSettings = {
  TOKEN_ISSUER: z.string().min(1).default('tollgate').describe('`iss` of access tokens; the same in all services.'),
  TOKEN_AUDIENCE: z.string().min(1).default('tollgate').describe('`aud` of access tokens; the same in all services.'),
};

export const trustedProxiesSchema = z
  .string()
  .default('')
  .describe('Addresses and CIDR ranges whose X-Forwarded-For is believed, comma-separated.');

export const connectionsMaxSchema = z.coerce
  .number()
  .int()
  .min(10)
  .max(1_000_000)
  .default(10_000)
  .describe('Open connections of clients, some 10,000 bytes each; further connections are closed.');

/** Of every service that is a process of its own: its clock, its listeners, its log. `PORT` differs from one to the next. */
export const processSettings = {
  SANDBOX_CLOCK: sandboxClockSchema,
  SANDBOX_CLOCK_START: sandboxClockStartSchema,
  HOST: z.string().min(1).default('0.0.0.0').describe('Address to listen on.'),
  HTTP_CONNECTIONS_MAX: connectionsMaxSchema,
  METRICS_PORT: portSchema.default(9464).describe('Port of /metrics.'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('Least level that is logged.'),
};
