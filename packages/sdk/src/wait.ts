/** A timer that is told to wait longer than its 31 bits can say ends at once. */
export const timerMsMax = 2 ** 31 - 1;

/** Waits, or rejects with the signal's reason. Platforms without `node:timers` have it too. */
export async function wait(delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error); // the caller chose it
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(delayMs, timerMsMax),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The value of a promise within this time; undefined if it is late. The promise goes on by itself then. */
export async function within<T>(promise: Promise<T>, withinMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), withinMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
