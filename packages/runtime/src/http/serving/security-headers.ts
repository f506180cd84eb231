import type { ServerResponse } from 'node:http';

/** Names and values in turn. They suit answers that are data. Pages (docs, sandbox) set a policy of their own. */
export const securityHeaders: readonly string[] = [
  'x-content-type-options',
  'nosniff',
  'cache-control',
  'no-store',
  'content-security-policy',
  "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy',
  'no-referrer',
];

export function setSecurityHeaders(response: ServerResponse): void {
  for (let at = 0; at < securityHeaders.length; at += 2)
    response.setHeader(securityHeaders[at] ?? '', securityHeaders[at + 1] ?? '');
}
