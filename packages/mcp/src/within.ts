/** The value of a promise within this time; undefined if it is late. The promise goes on by itself then. */
export async function within<T>(promise: Promise<T>, withinMs: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), withinMs)));
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
