import type { IncomingMessage } from 'node:http';
import { principalOf } from '@tollgate/runtime/http/request-context';
import type { Pass } from './pass.ts';
import type { PassDirectory } from './pass-directory.ts';

/** The pass that a request comes with; undefined for every other credential, at the cost of one comparison. */
export type PassOf = (request: IncomingMessage) => Pass | undefined;

export function createPassOf(directory: Pick<PassDirectory, 'byId'>): PassOf {
  return function passOf(request) {
    const principal = principalOf(request);
    return principal.kind === 'pass' ? directory.byId(principal.passId) : undefined;
  };
}
