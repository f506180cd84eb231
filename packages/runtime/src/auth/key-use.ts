import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Logger } from '../logging/create-logger.ts';
import { every } from '../timing/every.ts';
import type { Queryable, Statement } from '@tollgate/database/database';

export interface UseOptions {
  /** Connects as a worker role that may call the functions below: no service writes a table of another. */
  readonly database: Queryable;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

export interface Use {
  /** Cheap enough for every request. */
  note(id: string): void;
  start(): void;
  /** Reports what was noted since the last report. */
  stop(): Promise<void>;
}

/** The last use of a credential may lag by so much: a row per request would cost more than the request. */
const reportEveryMs = 60_000;

const touchApiKeys = {
  name: 'auth.touch_api_keys',
  text: 'select auth.touch_api_keys($1::uuid[], $2::timestamptz)',
};

const touchSessions = {
  name: 'auth.touch_sessions',
  text: 'select auth.touch_sessions($1::uuid[], $2::timestamptz)',
};

/** Notes in memory which API keys are used, and reports all of them together once a minute. */
export function createKeyUse(options: UseOptions): Use {
  return createUse('key-use', touchApiKeys, options);
}

/** The same for sessions of browsers, which live on by it. `clock` is real time. */
export function createSessionUse(options: UseOptions): Use {
  return createUse('session-use', touchSessions, options);
}

function createUse(name: string, touch: Statement, { database, clock, log }: UseOptions): Use {
  let used = new Set<string>();
  const reporting = every({ name, everyMs: reportEveryMs, log, run: report });

  async function report(): Promise<void> {
    const reported = used;
    used = new Set();
    if (reported.size === 0) return;
    try {
      await database.query(touch, [[...reported], toIso(clock.now())]);
    } catch (error) {
      for (const id of reported) used.add(id); // the next report includes them
      log.warn({ err: error, use: name, count: reported.size }, 'could not store when credentials were last used');
    }
  }

  return {
    note: (id) => void used.add(id),
    start: () => void reporting.start(),
    async stop() {
      await reporting.stop();
      await report();
    },
  };
}
