/** Remembers the values that were used last, up to a bound. */
export function createRecentMap<Value>(max: number) {
  const values = new Map<string, Value>();
  return {
    /** The value of a key; made if there is none. */
    get(key: string, make: () => Value): Value {
      const value = values.get(key) ?? make();
      values.delete(key); // the order of the map is that of the last use
      values.set(key, value);
      const [oldest] = values.keys();
      if (values.size > max && oldest !== undefined) values.delete(oldest);
      return value;
    },
    has: (key: string): boolean => values.has(key),
  };
}
