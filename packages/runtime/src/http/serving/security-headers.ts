import type { ServerResponse } from 'node:http';

/** Suits answers that are data. Pages (docs, sandbox) set a policy of their own. */
export function setSecurityHeaders(response: ServerResponse): void {
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-security-policy', "default-src 'none'; base-uri 'none'; frame-ancestors 'none'");
  response.setHeader('referrer-policy', 'no-referrer');
}
