import { dayMs } from '@tollgate/kernel/durations';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { every, type Repeated } from '@tollgate/runtime/timing/every';
import type { Processor } from './processor.ts';

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
