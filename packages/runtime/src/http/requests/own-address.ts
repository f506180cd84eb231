import type { IncomingMessage } from 'node:http';
import { invalidRequest } from './invalid-request.ts';

export type OwnAddressOf = (request: IncomingMessage) => string;

const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/**
 * Returns the address at which this caller reaches us: PUBLIC_URL, or else its request's Host header. Only the answer
 * to the same caller uses it, so a forged header misleads nobody else. Throws `invalid_request` for a Host that no link
 * can use.
 */
export function createOwnAddress(publicUrl: string | undefined): OwnAddressOf {
  return function ownAddressOf(request) {
    if (publicUrl !== undefined) return publicUrl;
    const host = request.headers.host ?? '';
    if (!plainHost.test(host)) throw invalidRequest('The Host header is not a host that a link could lead to.');
    return `http://${host}`;
  };
}
