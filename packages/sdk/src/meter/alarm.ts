import { timerMsMax } from '../wait.ts';

/** A wait that can be cut short. Its timer never keeps a process alive: what is spooled is sent by the next start. */
export interface Alarm {
  /** Resolves after so many milliseconds, or when it rings. Without a time it waits for the ring alone. */
  wait(ms?: number): Promise<void>;
  ring(): void;
}

export function createAlarm(): Alarm {
  let wake: (() => void) | undefined;
  return {
    wait: (ms) =>
      new Promise<void>((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(finish, Math.min(ms, timerMsMax));
        timer?.unref();
        wake = finish;

        function finish(): void {
          clearTimeout(timer);
          wake = undefined;
          resolve();
        }
      }),
    ring: () => wake?.(),
  };
}
