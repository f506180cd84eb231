import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Logger } from '../logging/create-logger.ts';
import { every } from '../timing/every.ts';
import type { Queryable } from '@tollgate/database/database';

export interface KeyUseOptions {
  /** As a worker role, which may call auth's function: no service writes a table of another. */
  readonly database: Queryable;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface KeyUse {
  /** Cheap enough for every request. */
  note(keyId: string): void;
  start(): void;
  /** Reports what is left. */
  stop(): Promise<void>;
}

/** How far an API key's `last_used_at` may lag. Coarse on purpose: a row for each request would cost more than the request. */
const reportEveryMs = 60_000;

/** When API keys were last used: noted in memory, reported once a minute for all of them together. */
export function createKeyUse({ database, clock, log }: KeyUseOptions): KeyUse {
  let used = new Set<string>();
  const reporting = every({ name: 'key-use', everyMs: reportEveryMs, log, run: report });

  async function report(): Promise<void> {
    const reported = used;
    used = new Set();
    if (reported.size === 0) return;
    try {
      await database.query(statement, [[...reported], toIso(clock.now())]);
    } catch (error) {
      for (const keyId of reported) used.add(keyId); // the next report has them
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

const statement = {
  name: 'credentials_touch_api_keys',
  text: 'select auth.touch_api_keys($1::uuid[], $2::timestamptz)',
};
