import { hash, webcrypto } from 'node:crypto';
import { codePointLength } from '@tollgate/kernel/text';

/**
 * A list of breached passwords in a file that names none of them, in upper or lower case: an attacker guesses the variants
 * as early. The file is a line of JSON and two parts.
 *
 * - Passwords of 10 to 19 characters are in a binary fuse filter (Graf and Lemire, 2022), which takes 18 bits for each. The
 *   three slots of a password, by xor, give its check of 16 bits. The filter knows each of its own, and by chance one of
 *   65,536 others.
 * - The few that are shorter or longer have 40 bits each, sorted. By chance one of 20 million others is refused.
 */
export interface BreachList {
  readonly header: BreachListHeader;
  readonly fingerprints: Uint8Array;
  /** Two bytes for each slot, the low one first. */
  readonly slots: Uint8Array;
}

export interface BreachListHeader {
  /** Package, version, licence and, for what no lockfile pins, the SHA-256. */
  readonly sources: readonly string[];
  readonly passwords: number;
  /** A power of two. */
  readonly segmentLength: number;
  readonly segments: number;
  readonly fingerprintsBytes: number;
  /** The hash of both parts. */
  readonly sha256: string;
}
export type FilterShape = Pick<BreachListHeader, 'segmentLength' | 'segments'>;

const fingerprintBytes = 5;
export const slotBytes = 2;

/** Rejects when the file is not as it was written. */
export async function parseBreachList(file: Buffer<ArrayBuffer>): Promise<BreachList> {
  const end = file.indexOf('\n');
  // A line of another form agrees with no length.
  const header = JSON.parse(file.toString('utf8', 0, Math.max(end, 0))) as BreachListHeader;
  const body = file.subarray(end + 1);
  const sha256 = await webcrypto.subtle.digest('SHA-256', body); // in a thread
  if (
    body.length !== header.fingerprintsBytes + slotsOf(header) * slotBytes ||
    Buffer.from(sha256).toString('hex') !== header.sha256
  )
    throw new Error('its parts have another length or hash than its first line says');
  return {
    header,
    fingerprints: body.subarray(0, header.fingerprintsBytes),
    slots: body.subarray(header.fingerprintsBytes),
  };
}

export function isListed({ header, fingerprints, slots }: BreachList, password: string): boolean {
  const digest = digestOf(password);
  if (!isFiltered(password)) return isAmong(fingerprints, fingerprintOf(digest));
  const [first, second, third] = placesOf(digest, header);
  return (slotAt(slots, first) ^ slotAt(slots, second) ^ slotAt(slots, third)) === checkOf(digest);
}

export function isFiltered(password: string): boolean {
  const length = codePointLength(password.toLowerCase());
  return length >= 10 && length < 20;
}

export function digestOf(password: string): Buffer {
  return hash('sha256', password.toLowerCase(), 'buffer');
}

export function fingerprintOf(digest: Buffer): Buffer {
  return digest.subarray(0, fingerprintBytes);
}

/** Returns the check value that the three slots of a password must give. */
export function checkOf(digest: Buffer): number {
  return digest.readUInt16LE(12);
}

/** In three segments that follow each other, at a random place of the filter. */
export function placesOf(digest: Buffer, { segmentLength, segments }: FilterShape): [number, number, number] {
  const first = Math.floor((digest.readUInt32BE(0) / 2 ** 32) * segments * segmentLength);
  const inSegment = segmentLength - 1;
  return [
    first,
    (first + segmentLength) ^ (digest.readUInt32BE(4) & inSegment),
    (first + 2 * segmentLength) ^ (digest.readUInt32BE(8) & inSegment),
  ];
}

function slotAt(slots: Uint8Array, place: number): number {
  const at = place * slotBytes;
  return (slots[at] ?? 0) | ((slots[at + 1] ?? 0) << 8);
}

/** The last first slot has two segments behind it. */
export function slotsOf({ segmentLength, segments }: FilterShape): number {
  return (segments + 2) * segmentLength;
}

function isAmong(known: Uint8Array, wanted: Buffer): boolean {
  let [from, to] = [0, known.length / fingerprintBytes];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = middle * fingerprintBytes;
    const order = wanted.compare(known, at, at + fingerprintBytes);
    if (order === 0) return true;
    if (order > 0) from = middle + 1;
    else to = middle;
  }
  return false;
}
