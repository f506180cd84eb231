/**
 * Moves old keys from the table into a file. At every moment a key is in the table, in a file that every flush knows, or in
 * both:
 *
 *   begun ──▶ a run for each partition ──▶ the file: durable, whole, read again ──▶ known to all flushes
 *         ──▶ (gateways learn of it) ──▶ keys removed, in portions ──▶ done
 *
 * The database has the state, and a file appears under its name only when it is whole. So the same command goes on where a
 * killed one stopped. A key of an old time that is counted meanwhile is not in the file, and stays in the table.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import type { Database } from '@tollgate/database/database';
import { sqlState, sqlStateOf } from '@tollgate/database/pg-error';
import type { Clock } from '@tollgate/kernel/clock';

import { bytesOf, fromKey, recordBytes } from './archive-format.ts';
import { KeyArchiveError } from './key-archive-error.ts';
import { checkWholeArchive, mergedRecordsOf, recordsOf } from './read-whole-archive.ts';
import {
  beginArchive,
  countOldKeys,
  dropBegun,
  endArchive,
  findBegun,
  knowArchive,
  listPartitions,
  readOldKeys,
  readKeptSinceMs,
  removeKeys,
  type BegunArchive,
} from './sql-key-archive.ts';
import { startArchive, writeArchive, type WrittenArchive } from './write-archive.ts';

export interface ArchiveKeysDeps {
  /** As the owner, with at least two connections and statements of hours. */
  readonly database: Database;
  readonly folder: string;
  readonly clock: Clock;
  /** Resolves when gateways have had the time to learn of a new archive. */
  readonly gatewaysKnow: () => Promise<void>;
  readonly onProgress: (line: string) => void;
}

export interface ArchiveResult {
  /** Undefined: there were no old keys. */
  readonly file: string | undefined;
  readonly keys: number;
  readonly olderThanMs: number;
}

export interface ArchiveEstimate extends Omit<ArchiveResult, 'file'> {
  readonly bytes: number;
}

const lockKey = 7_701_202; // any number that nothing else in the database locks
const removedAtOnce = 5_000;
const attemptsMax = 60;

/** How many keys `archiveKeys` would move, and how large its file would be. */
export async function estimateArchive(deps: ArchiveKeysDeps, olderThanMs: number): Promise<ArchiveEstimate> {
  const boundMs = await boundOf(deps, olderThanMs);
  const partitions = await listPartitions(deps.database);
  let keys = 0;
  for (const [place, partition] of partitions.entries()) {
    keys += await countOldKeys(deps.database, partition, boundMs);
    deps.onProgress(`counted partition ${place + 1} of ${partitions.length}`);
  }
  return { keys, bytes: bytesOf(keys), olderThanMs: boundMs };
}

/**
 * Archives the keys of events before this time, or goes on with an archive that was begun, whose time then holds. Rejects
 * with KeyArchiveError if another command is at it.
 */
export async function archiveKeys(deps: ArchiveKeysDeps, olderThanMs: number): Promise<ArchiveResult> {
  mkdirSync(deps.folder, { recursive: true });
  return deps.database.transaction(async (lock) => {
    const [row] = await lock.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1) as taken', [lockKey]);
    if (row?.taken !== true) throw new KeyArchiveError('another `tollgate operator keys archive` is at work');
    return archiveAlone(deps, olderThanMs);
  });
}

async function archiveAlone(deps: ArchiveKeysDeps, olderThanMs: number): Promise<ArchiveResult> {
  const { database, folder, onProgress } = deps;
  const archive = (await findBegun(database)) ?? (await begin(deps, olderThanMs));
  const path = join(folder, archive.fileName);
  const written = existsSync(path) ? checkWholeArchive(path) : await writeFile(deps, archive);
  if (archive.sha256 !== undefined && !archive.sha256.equals(written.sha256))
    throw new KeyArchiveError(`${path} is not the archive that this database means: bring that one back`);
  const result = { keys: written.keys, olderThanMs: archive.olderThanMs };
  if (written.keys === 0) {
    await dropBegun(database, archive.archiveId);
    rmSync(path, { force: true });
    removeRuns(folder, archive);
    return { ...result, file: undefined };
  }
  if (archive.state === 'writing') {
    await makeKnown(deps, archive, written);
    onProgress('every flush knows the archive; waiting for the gateways');
  }
  removeRuns(folder, archive);
  await deps.gatewaysKnow();
  await removeAll(deps, archive, { path, keys: written.keys });
  await endArchive(database, archive.archiveId);
  return { ...result, file: path };
}

