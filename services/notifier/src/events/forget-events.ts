import type { Queryable } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import { forgetEvents } from './sql-forget-events.ts';

export interface ForgetEventsDeps {
  readonly worker: Queryable;
  readonly realTime: Pick<Clock, 'now'>;
  readonly log: Logger;
}

const keptMs = 30 * dayMs;
const rowsMax = 1_000;

/** Deletes events after 30 days, hourly. Safe to run twice at once, and to miss a round. */
export function createForgetEvents({ worker, realTime, log }: ForgetEventsDeps): Service {
  async function run(): Promise<void> {
    for (let gone = rowsMax; gone === rowsMax;)
      gone = await forgetEvents(worker, { beforeMs: realTime.now() - keptMs, rowsMax });
  }
  return every({ name: 'forget-webhook-events', run, everyMs: hourMs, first: 'at once', log });
}
