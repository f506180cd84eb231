import type { Spool } from './spool.ts';

/** The events that a closed meter leaves behind. */
export interface Closed {
  /** Its events that Tollgate does not have. The next meter of the folder sends them; in memory they are lost. */
  readonly left: number;
  /** Events of other programs in the folder: they hold them, and send them themselves. */
  readonly others: number;
  /** Why events wait, in a sentence; undefined if none does. */
  readonly reason: string | undefined;
}

/** Closes the spool and says what waits. A folder in trouble keeps nobody from closing. */
export async function closeSpool(spool: Spool, lastError: Error | undefined): Promise<Closed> {
  let others = 0;
  let error = lastError;
  try {
    await spool.close();
    others = await spool.others();
  } catch (failure) {
    error ??= failure as Error; // the file system threw it
  }
  const left = spool.figures().queued;
  return { left, others, reason: reasonOf({ left, others, error }) };
}

interface Waiting {
  readonly left: number;
  readonly others: number;
  readonly error: Error | undefined;
}

function reasonOf({ left, others, error }: Waiting): string | undefined {
  if (left > 0) return error?.message ?? 'the time ran out before they were sent';
  if (others > 0) return 'another program has the folder open, and sends its events itself';
  return error?.message;
}
