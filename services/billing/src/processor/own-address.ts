import type { IncomingMessage } from 'node:http';
import { invalidRequest } from '@tollgate/runtime/http/invalid-request';

const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i;

/**
 * Where this caller reaches us: PUBLIC_URL, or else the host that it asked for. Only its own answer is made from it, so a
 * wrong one leads nobody else astray.
 */
export function createOwnAddress(publicUrl: string | undefined) {
  return function ownAddressOf(request: IncomingMessage): string {
    if (publicUrl !== undefined) return publicUrl;
    const host = request.headers.host ?? '';
    if (!plainHost.test(host)) throw invalidRequest('The Host header is none that a link could lead to.');
    return `http://${host}`;
  };
}

export type OwnAddressOf = ReturnType<typeof createOwnAddress>;
