/** A record of the log that was not counted, as the operator sees it. */
export interface DeadLetter {
  readonly place: RecordPlace;
  readonly code: string;
  readonly reason: string;
  readonly consumerId: string | null;
  readonly eventId: string | null;
  readonly toolId: string | null;
  readonly receivedAtMs: number | null;
  readonly storedAtMs: number;
  readonly replay: Replay | null;
}

export interface RecordPlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** The time at which the record was appended again, and its new place in the topic. */
export interface Replay {
  readonly atMs: number;
  readonly partition: number;
  readonly offset: bigint;
}

export type DeadLetterWithRecord = DeadLetter & { readonly record: Uint8Array };

export interface DeadLetterFilter {
  readonly code: string | undefined;
  readonly consumerId: string | undefined;
  readonly isReplayed: boolean | undefined;
  /** Lists only dead letters after this dead letter in the order of the list. */
  readonly after: (RecordPlace & { readonly storedAtMs: number }) | undefined;
  readonly rowsMax: number;
}
