import type { Database } from '@tollgate/database/database';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { every } from '@tollgate/runtime/timing/every';

import { countDeadLetters, countedMax } from './sql-dead-letters.ts';

export interface ObserveDeadLettersDeps {
  readonly database: Database;
  readonly metrics: Metrics;
  readonly log: Logger;
}

const everyMs = 30_000;

/** Measures the records that were not counted and not replayed. */
export function createObserveDeadLetters({ database, metrics, log }: ObserveDeadLettersDeps): Service {
  const waiting = metrics.gauge(
    'tollgate_aggregator_dead_letters',
    `Records that were neither counted nor replayed, by code; at most ${countedMax} are looked at.`,
    ['code'],
  );

  async function observe(): Promise<void> {
    const rows = await countDeadLetters(database);
    waiting.reset();
    for (const row of rows) waiting.set({ code: row.code }, row.waiting);
  }

  return every({ name: 'observe-dead-letters', everyMs, first: 'at once', run: observe, log });
}
