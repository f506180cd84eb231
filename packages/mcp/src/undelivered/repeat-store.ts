/** Answers that their clients have missed, for the processes of a server. They are encrypted: a store can read none. */
export interface RepeatStore {
  /**
   * Keeps an answer for a time, in no order of answers under one name. Beyond its bounds a store drops those first that it
   * has kept longest.
   */
  put(name: string, answer: Uint8Array): Promise<void>;
  /** Takes an answer out. Of several processes that ask at once, one gets it. Undefined: there is none. */
  take(name: string): Promise<Uint8Array | undefined>;
}

export interface RepeatStoreBounds {
  /** Default: ten minutes. */
  readonly keepMs?: number | undefined;
  /** The most bytes of all answers. Default: 64 MiB. */
  readonly bytesMax?: number | undefined;
  /** The most answers. Default: 1,000. */
  readonly answersMax?: number | undefined;
  /** Milliseconds since the epoch. Default: the clock of the system. */
  readonly nowMs?: (() => number) | undefined;
}

export const keepMsDefault = 600_000;
export const bytesMaxDefault = 64 * 1024 * 1024;
export const answersMaxDefault = 1_000;
