/** Why `record()` did not keep an event. It is not counted, unless you record it again. */
export class SpoolError extends Error {
  override readonly name: string = 'SpoolError';
  /** The key of the event. Pass it if you record the event again: then it counts once, whatever happened to the disk. */
  readonly idempotencyKey: string;
  /** `spool_full`, `meter_closed`, or the code of the operating system, such as `ENOSPC`. */
  readonly code: string;

  constructor(
    message: string,
    { code, idempotencyKey, cause }: { code: string; idempotencyKey: string; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.idempotencyKey = idempotencyKey;
  }
}

/** The spool has reached `maxBytes`: events come faster than they can be sent, or Tollgate cannot be reached. */
export class SpoolFull extends SpoolError {
  override readonly name = 'SpoolFull';
}

/** The error of `record()`, by that of the disk or of the spool. */
export function toSpoolError(error: unknown, idempotencyKey: string): SpoolError {
  if (error instanceof SpoolError) return error;
  const { code = 'unknown', message } = error as NodeJS.ErrnoException; // the file system threw it
  const reason = code === 'ENOSPC' ? 'the disk is full' : message;
  return new SpoolError(`the event was not kept: ${reason}`, { code, idempotencyKey, cause: error });
}
