/** The id of a client with a metadata document is its address. */
export function hostOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : URL.parse(address)?.host || undefined;
}
