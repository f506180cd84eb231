import { createHash } from 'node:crypto';
import type { KnownRecord, StoredRecord } from './event-log.ts';

/** Undefined for a record of a log that lies beside its reader's cursor: neither is lost or restored without the other. */
export function knownRecordOf({ offset, appendedAt, value }: StoredRecord): KnownRecord | undefined {
  if (appendedAt === undefined) return undefined;
  return { offset, appendedAt, hash: createHash('sha256').update(value).digest() };
}

export function isKnownRecord(found: StoredRecord | undefined, known: KnownRecord): boolean {
  if (found === undefined || found.offset !== known.offset) return false;
  return found.appendedAt === known.appendedAt && knownRecordOf(found)?.hash.equals(known.hash) === true;
}
