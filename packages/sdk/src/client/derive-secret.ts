import { tokenOf, type Tollgate } from './tollgate.ts';

/**
 * 32 bytes for one purpose. Programs with the same API key get the same ones, and nobody gets the key from them. A client
 * without a key gets others each time.
 */
export async function deriveSecret(tollgate: Tollgate, purpose: string): Promise<Uint8Array> {
  const token = tokenOf(tollgate);
  if (token === undefined) return crypto.getRandomValues(new Uint8Array(32));
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey('raw', text.encode(token), 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: text.encode(purpose) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, key, 256));
}
