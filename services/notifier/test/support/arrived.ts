import { eventually } from '@tollgate/testkit/eventually';

/** Waits until there is something, and returns it. */
export async function arrived<T>(look: () => T | Promise<T>, withinMs = 5_000): Promise<Exclude<T, undefined | false>> {
  const found = await eventually(look, { withinMs });
  if (found === undefined || found === false) throw new Error('it did not arrive');
  return found as Exclude<T, undefined | false>; // the two are excluded above
}
