/**
 * The file of an archive of idempotency keys. All numbers are big-endian.
 *
 *   magic    8 bytes: `TGKEYS1\n`
 *   records  56 bytes each, ordered by event id, no id twice:
 *            event id 16, account 16, body hash 16, epoch ms of the event 8
 *   index    12 bytes for each block of 256 records: the first 8 bytes of its first id, the CRC-32 of the block
 *   footer   number of records 8, CRC-32 of the index 4, SHA-256 of everything before the hash 32
 *
 * A look-up searches the index, which is in memory, and reads one block of 14 kB. Ids are hashes, so a key is 56 bytes and
 * a 20th of a byte of memory.
 */
export const magic = Buffer.from('TGKEYS1\n', 'latin1');
export const recordBytes = 56;
const blockRecords = 256;
export const blockBytes = blockRecords * recordBytes;
export const prefixBytes = 8;
export const indexEntryBytes = prefixBytes + 4;
export const hashBytes = 32;
export const footerBytes = 8 + 4 + hashBytes;

/** A key whose event was counted. */
export interface ArchivedKey {
  readonly eventId: string;
  readonly consumerId: string;
  /** Base64url, as in the log's records. */
  readonly bodyHash: string;
  readonly occurredAtMs: number;
}

export interface ArchiveSize {
  readonly keys: number;
  readonly bytes: number;
}

export const blocksOf = (keys: number): number => Math.ceil(keys / blockRecords);

export function bytesOf(keys: number): number {
  return magic.length + keys * recordBytes + blocksOf(keys) * indexEntryBytes + footerBytes;
}

export function toKey(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

export function fromKey(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

export function fromRecord(record: Buffer): ArchivedKey {
  return {
    eventId: fromKey(record.subarray(0, 16)),
    consumerId: fromKey(record.subarray(16, 32)),
    bodyHash: record.subarray(32, 48).toString('base64url'),
    occurredAtMs: Number(record.readBigInt64BE(48)),
  };
}
