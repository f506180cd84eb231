/** Works after each pause, until what it answers is called. */
export function goOn(work: () => Promise<void>, pauseMs: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    timer = setTimeout(() => void work().then(() => timer && next()), pauseMs);
  };
  next();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}
