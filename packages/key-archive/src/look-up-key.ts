import { join } from 'node:path';

import type { Queryable } from '@tollgate/database/database';
import { keyedEventId, type EventKey } from '@tollgate/kernel/event-id';

import type { ArchivedKey } from './archive-format.ts';
import { KeyArchiveError } from './key-archive-error.ts';
import { openArchive } from './open-archive.ts';
import { checkWholeArchive } from './read-whole-archive.ts';
import { findInTable, listArchives, readIdSecret } from './sql-key-archive.ts';

export interface FoundKey extends ArchivedKey {
  /** The file that has the key; undefined while the table has it. */
  readonly file: string | undefined;
}

/** The id of the event of a key. */
export async function idOfKey(db: Queryable, key: EventKey): Promise<string> {
  return keyedEventId(await readIdSecret(db), key);
}

/** Looks for this id in the table of keys, then in every archive of the folder that the database knows. */
export async function lookUpKey(
  db: Queryable,
  folder: string | undefined,
  eventId: string,
): Promise<FoundKey | undefined> {
  const inTable = await findInTable(db, eventId);
  if (inTable !== undefined) return { ...inTable, file: undefined };
  for (const known of await listArchives(db, 0)) {
    const path = join(requireFolder(folder), known.fileName);
    const archive = await openArchive({ ...known, path });
    try {
      const key = await archive.find(eventId);
      if (key !== undefined) return { ...key, file: path };
    } finally {
      await archive.close();
    }
  }
  return undefined;
}

/** Reads every archive that the database knows as a whole. Rejects with KeyArchiveError unless each is there and undamaged. */
export async function verifyArchives(
  db: Queryable,
  folder: string | undefined,
): Promise<{ files: number; keys: number }> {
  let keys = 0;
  const archives = await listArchives(db, 0);
  for (const known of archives) {
    const path = join(requireFolder(folder), known.fileName);
    const { sha256 } = checkWholeArchive(path);
    if (!sha256.equals(known.sha256)) throw new KeyArchiveError(`${path} is not the archive that this database means`);
    keys += known.keys;
  }
  return { files: archives.length, keys };
}

function requireFolder(folder: string | undefined): string {
  if (folder !== undefined) return folder;
  throw new KeyArchiveError('keys of this database are archived: name the folder with --from, or in KEY_ARCHIVE_DIR');
}
