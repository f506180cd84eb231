import { randomBytes } from 'node:crypto';

/** The files of a spool, by their names. SPOOL.md describes them. */
export interface SpoolFile {
  readonly name: string;
  readonly writer: string;
  readonly kind: 'spool' | 'cursor' | 'lock' | 'tmp';
}

const pattern = /^([0-9a-f]{16})(?:-\d{8})?\.(?:(spool|cursor|lock)|cursor\.tmp)$/;

export function newWriter(): string {
  return randomBytes(8).toString('hex');
}

export function segmentName(writer: string, number: number): string {
  return `${writer}-${String(number).padStart(8, '0')}.spool`;
}

export function cursorName(segment: string): string {
  return segment.replace(/spool$/, 'cursor');
}

export function lockName(writer: string): string {
  return `${writer}.lock`;
}

/** Undefined for a file that is none of ours. */
export function parseSpoolFile(name: string): SpoolFile | undefined {
  const [, writer, kind = 'tmp'] = pattern.exec(name) ?? [];
  return writer === undefined ? undefined : { name, writer, kind: kind as SpoolFile['kind'] };
}
