import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Logger } from '../logging/create-logger.ts';
import { every } from '../timing/every.ts';
import type { Queryable } from '@tollgate/database/database';

export interface KeyUseOptions {
  /** Connects as a worker role that may call `auth.touch_api_keys`: no service writes a table of another. */
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface KeyUse {
  /** Cheap enough for every request. */
  note(keyId: string): void;
  start(): void;
  /** Reports the keys that were noted since the last report. */
  stop(): Promise<void>;
}

/** `last_used_at` of an API key may lag by so much: a row per request would cost more than the request. */
const reportEveryMs = 60_000;

const touchApiKeys = {
  name: 'auth.touch_api_keys',
  text: 'select auth.touch_api_keys($1::uuid[], $2::timestamptz)',
};

/** Notes in memory which API keys are used, and reports all of them together once a minute. */
export function createKeyUse({ database, clock, log }: KeyUseOptions): KeyUse {
  let used = new Set<string>();
  const reporting = every({ name: 'key-use', everyMs: reportEveryMs, log, run: report });

  async function report(): Promise<void> {
    const reported = used;
    used = new Set();
    if (reported.size === 0) return;
    try {
      await database.query(touchApiKeys, [[...reported], toIso(clock.now())]);
    } catch (error) {
      for (const keyId of reported) used.add(keyId); // the next report includes them
      log.warn({ err: error, keys: reported.size }, 'could not store when API keys were last used');
    }
  }

  return {
    note: (keyId) => void used.add(keyId),
    start: () => void reporting.start(),
    async stop() {
      await reporting.stop();
      await report();
    },
  };
}
