/** Runs at most so many tasks at once; the others wait in their order. */
export function createTaskLimit(atOnce: number): <T>(task: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];

  return async function withinLimit(task) {
    if (running < atOnce) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve)); // the place is handed over
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
