import { closeSync, fdatasync, openSync, write } from 'node:fs';
import { promisify } from 'node:util';

import type { LoadEvent } from './load-event.ts';

/** A client's knowledge of one attempt to record one event. An attempt without an outcome entry has an unknown outcome. */
export type JournalEntry =
  | { readonly kind: 'sent'; readonly attempt: number; readonly event: LoadEvent }
  | {
      readonly kind: 'acknowledged';
      readonly attempt: number;
      readonly ref: string;
      readonly eventId: string;
      readonly timestamp: string;
    }
  /** This attempt has certainly not recorded the event: it was refused or never sent. */
  | { readonly kind: 'refused'; readonly attempt: number; readonly ref: string; readonly reason: string };

export interface Journal {
  readonly path: string;
  /** Resolves when the entries are on the disk. */
  append(entries: readonly JournalEntry[]): Promise<void>;
  close(): Promise<void>;
}

const writeText = promisify(write) as (file: number, text: string) => Promise<unknown>; // this one of its overloads
const syncFile = promisify(fdatasync);

/**
 * The client's record of what it sent and learnt, an append-only file with a JSON document per line. An entry is on the
 * disk before its request leaves and before its answer counts as known. Waiting appends share one fsync.
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
