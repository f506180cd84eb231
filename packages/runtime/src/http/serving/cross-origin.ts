import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';

/** Allows pages of the configured origins to read answers. True: the request was a preflight, and is answered. */
export type AllowOrigins = (request: IncomingMessage, response: ServerResponse) => boolean;

const preflightMaxAgeSeconds = 600;
const exposedHeaders = [
  'Idempotent-Replayed',
  'Location',
  'Retry-After',
  'X-Ignored-Fields',
  'X-Next-Cursor',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Request-Id',
];

/**
 * CORS for the origins of `CORS_ORIGINS`, comma-separated; `*` is every origin, and without an origin no answer allows a
 * page anything. It never allows credentials, so the cookie of a browser's session opens nothing to a page of another origin.
 */
export function createAllowOrigins(origins: string): AllowOrigins {
  const allowed = origins.split(',').filter((origin) => origin !== '');
  if (allowed.length === 0) return () => false;
  const answer = cors({
    origin: allowed.includes('*') ? '*' : allowed,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
    allowedHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'MCP-Protocol-Version',
      'Tollgate-Operator-Code',
      'X-Request-Id',
    ],
    exposedHeaders,
    maxAge: preflightMaxAgeSeconds,
    preflightContinue: true,
  });
  return function allowOrigins(request, response) {
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
    if (request.method === 'OPTIONS' && !isPreflight) return false; // 405, as without CORS
    answer(request, response, ignore);
    if (isPreflight) response.writeHead(204).end();
    return isPreflight;
  };
}

function ignore(): void {
  // the library has set its headers; it fails for no request
}
