/** The typed texts, by the name of its field: `calls`, `duration`, and `sum:<key>` of a metadata key. */
type Typed = Readonly<Record<string, string>>;

/** The quantity of a month in the form of the API; null while no number of calls is typed. The service says what is wrong. */
export function quantityOf(typed: Typed, keys: readonly string[]): object | null {
  const { calls = '', duration = '' } = typed;
  if (!/^\d+$/.test(calls)) return null;
  const sums = keys.flatMap((key) => (typed[`sum:${key}`] ? [[key, typed[`sum:${key}`]]] : []));
  return {
    calls: Number(calls),
    ...(duration !== '' && { duration_ms: Number(duration) }),
    ...(sums.length > 0 && { measures: Object.fromEntries(sums) as object }),
  };
}
