/** A record of the log that was not counted, as its operator sees it. */
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

/** When it was appended again, and where it lies since. */
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
  /** Only what sorts after it. */
  readonly after: (RecordPlace & { readonly storedAtMs: number }) | undefined;
  readonly rowsMax: number;
}

/** All reject with `unavailable` while PostgreSQL is away. */
export interface DeadLetters {
  /** Newest first by (time, place); `total` counts all that the filter lets through. */
  list(filter: DeadLetterFilter): Promise<{ readonly rows: readonly DeadLetter[]; readonly total: number }>;
  find(place: RecordPlace): Promise<DeadLetterWithRecord | undefined>;
  /** Remembers the last replay. Safe to repeat. */
  markReplayed(place: RecordPlace, replay: Replay): Promise<void>;
}
