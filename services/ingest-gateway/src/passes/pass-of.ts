import type { IncomingMessage } from 'node:http';
import { invalidToken } from '@tollgate/runtime/auth/token-refusals';
import { principalOf } from '@tollgate/runtime/http/requests/request-context';
import type { Pass } from './pass.ts';
import type { PassDirectory } from './pass-directory.ts';

/**
 * The pass that a request comes with; undefined for every other credential, at the cost of one comparison. Throws
 * `unauthorized` if the pass was revoked since the request was let in: it would be taken for the account itself.
 */
export type PassOf = (request: IncomingMessage) => Pass | undefined;

export function createPassOf(directory: Pick<PassDirectory, 'byId'>): PassOf {
  return function passOf(request) {
    const principal = principalOf(request);
    if (principal.kind !== 'pass') return undefined;
    const pass = directory.byId(principal.passId);
    if (pass === undefined) throw invalidToken('the pass was revoked while its request was read');
    return pass;
  };
}
