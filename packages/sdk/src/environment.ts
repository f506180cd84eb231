/** A variable of the environment; undefined on platforms without one. */
export function environmentVariable(name: 'TOLLGATE_API_KEY' | 'TOLLGATE_URL'): string | undefined {
  const platform = globalThis as { process?: { env?: Record<string, string | undefined> } };
  const value = platform.process?.env?.[name];
  return value === '' ? undefined : value;
}
