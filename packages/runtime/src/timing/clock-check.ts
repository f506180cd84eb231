/**
 * Compares the machine's clock with the database's, the only clock that all processes share. A process whose clock is
 * wrong would move the watermark ahead for good, and so close months, charge cards and drop tables too early.
 *
 * The database's time is read every few seconds and goes on by monotonic time in between, which nobody can set. So a step
 * of the machine's clock is seen at once, also while the database is away. The sandbox clock is another matter: it moves
 * the time of the whole deployment on purpose, and no machine's clock.
 */
import { AppError } from '@tollgate/kernel/app-error';
import { systemClock, type Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { onlyRow, type Queryable } from '@tollgate/database/database';
import type { Logger } from '../logging/create-logger.ts';
import { every } from './every.ts';

export interface ClockCheckOptions {
  /** Its owner starts it before and stops it afterwards. */
  readonly database: Queryable;
  /** CLOCK_SKEW_MAX_MS. */
  readonly skewMaxMs: number;
  readonly log: Logger;
  readonly machine?: Clock;
}

export interface ClockCheck extends Service {
  /** Answers at once, from memory. False before the start. */
  isRight(): boolean;
  /** Throws `unavailable` while the clock is wrong. */
  requireRight(): void;
  /** Reads the database's clock. The service does it by itself every five seconds. */
  measure(): Promise<void>;
}

const measureEveryMs = 5_000;
/** A look at two clocks takes a moment, so a smaller bound would refuse right clocks. */
const skewMaxLeastMs = 100;

/** Database time less monotonic time, in ms. The answer took a moment, so it lies between these. */
interface Offset {
  readonly leastMs: number;
  readonly mostMs: number;
}

const readClock = {
  name: 'clock.read_database_clock',
  text: 'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
};

export function createClockCheck(options: ClockCheckOptions): ClockCheck {
  const { database, log, machine = systemClock } = options;
  const skewMaxMs = Math.max(options.skewMaxMs, skewMaxLeastMs);
  let offset: Offset | undefined;
  let wasRight = true;
  const measuring = every({ name: 'clock-check', everyMs: measureEveryMs, log, run: measure });

  async function measure(): Promise<void> {
    const askedAtMs = machine.monotonicMs();
    const { now_ms: nowMs } = onlyRow(await database.query<{ now_ms: number }>(readClock));
    offset = { leastMs: nowMs - machine.monotonicMs(), mostMs: nowMs - askedAtMs };
    isRight();
  }

  /** How far the machine's clock is ahead of the database's at least; below zero: behind. */
  function skewMs({ leastMs, mostMs }: Offset): number {
    const offMs = machine.now() - machine.monotonicMs();
    return offMs > mostMs ? offMs - mostMs : Math.min(0, offMs - leastMs);
  }

  function isRight(): boolean {
    if (offset === undefined) return false;
    const skew = skewMs(offset);
    const isNowRight = Math.abs(skew) <= skewMaxMs;
    const hasChanged = isNowRight !== wasRight;
    wasRight = isNowRight;
    if (hasChanged) note(isNowRight, Math.round(skew));
    if (hasChanged && !isNowRight) measuring.announce(); // after a pause of the whole machine, both clocks have moved
    return isNowRight;
  }

  function note(isNowRight: boolean, skew: number): void {
    const facts = { skew_ms: skew, clock_skew_max_ms: skewMaxMs };
    if (isNowRight) log.info(facts, 'the clock of this machine agrees with the database again');
    else
      log.error(
        facts,
        'the clock of this machine is wrong: this process counts nothing as final, closes nothing and drops nothing until it agrees with the database',
      );
  }

  return {
    name: 'clock-check',
    async start() {
      await measure();
      await measuring.start();
    },
    stop: measuring.stop,
    readiness: () => ({ clock: isRight() ? 'ok' : 'differs from the clock of the database' }),
    isRight,
    requireRight() {
      if (!isRight()) throw new AppError('unavailable', 'The clock of a machine is wrong. Try again later.');
    },
    measure,
  };
}
