import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { isAbsence } from './kafka-errors.ts';

const backOffBounds = { firstMs: 250, maxMs: 5_000 };

/**
 * Repeats `work` while Kafka cannot be reached: a machine that starts everything at once may start its brokers last. Any
 * other failure is thrown, since only an operator can mend it: a refused password, a topic that is not fit.
 */
export async function untilKafkaAnswers(
  work: () => Promise<void>,
  { log, stopping }: { readonly log: Logger; readonly stopping: AbortSignal | undefined },
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isAbsence(error)) throw error;
      stopping?.throwIfAborted();
      log.warn({ err: error, failures }, 'Kafka does not answer; waiting for it');
    }
    await wait(backOffMs(failures, backOffBounds), undefined, { signal: stopping });
  }
}
