import type { Queryable } from '@tollgate/database/database';
import { type Clock, systemClock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import { readWatermark } from '../usage/sql-watermark.ts';
import { createCountingLag } from './counting-lag.ts';

interface Deps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
}

const everyMs = 15_000;

/** Reads how far counting is behind, for the course of the last hour. Nothing is read while nothing was ever counted. */
export function createCountingLagWatch({ database, clock, log }: Deps) {
  const lag = createCountingLag();
  async function read(): Promise<void> {
    const countedThroughMs = await readWatermark(database);
    const behindMs = Math.max(0, clock.now() - countedThroughMs);
    if (countedThroughMs > 0) lag.note(systemClock.now(), behindMs / 1_000);
  }
  const watch: Service = every({ name: 'watch-counting-lag', everyMs, first: 'at once', run: read, log });
  return { watch, lastHour: () => lag.lastHour(systemClock.now()) };
}
