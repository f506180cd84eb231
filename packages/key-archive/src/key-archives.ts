import { join } from 'node:path';

import type { Queryable } from '@tollgate/database/database';
import type { Service } from '@tollgate/kernel/service';

import type { ArchivedKey } from './archive-format.ts';
import { KeyArchiveError } from './key-archive-error.ts';
import { openArchive, type OpenArchive } from './open-archive.ts';
import { listArchives, type KnownArchive } from './sql-key-archive.ts';

export interface KeyArchivesDeps {
  readonly database: Queryable;
  /** Where the files are: KEY_ARCHIVE_DIR. Undefined: an installation without archives. */
  readonly folder: string | undefined;
  readonly log: { info(fields: object, text: string): void };
}

/** The archives that a process has opened. Its start rejects with KeyArchiveError if the database has one that cannot be opened. */
export interface KeyArchives extends Service {
  /** The number of the last open archive; 0 without archives. */
  known(): number;
  /** Opens the archives that were made since. Rejects, and knows what it knew before, if one cannot be opened. */
  refresh(): Promise<void>;
  /** The keys among these ids that are in an open archive. Rejects with KeyArchiveError if a file is damaged. */
  find(eventIds: readonly string[]): Promise<ReadonlyMap<string, ArchivedKey>>;
}

/** Reads under way at once: libuv has four threads for files. */
const readsAtOnce = 8;

export function createKeyArchives({ database, folder, log }: KeyArchivesDeps): KeyArchives {
  const open: OpenArchive[] = [];
  let known = 0;
  let trouble: string | undefined;
  let refreshing: Promise<void> | undefined;

  async function openNew(): Promise<void> {
    for (const archive of await listArchives(database, known)) {
      open.push(await openArchive({ ...archive, path: pathOf(folder, archive) }));
      known = archive.archiveId;
      log.info({ file: archive.fileName, keys: archive.keys }, 'opened an archive of keys');
    }
  }

  /** Remembers for the readiness why archives cannot be read. */
  async function watched<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      trouble = undefined;
      return result;
    } catch (error) {
      if (error instanceof KeyArchiveError) trouble = error.message;
      throw error;
    }
  }

  async function refresh(): Promise<void> {
    refreshing ??= watched(openNew()).finally(() => (refreshing = undefined));
    await refreshing;
  }

  async function stop(): Promise<void> {
    for (const archive of open.splice(0)) await archive.close();
    known = 0;
  }

  return {
    name: 'key-archives',
    start: () => refresh().catch((error: unknown) => stop().then(() => Promise.reject(error))),
    stop,
    readiness: () => (trouble === undefined ? {} : { 'key-archives': trouble }),
    known: () => known,
    refresh,
    find: (eventIds) => watched(findAll(open, eventIds)),
  };
}

function pathOf(folder: string | undefined, { fileName }: KnownArchive): string {
  if (folder !== undefined) return join(folder, fileName);
  throw new KeyArchiveError(
    `the keys of old events are in the archive ${fileName}: name the folder that has it in KEY_ARCHIVE_DIR`,
  );
}

async function findAll(
  archives: readonly OpenArchive[],
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, ArchivedKey>> {
  const found = new Map<string, ArchivedKey>();
  const wanted = eventIds.values(); // shared: each reader takes the next one
  async function readOn(): Promise<void> {
    for (const eventId of wanted) {
      const key = await findFirst(archives, eventId);
      if (key !== undefined) found.set(eventId, key);
    }
  }
  await Promise.all(Array.from({ length: archives.length === 0 ? 0 : readsAtOnce }, readOn));
  return found;
}

async function findFirst(archives: readonly OpenArchive[], eventId: string): Promise<ArchivedKey | undefined> {
  for (const archive of archives) {
    const key = await archive.find(eventId);
    if (key !== undefined) return key;
  }
  return undefined;
}
