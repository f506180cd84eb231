import { writeUuid } from '@tollgate/kernel/uuid';

/**
 * Columns of a flush as parameters in PostgreSQL's binary format of arrays. Nothing is quoted here, and the server copies
 * what it would otherwise parse. docs/decisions/0191 has the figures.
 */
type Column<Value> = readonly (Value | undefined)[];

interface ElementType<Value> {
  /** Its row in pg_type, which is the same in every database. */
  readonly oid: number;
  bytesMax(value: Value): number;
  /** Returns how many bytes the value has. */
  write(buffer: Buffer, at: number, value: Value): number;
}

const fixed = (bytes: number) => () => bytes;
const utf8BytesMax = (text: string): number => text.length * 3;
/** Before the text of each jsonb. */
const jsonbVersion = 1;

const types = {
  text: { oid: 25, bytesMax: utf8BytesMax, write: writeText },
  jsonb: { oid: 3802, bytesMax: (text) => 1 + utf8BytesMax(text), write: writeJsonb },
  bytea: {
    oid: 17,
    bytesMax: ({ length }) => length,
    write: (buffer, at, text) => buffer.write(text, at, 'base64url'),
  },
  uuid: { oid: 2950, bytesMax: fixed(16), write: writeUuid },
} satisfies Record<string, ElementType<string>>;
const timeType: ElementType<number> = { oid: 1184, bytesMax: fixed(8), write: writeTime };
const int8Type: ElementType<number> = { oid: 20, bytesMax: fixed(8), write: writeInt8 };
const booleanType: ElementType<boolean> = { oid: 16, bytesMax: fixed(1), write: writeBoolean };

export const toTextColumn = (texts: Column<string>): Buffer => toColumn(types.text, texts);

/** Encodes JSON texts. */
export const toJsonbColumn = (texts: Column<string>): Buffer => toColumn(types.jsonb, texts);

/** Encodes bytes from texts in base64url. */
export const toByteaColumn = (texts: Column<string>): Buffer => toColumn(types.bytea, texts);

/** Encodes lower-case ids with hyphens. */
export const toUuidColumn = (ids: Column<string>): Buffer => toColumn(types.uuid, ids);

/** timestamptz, of whole milliseconds since the epoch. */
export const toTimeColumn = (times: Column<number>): Buffer => toColumn(timeType, times);

/** bigint, of safe integers. */
export const toInt8Column = (numbers: Column<number>): Buffer => toColumn(int8Type, numbers);

export const toBooleanColumn = (values: Column<boolean>): Buffer => toColumn(booleanType, values);

/** Dimensions, whether there are nulls, element type; and for the one dimension: length, lower bound. */
const headBytes = 20;
const lengthBytes = 4;
const lengthOfNull = -1;

function toColumn<Value>({ oid, bytesMax, write }: ElementType<Value>, values: Column<Value>): Buffer {
  let size = headBytes;
  for (const value of values) size += lengthBytes + (value === undefined ? 0 : bytesMax(value));
  const buffer = Buffer.allocUnsafe(size);
  writeInt32(buffer, 0, 1);
  writeInt32(buffer, 4, 1); // a hint alone: there may be nulls
  writeInt32(buffer, 8, oid);
  writeInt32(buffer, 12, values.length);
  writeInt32(buffer, 16, 1);
  let at = headBytes;
  for (const value of values) {
    const length = value === undefined ? 0 : write(buffer, at + lengthBytes, value);
    writeInt32(buffer, at, value === undefined ? lengthOfNull : length);
    at += lengthBytes + length;
  }
  return buffer.subarray(0, at);
}

/** Character by character while they are ASCII, as nearly all are: a call of `write` costs more than forty of them. */
function writeText(buffer: Buffer, at: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > asciiMax) return buffer.write(text, at);
    buffer[at + index] = code;
  }
  return text.length;
}

const asciiMax = 0x7f;

function writeJsonb(buffer: Buffer, at: number, text: string): number {
  buffer[at] = jsonbVersion;
  return 1 + writeText(buffer, at + 1, text);
}

function writeBoolean(buffer: Buffer, at: number, value: boolean): number {
  buffer[at] = Number(value);
  return 1;
}

const year2000Ms = Date.UTC(2000, 0);
const half = 2 ** 32;

/** Microseconds since 2000. Multiplied by halves, since the product of the whole may be above 2⁵³. */
function writeTime(buffer: Buffer, at: number, epochMs: number): number {
  const ms = epochMs - year2000Ms;
  const high = Math.floor(ms / half);
  const low = (ms - high * half) * 1_000;
  const carry = Math.floor(low / half);
  writeInt32(buffer, at, high * 1_000 + carry);
  writeInt32(buffer, at + 4, low - carry * half);
  return 8;
}

function writeInt8(buffer: Buffer, at: number, value: number): number {
  const high = Math.floor(value / half);
  writeInt32(buffer, at, high);
  writeInt32(buffer, at + 4, value - high * half);
  return 8;
}

/** Signed or unsigned. `Buffer` has methods for it, which check what is certain here. */
function writeInt32(buffer: Buffer, at: number, value: number): void {
  buffer[at] = value >>> 24;
  buffer[at + 1] = value >>> 16;
  buffer[at + 2] = value >>> 8;
  buffer[at + 3] = value;
}
