import { crc32 } from 'node:zlib';

/** The first line of a segment. SPOOL.md describes the files, for clients in all languages. */
export const segmentHeader = Buffer.from('tollgate-spool 1\n');

const checksumLength = 8;
const prefixLength = checksumLength + 1;
const lineFeed = 0x0a;
const space = 0x20;

/** One line of a segment, or a cursor. */
export function toLine(json: string): string {
  return `${checksumOf(json)} ${json}\n`;
}

export function toCursor(offset: number): string {
  return toLine(JSON.stringify({ offset }));
}

/** Undefined for a cursor that is torn or none at all: then nothing is known to be settled. */
export function parseCursor(bytes: Buffer): number | undefined {
  const end = bytes.indexOf(lineFeed);
  const json = end < 0 ? undefined : parseLine(bytes.subarray(0, end));
  if (json === undefined) return undefined;
  const { offset } = Object(JSON.parse(json)) as { offset?: unknown };
  return typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0 ? offset : undefined;
}

export interface SpoolLine {
  /** The event as JSON; undefined if the line is damaged. */
  readonly json: string | undefined;
  readonly bytes: Buffer;
  /** Where the next line begins, from the start of `chunk`. */
  readonly end: number;
}

/** The whole lines of a piece of a segment. What follows the last line feed is torn, or not written yet. */
export function* linesOf(chunk: Buffer): Generator<SpoolLine, void, undefined> {
  for (let start = 0; ;) {
    const end = chunk.indexOf(lineFeed, start);
    if (end < 0) return;
    const bytes = chunk.subarray(start, end);
    yield { json: parseLine(bytes), bytes, end: end + 1 };
    start = end + 1;
  }
}

function parseLine(bytes: Buffer): string | undefined {
  if (bytes.length <= prefixLength || bytes[checksumLength] !== space) return undefined;
  const json = bytes.subarray(prefixLength);
  return bytes.toString('latin1', 0, checksumLength) === checksumOf(json) ? json.toString() : undefined;
}

function checksumOf(json: string | Buffer): string {
  return crc32(json).toString(16).padStart(checksumLength, '0');
}
