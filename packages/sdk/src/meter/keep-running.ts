export interface KeptWork {
  readonly name: string;
  work(): Promise<void>;
  warn(message: string): void;
  /** A moment, before it begins anew. */
  pause(): Promise<void>;
}

/** Runs work until it ends by itself. Events wait for it: an error that nobody expected stops it for a moment alone. */
export async function keepRunning({ name, work, warn, pause }: KeptWork): Promise<void> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      warn(`${name} has stopped, and is started again: ${String(error)}`);
      await pause();
    }
  }
}