async function begin(deps: ArchiveKeysDeps, olderThanMs: number): Promise<BegunArchive> {
  const boundMs = await boundOf(deps, olderThanMs);
  const label = randomBytes(4).toString('hex');
  return beginArchive(deps.database, { label, olderThanMs: boundMs, nowMs: deps.clock.now() });
}

/** The key of an event that is kept itself stays: it leads to the event. */
async function boundOf({ database }: ArchiveKeysDeps, olderThanMs: number): Promise<number> {
  return Math.min(olderThanMs, await readKeptSinceMs(database));
}

async function writeFile(deps: ArchiveKeysDeps, archive: BegunArchive): Promise<WrittenArchive> {
  const { folder, onProgress } = deps;
  const path = join(folder, archive.fileName);
  if (archive.state !== 'writing')
    throw new KeyArchiveError(`the archive ${path} is missing: bring it back, keys are in it alone`);
  const partitions = await listPartitions(deps.database);
  const runs: string[] = [];
  for (const [place, partition] of partitions.entries()) {
    const run = `${path}.run-${place}`;
    const { keys } = existsSync(run) ? checkWholeArchive(run) : await writeRun(deps, archive, { partition, run });
    onProgress(`read partition ${place + 1} of ${partitions.length}: ${keys} keys`);
    runs.push(run);
  }
  writeArchive(path, mergedRecordsOf(runs));
  const written = checkWholeArchive(path);
  onProgress(`wrote ${path}: ${written.keys} keys, ${written.bytes} bytes`);
  return written;
}

/** One partition's old keys, as a file of their own. */
async function writeRun(
  { database }: ArchiveKeysDeps,
  { olderThanMs }: BegunArchive,
  { partition, run }: { readonly partition: string; readonly run: string },
): Promise<WrittenArchive> {
  return database.transaction(async (tx) => {
    const writer = startArchive(run);
    try {
      for await (const records of readOldKeys(tx, partition, olderThanMs)) writer.add(records.map(checked));
      return writer.end();
    } finally {
      writer.close();
    }
  });
}

function checked(record: Buffer): Buffer {
  if (record.length === recordBytes) return record;
  throw new KeyArchiveError(`the key ${fromKey(record.subarray(0, 16))} has a body hash that is not 16 bytes long`);
}

/** The statement waits half a second for flushes; those that wait behind it go first then. */
async function makeKnown({ database }: ArchiveKeysDeps, archive: BegunArchive, written: WrittenArchive): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await database.transaction(async (tx) => {
        await tx.query(`set local lock_timeout = '500ms'`);
        await knowArchive(tx, archive.archiveId, written);
      });
      return;
    } catch (error) {
      const { cause } = error as { readonly cause?: unknown };
      if (sqlStateOf(cause) !== sqlState.lockNotAvailable || attempt === attemptsMax) throw error;
    }
  }
}

async function removeAll(
  { database, onProgress }: ArchiveKeysDeps,
  { archiveId, removedKeys }: BegunArchive,
  { path, keys }: { readonly path: string; readonly keys: number },
): Promise<void> {
  let done = removedKeys;
  let portion: string[] = [];
  const remove = async () => {
    done += portion.length;
    const removal = { eventIds: portion, removedKeys: done };
    await database.transaction((tx) => removeKeys(tx, archiveId, removal));
    onProgress(`removed ${done} of ${keys} keys from the table`);
    portion = [];
  };
  for (const record of recordsOf(path, removedKeys)) {
    portion.push(fromKey(record.subarray(0, 16)));
    if (portion.length === removedAtOnce) await remove();
  }
  if (portion.length > 0) await remove();
}

function removeRuns(folder: string, { fileName }: BegunArchive): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${fileName}.run-`)) rmSync(join(folder, name));
  }
}
