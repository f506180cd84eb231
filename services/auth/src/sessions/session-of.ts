import { principalOf } from '@tollgate/runtime/http/requests/request-context';
import type { Request } from 'express';

/** The session that calls. Only a route with access `session` may use it. */
export function sessionOf(request: Request): { readonly accountId: string; readonly sessionId: string } {
  const principal = principalOf(request);
  if (principal.kind !== 'session') throw new Error('this route admits other callers than sessions');
  return { accountId: principal.accountId, sessionId: principal.sessionId };
}
