import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';

import type { ArchivedKey } from './archive-format.ts';

/** An archive that every flush knows. */
export interface KnownArchive {
  readonly archiveId: number;
  readonly fileName: string;
  readonly keys: number;
  readonly bytes: number;
  readonly sha256: Buffer;
}

const listText = `select archive_id, file_name, keys, bytes, sha256 from usage.key_archive_v1
  where archive_id > $1 order by archive_id`;

interface KnownRow {
  readonly archive_id: number;
  readonly file_name: string;
  readonly keys: bigint;
  readonly bytes: bigint;
  readonly sha256: Buffer;
}

/** The archives behind this one, in order. */
export async function listArchives(db: Queryable, after: number): Promise<KnownArchive[]> {
  const rows = await db.query<KnownRow>({ name: 'usage.list_key_archives', text: listText }, [after]);
  return rows.map((row) => ({
    archiveId: row.archive_id,
    fileName: row.file_name,
    keys: Number(row.keys),
    bytes: Number(row.bytes),
    sha256: row.sha256,
  }));
}

/** An archive that a command has begun and not finished. */
export interface BegunArchive {
  readonly archiveId: number;
  readonly fileName: string;
  readonly olderThanMs: number;
  readonly state: 'writing' | 'known';
  /** How many keys of the file have left the table, in the order of the file. */
  readonly removedKeys: number;
  /** The hash of the file; undefined while it is written. */
  readonly sha256: Buffer | undefined;
}

interface BegunRow {
  readonly archive_id: number;
  readonly file_name: string;
  readonly older_than: Date;
  readonly state: 'writing' | 'known';
  readonly removed_keys: bigint;
  readonly sha256: Buffer | null;
}

const begunColumns = 'archive_id, file_name, older_than, state, removed_keys, sha256';
const begunText = `select ${begunColumns} from usage.key_archive where state <> 'done'`;
const beginText = `insert into usage.key_archive (archive_id, file_name, older_than, created_at)
  select n, 'keys-' || lpad(n::text, 4, '0') || '-' || $1 || '.tgkeys', $2, $3
  from (select coalesce(max(archive_id), 0) + 1 as n from usage.key_archive) as next
  returning ${begunColumns}`;

export async function findBegun(db: Queryable): Promise<BegunArchive | undefined> {
  const [row] = await db.query<BegunRow>(begunText);
  return row && fromRow(row);
}

export interface NewArchive {
  /** A part of the file's name that no other archive has, also none of a database that was restored since. */
  readonly label: string;
  readonly olderThanMs: number;
  readonly nowMs: number;
}

export async function beginArchive(db: Queryable, { label, olderThanMs, nowMs }: NewArchive): Promise<BegunArchive> {
  return fromRow(onlyRow(await db.query<BegunRow>(beginText, [label, toIso(olderThanMs), toIso(nowMs)])));
}

function fromRow(row: BegunRow): BegunArchive {
  return {
    archiveId: row.archive_id,
    fileName: row.file_name,
    olderThanMs: row.older_than.getTime(),
    state: row.state,
    removedKeys: Number(row.removed_keys),
    sha256: row.sha256 ?? undefined,
  };
}

/** Takes an archive back of which nobody knows yet. */
export async function dropBegun(db: Queryable, archiveId: number): Promise<void> {
  await db.query(`delete from usage.key_archive where archive_id = $1 and state = 'writing'`, [archiveId]);
}

export async function knowArchive(
  db: Queryable,
  archiveId: number,
  { keys, bytes, sha256 }: Omit<KnownArchive, 'archiveId' | 'fileName'>,
): Promise<void> {
  await db.query('select usage.know_key_archive($1, $2, $3, $4)', [archiveId, keys, bytes, sha256]);
}

export async function endArchive(db: Queryable, archiveId: number): Promise<void> {
  await db.query(`update usage.key_archive set state = 'done' where archive_id = $1`, [archiveId]);
}

const removeText = `delete from usage.event_key k using unnest($1::uuid[]) as old (event_id) where k.event_id = old.event_id`;
const removedText = `update usage.key_archive set removed_keys = $2 where archive_id = $1 and state = 'known'`;

/** Removes keys that are in the archive, and notes how far its file is done. */
export async function removeKeys(
  tx: Transaction,
  archiveId: number,
  removal: { readonly eventIds: readonly string[]; readonly removedKeys: number },
): Promise<void> {
  await tx.query({ name: 'usage.remove_archived_keys', text: removeText }, [removal.eventIds]);
  await tx.query({ name: 'usage.note_removed_keys', text: removedText }, [archiveId, removal.removedKeys]);
}

const partitionsText = `select inhrelid::regclass::text as name from pg_inherits
  where inhparent = 'usage.event_key'::regclass order by inhrelid`;

/** The names of the partitions of the table of keys, as SQL has them. */
export async function listPartitions(db: Queryable): Promise<string[]> {
  return (await db.query<{ name: string }>(partitionsText)).map(({ name }) => name);
}

/** The name is one of `listPartitions`. */
export async function countOldKeys(db: Queryable, partition: string, olderThanMs: number): Promise<number> {
  const text = `select count(*) as keys from ${partition} where occurred_at < $1`;
  return Number(onlyRow(await db.query<{ keys: bigint }>(text, [toIso(olderThanMs)])).keys);
}

const recordText = `uuid_send(event_id) || uuid_send(consumer_id) || body_hash
  || int8send(floor(extract(epoch from occurred_at) * 1000)::bigint)`;
const fetchText = 'fetch 10000 from old_keys';

/** The records of one partition's old keys, in order. They are sorted by the server, on its disk if there are many. */
export async function* readOldKeys(tx: Transaction, partition: string, olderThanMs: number): AsyncGenerator<Buffer[]> {
  await tx.query(`set local work_mem = '64MB'`);
  await tx.query(
    `declare old_keys no scroll cursor for
     select ${recordText} as record from ${partition} where occurred_at < '${toIso(olderThanMs)}' order by event_id`,
  );
  const fetch = async () => (await tx.query<{ record: Buffer }>(fetchText)).map(({ record }) => record);
  for (let records = await fetch(); records.length > 0; records = await fetch()) yield records;
  await tx.query('close old_keys');
}

/** Since when single events are kept, epoch ms: their keys stay in the table. Infinity if there are none. */
export async function readKeptSinceMs(db: Queryable): Promise<number> {
  const text = 'select kept_since from usage.kept_since_v1';
  const { kept_since: keptSince } = onlyRow(await db.query<{ kept_since: Date | null }>(text));
  return keptSince?.getTime() ?? Number.POSITIVE_INFINITY;
}

const findText = `select event_id, consumer_id, body_hash, occurred_at from usage.event_key where event_id = $1`;

interface KeyRow {
  readonly event_id: string;
  readonly consumer_id: string;
  readonly body_hash: Buffer;
  readonly occurred_at: Date;
}

/** Finds this id in the table of keys. */
export async function findInTable(db: Queryable, eventId: string): Promise<ArchivedKey | undefined> {
  const [row] = await db.query<KeyRow>(findText, [eventId]);
  return (
    row && {
      eventId: row.event_id,
      consumerId: row.consumer_id,
      bodyHash: row.body_hash.toString('base64url'),
      occurredAtMs: row.occurred_at.getTime(),
    }
  );
}

/** Reads the secret that makes the ids of keys. */
export async function readIdSecret(db: Queryable): Promise<string> {
  return onlyRow(await db.query<{ secret: string }>('select secret from usage.event_id_secret')).secret;
}
