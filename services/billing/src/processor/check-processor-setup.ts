import { dayMs } from '@tollgate/kernel/durations';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { every, type Repeated } from '@tollgate/runtime/timing/every';
import { ConfigError } from '@tollgate/runtime/config/config-error';
import type { Service } from '@tollgate/kernel/service';
import type { Database } from '@tollgate/database/database';
import type { Processor } from './processor.ts';
import { findOtherProcessor } from './sql-attempts.ts';

export interface CheckSetupDeps {
  readonly processor: Pick<Processor, 'findSetupProblems'>;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/**
 * Looks at the start, and once a day, whether the platform's account at the processor is set up so that builders can be
 * paid. Each problem is a warning that says what to do. No start waits for it, since the processor may be away.
 */
export function createCheckProcessorSetup({ processor, log, metrics }: CheckSetupDeps): Repeated {
  const problems = metrics?.gauge(
    'tollgate_billing_processor_setup_problems',
    'Problems of the settings of the platform’s account at the processor.',
  );

  async function run(): Promise<void> {
    const found = await processor.findSetupProblems();
    problems?.set(found.length);
    for (const { code, message } of found) log.warn({ problem: code }, message);
  }

  return every({ name: 'check-processor-setup', run, everyMs: dayMs, first: 'at once', log });
}

export interface ForeignMoneyDeps {
  readonly database: Database;
  /** The processor that the settings name. */
  readonly processor: string;
}

/**
 * Refuses to start on books whose money another processor moved. Stripe would pay out money that the sandbox only
 * seemed to collect. Nor could this processor look up the other's open orders.
 */
export function refuseForeignMoney({ database, processor }: ForeignMoneyDeps): Service {
  return {
    name: 'refuse-foreign-money',
    async start() {
      const foreign = await findOtherProcessor(database, processor);
      if (foreign === undefined) return;
      const message = `is ${processor}, but money in this database was moved by ${foreign}; use it with ${foreign}, or begin with an empty database`;
      throw new ConfigError([{ name: 'PROCESSOR', message }]);
    },
    stop: async () => undefined,
  };
}
