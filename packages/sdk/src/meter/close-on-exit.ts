/** Closes once the process has nothing left to do, or gets SIGTERM, which it then gives back. Returns how to forget it. */
export function closeOnExit(close: () => Promise<unknown>): () => void {
  const onBeforeExit = (): void => void close();
  const onTerminate = (): void => {
    void close().finally(() => {
      if (process.listenerCount('SIGTERM') === 0) process.kill(process.pid, 'SIGTERM');
    });
  };
  process.once('beforeExit', onBeforeExit);
  process.once('SIGTERM', onTerminate);
  return () => {
    process.off('beforeExit', onBeforeExit);
    process.off('SIGTERM', onTerminate);
  };
}
