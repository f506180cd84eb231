import { principalOf } from '@tollgate/runtime/http/request-context';
import type { Request } from 'express';

/** The session that calls. A route that lets others in too must not ask. */
export function sessionOf(request: Request): { readonly accountId: string; readonly sessionId: string } {
  const principal = principalOf(request);
  if (principal.kind !== 'session') throw new Error('the access of this route is not session');
  return { accountId: principal.accountId, sessionId: principal.sessionId };
}
