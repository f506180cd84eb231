import { z } from 'zod';

const perSecond = z.coerce.number().int().min(1).max(1_000_000);
const burst = 'A burst of 30 seconds’ worth is allowed. An address may do five times as much.';

/** Settings of every service that answers callers. Recording events has its own limit. */
export const rateLimitSettings = {
  READS_PER_SECOND_MAX: perSecond.default(100).describe(`GET requests of one account per second. ${burst}`),
  WRITES_PER_SECOND_MAX: perSecond.default(20).describe(`Other requests of one account per second. ${burst}`),
  EXPORTS_PER_SECOND_MAX: perSecond
    .default(5)
    .describe(`Requests for a PDF or a long report of one account per second. ${burst}`),
};

export interface RateLimitConfig {
  readonly READS_PER_SECOND_MAX: number;
  readonly WRITES_PER_SECOND_MAX: number;
  readonly EXPORTS_PER_SECOND_MAX: number;
}
