/**
 * Closes once the process has nothing left to do, or gets SIGTERM. The signal is given back then, unless the program has
 * a listener of its own, which ends the process when it likes. Returns how to forget it.
 */
export function closeOnExit(close: () => Promise<unknown>): () => void {
  const onBeforeExit = (): void => void close();
  const onTerminate = (): void => {
    const isAlone = process.listenerCount('SIGTERM') === 0;
    void close().finally(() => {
      if (isAlone) process.kill(process.pid, 'SIGTERM');
    });
  };
  process.once('beforeExit', onBeforeExit);
  process.prependOnceListener('SIGTERM', onTerminate); // the first to run: a `once` of the program is still counted
  return () => {
    process.off('beforeExit', onBeforeExit);
    process.off('SIGTERM', onTerminate);
  };
}
