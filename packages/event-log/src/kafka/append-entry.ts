import { AppError } from '@tollgate/kernel/app-error';
import type { LogPosition, LogRecord } from '../event-log.ts';
import { partitionOfKey } from '../partition-of-key.ts';

export interface Message {
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
  /** Headers of the record. */
  readonly headers?: { readonly traceparent: string };
}

/** One call of `append`. It is sent whole and settles once; what happens to it later changes nothing. */
export interface AppendEntry {
  readonly messages: readonly Message[];
  readonly bytes: number;
  isSettled(): boolean;
  onDurable(positions: readonly LogPosition[]): void;
  /** An attempt failed. If the deadline passes, the cause of the last failure is the rejection's. */
  onFailed(cause: unknown): void;
  /** Rejects at once: a further attempt would fail, too. */
  onUnknown(cause?: unknown): void;
}

export interface AppendEntryOptions extends Pick<AppendEntry, 'messages' | 'bytes'> {
  readonly deadlineMs: number;
  readonly outcome: PromiseWithResolvers<readonly LogPosition[]>;
}

/** Rejects `outcome` at the deadline unless the entry has settled. */
export function createAppendEntry({ messages, bytes, deadlineMs, outcome }: AppendEntryOptions): AppendEntry {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
    clearTimeout(timer);
  };
  let lastFailure: unknown;
  const onUnknown = (cause: unknown = lastFailure): void => {
    settle();
    outcome.reject(unknownOutcome(cause));
  };
  const timer = setTimeout(onUnknown, deadlineMs);
  return {
    messages,
    bytes,
    isSettled: () => isSettled,
    onFailed: (cause) => void (lastFailure = cause),
    onUnknown,
    onDurable(positions) {
      settle();
      outcome.resolve(positions);
    },
  };
}

export function toMessage({ key, value, traceparent }: LogRecord, partitions: number): Message {
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength); // a view, no copy
  const message = { partition: partitionOfKey(key, partitions), key, value: bytes };
  return traceparent === undefined ? message : { ...message, headers: { traceparent } };
}

export function notTaken(): AppError {
  return unavailable('The log has too many records waiting. Try again shortly.');
}

function unknownOutcome(cause?: unknown): AppError {
  return unavailable('The log did not confirm the records in time; they may have been stored.', cause);
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
