import { closeSync, fdatasync, openSync, write } from 'node:fs';
import { promisify } from 'node:util';

import type { LoadEvent } from './load-event.ts';

/** What a client knows about one attempt to record one event. An attempt without an outcome is of unknown outcome. */
export type JournalEntry =
  | { readonly kind: 'sent'; readonly attempt: number; readonly event: LoadEvent }
  | {
      readonly kind: 'acknowledged';
      readonly attempt: number;
      readonly ref: string;
      readonly eventId: string;
      readonly timestamp: string;
    }
  /** Surely not recorded by this attempt: refused, or never out of the house. */
  | { readonly kind: 'refused'; readonly attempt: number; readonly ref: string; readonly reason: string };

export interface Journal {
  readonly path: string;
  /** Resolves when the entries are on the disk. */
  append(entries: readonly JournalEntry[]): Promise<void>;
  close(): Promise<void>;
}

const writeText = promisify(write) as (file: number, text: string) => Promise<unknown>; // of its overloads this one
const syncFile = promisify(fdatasync);

/**
 * The client's memory, which must survive what it accuses others of: an append-only file, a JSON document a line,
 * written before a request leaves and before its answer counts as known. Appends that wait share one fsync.
 */
export function openJournal(path: string): Journal {
  const file = openSync(path, 'ax', 0o600);
  let waiting = '';
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;

  async function flush(): Promise<void> {
    await running;
    const text = waiting;
    waiting = '';
    next = undefined;
    running = store(text);
    await running;
  }

  async function store(text: string): Promise<void> {
    await writeText(file, text);
    await syncFile(file);
  }

  return {
    path,
    append(entries) {
      waiting += entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
      next ??= flush();
      return next;
    },
    async close() {
      await next;
      await running;
      closeSync(file);
    },
  };
}
