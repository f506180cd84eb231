import { SpoolError } from './spool-error.ts';
import { toLine } from './spool-format.ts';
import type { KeyedEvent } from './to-event.ts';

export interface GroupCommit {
  /** Resolved: written. Rejected with a SpoolError: not kept. */
  append(event: KeyedEvent): Promise<void>;
  /** Waits for everything that was appended. */
  drained(): Promise<void>;
}

interface Waiting {
  readonly event: KeyedEvent;
  readonly line: string;
  resolve(): void;
  reject(error: SpoolError): void;
}

const eventsPerWriteMax = 10_000;

/** All that wait share one write and one flush: while it runs, the next ones gather. */
export function createGroupCommit(write: (bytes: Buffer, events: number) => Promise<void>): GroupCommit {
  const waiting: Waiting[] = [];
  let writing: Promise<void> | undefined;

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const group = waiting.splice(0, eventsPerWriteMax);
      try {
        await write(Buffer.from(group.map(({ line }) => line).join('')), group.length);
        for (const { resolve } of group) resolve();
      } catch (error) {
        for (const { event, reject } of group) reject(toSpoolError(error, event));
      }
    }
    writing = undefined;
  }

  return {
    append: (event) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ event, line: toLine(event.json), resolve, reject });
        writing ??= writeAll();
      }),
    async drained() {
      while (writing !== undefined) await writing;
    },
  };
}

function toSpoolError(error: unknown, { idempotencyKey }: KeyedEvent): SpoolError {
  const { code = 'unknown', message } = error as NodeJS.ErrnoException;
  const reason = code === 'ENOSPC' ? 'the disk is full' : message;
  return new SpoolError(`the event was not kept: ${reason}`, { code, idempotencyKey, cause: error });
}
