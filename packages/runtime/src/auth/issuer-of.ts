/**
 * The issuer of our OAuth tokens: PUBLIC_URL without its path, as tokens, metadata documents and builders' servers must name
 * it, byte for byte. Undefined without PUBLIC_URL: then there are no such tokens.
 */
export function issuerOf(publicUrl: string | undefined): string | undefined {
  return publicUrl === undefined ? undefined : new URL(publicUrl).origin;
}
