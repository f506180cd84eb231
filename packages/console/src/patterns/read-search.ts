/** The named texts of an address, and nothing else of it. Empty ones are left out. */
export function readSearch<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { readonly [Key in Name]?: string } {
  const given = names.flatMap((name) => {
    const value = search[name];
    return typeof value === 'string' && value !== '' ? [[name, value]] : [];
  });
  return Object.fromEntries(given) as { readonly [Key in Name]?: string }; // it has these names alone
}
