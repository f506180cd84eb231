import { createHash } from 'node:crypto';

/** SHA-256 of a JSON value, whatever the order of its keys. No body and `{}` differ. */
export function hashBody(body: unknown): Buffer {
  return createHash('sha256')
    .update(body === undefined ? '' : canonicalJson(body))
    .digest();
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}
