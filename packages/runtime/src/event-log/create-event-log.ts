import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '../logging/create-logger.ts';
import type { EventLog } from './event-log.ts';
import { createPostgresEventLog, type PostgresEventLog } from './postgres.ts';

export interface EventLogChoice {
  readonly EVENT_LOG: 'postgres';
  readonly DATABASE_WORKER_URL: string;
}

export interface EventLogNeeds {
  /** Partition counts by topic, of a process that appends. */
  readonly topics: Readonly<Record<string, number>>;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Not every log can be asked for what is not counted yet. */
export type ChosenEventLog = EventLog & Partial<Pick<PostgresEventLog, 'readUncounted'>>;

/** The event log that the settings of a process name. */
export function createEventLog(settings: EventLogChoice, needs: EventLogNeeds): ChosenEventLog {
  const { EVENT_LOG: choice, DATABASE_WORKER_URL: url } = settings;
  switch (choice) {
    case 'postgres':
      return createPostgresEventLog({ appendUrl: url, readUrl: url, ...needs });
  }
}
