import type { Database } from '@tollgate/database/database';
import { systemClock } from '@tollgate/kernel/clock';
import type { RowContext, Side } from '../row.ts';
import { makeMonthTemplate, type MonthClone, type MonthOptions } from './month-template.ts';

export interface MonthReads extends Omit<MonthOptions, 'isProfiled'> {
  /** How many events one read counts as, where CPU is told per event. */
  readonly eventsPerRead: number;
  /** What is read, from the connections of accounts. Throws when the answer cannot be right. */
  readonly read: (api: Database) => Promise<void>;
}

/** A read takes some milliseconds, which one collection of garbage moves by a third. */
const readsPerRound = 20;

/** Seconds per read in an open month after those before it. Reads change nothing, so one clone is enough for all rounds. */
export async function openMonthReads({ isProfiled }: RowContext, reads: MonthReads): Promise<Side> {
  const { eventsPerRead, read, ...months } = reads;
  const template = await makeMonthTemplate({ isProfiled, ...months });
  let clone: MonthClone | undefined;
  return {
    processes: template.processes,
    statementsUrl: template.statementsUrl,
    async prepare() {
      clone ??= await template.clone();
    },
    async measure() {
      if (clone === undefined) throw new Error('the round was not prepared');
      const startedMs = systemClock.monotonicMs();
      for (let at = 0; at < readsPerRound; at += 1) await read(clone.api);
      const value = (systemClock.monotonicMs() - startedMs) / 1_000 / readsPerRound;
      return { events: eventsPerRead * readsPerRound, value };
    },
    close: template.close,
  };
}
