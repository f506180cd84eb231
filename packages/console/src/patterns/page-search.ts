/** The page of a list that an address names. */
export function readPageSearch({ cursor }: Record<string, unknown>): { readonly cursor?: string } {
  return typeof cursor === 'string' && cursor !== '' ? { cursor } : {};
}
