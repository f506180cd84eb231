/** JSON in which the names of each object are in order, so that equal values have one text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (isPlainObject(inner) ? inOrder(inner) : inner)) ?? 'null';
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without a prototype `__proto__` is a name like any other. */
function inOrder(value: Readonly<Record<string, unknown>>): object {
  const names = Object.keys(value).sort();
  return names.reduce<Record<string, unknown>>(
    (ordered, name) => {
      ordered[name] = value[name];
      return ordered;
    },
    Object.create(null) as Record<string, unknown>,
  );
}
