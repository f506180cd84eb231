/** The log no longer has, or never had, what the reader's cursor speaks of. Reading on would lose or repeat calls. */
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

const ifLost = 'If the log is lost, docs/operations.md says how to go on ("A log that was made anew").';

export function recordsGone({ topic, partition, cursor, found }: Gap): RecordsGone {
  return new RecordsGone(
    `partition ${partition} of ${topic}: counted up to ${cursor}, but the log goes on at ${found ?? 'nothing'}. Restore the log, or the database that the cursor is in. ${ifLost}`,
  );
}

/** `offset` is that of the record that was counted last. */
export function anotherLog({
  topic,
  partition,
  offset,
}: Pick<Gap, 'topic' | 'partition'> & { offset: bigint }): RecordsGone {
  return new RecordsGone(
    `partition ${partition} of ${topic}: the record at ${offset} is not the one that was counted last, so this is another log. Connect the log that was counted, or restore it. ${ifLost}`,
  );
}
