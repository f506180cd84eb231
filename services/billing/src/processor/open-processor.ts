import type { Clock } from '@tollgate/kernel/clock';
import { parseUsd } from '@tollgate/kernel/money';
import { floorToCents } from '@tollgate/kernel/whole-cents';
import type { Database } from '@tollgate/database/database';
import type { ProcessorConfig } from '../config.ts';
import type { Processor } from './processor.ts';
import { createSandboxProcessor } from './sandbox/sandbox-processor.ts';
import { createStripeClient } from './stripe/stripe-client.ts';
import { createStripeProcessor } from './stripe/stripe-processor.ts';

export interface OpenProcessorDeps {
  /** The connections of the sandbox, which keeps its state here. */
  readonly database: Database;
  readonly clock: Clock;
}

const stripeTimeoutMs = 10_000;

/** Opens the processor that the settings name. It opens no connection of its own. */
export function openProcessor(config: ProcessorConfig, { database, clock }: OpenProcessorDeps): Processor {
  if (config.PROCESSOR === 'sandbox') {
    return createSandboxProcessor({ database, clock, fundsCents: fundsCentsOf(config) });
  }
  const secretKey = requireSetting(config.STRIPE_SECRET_KEY);
  const stripe = createStripeClient({ secretKey, apiUrl: config.STRIPE_API_URL, timeoutMs: stripeTimeoutMs });
  return createStripeProcessor({ stripe, clock });
}

/** Returns the platform's deposit at the sandbox. */
export function fundsCentsOf({ SANDBOX_FUNDS_USD: funds }: Pick<ProcessorConfig, 'SANDBOX_FUNDS_USD'>): bigint {
  return floorToCents(parseUsd(funds));
}

/** Returns a setting of the chosen processor. `config.ts` refuses to start without it, so its absence here is a bug. */
export function requireSetting(setting: string | undefined): string {
  if (setting === undefined) throw new Error('a setting of this processor is missing');
  return setting;
}
