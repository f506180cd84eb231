/** The reader's cursor points to records that the log no longer has, or never had. Reading on would lose or repeat calls. */
export class RecordsGone extends Error {
  override readonly name = 'RecordsGone';
}

export interface Gap {
  readonly topic: string;
  readonly partition: number;
  readonly cursor: bigint;
  /** Where the log goes on; undefined if it does not. */
  readonly found: bigint | undefined;
}

export function recordsGone({ topic, partition, cursor, found }: Gap): RecordsGone {
  return new RecordsGone(
    `partition ${partition} of ${topic}: counted up to ${cursor}, but the log goes on at ${found ?? 'nothing'}. Restore the log, or the database that the cursor is in.`,
  );
}
