/** Ends every switch over a union: the compiler rejects the call when a case is missing. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
