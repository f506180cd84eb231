import type { ErrorCode } from '@tollgate/kernel/error-codes';
import { keyScopeOf, type Route } from './route.ts';

/**
 * Every error code that this route may answer with: its own codes, and those that follow from access, method and
 * headers. Any request can be malformed (two `Authorization` headers, say), any route has a limit,
 * and any route can have a bug.
 */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const codes: ErrorCode[] = [
    ...route.errors,
    ...accessErrors(route),
    ...inputErrors(route),
    'invalid_request',
    'rate_limit_exceeded',
    'server_error',
  ];
  return [...new Set(codes)];
}

function accessErrors(route: Route): ErrorCode[] {
  const { access, method } = route;
  const codes: ErrorCode[] = [];
  if (access === 'public') return codes;
  codes.push('unauthorized', 'unavailable');
  // An account must not learn of the operator's routes. The operator has no account, and an API key has no session.
  // A person of the operator is a session: suspended, without a code, or asking from a foreign page.
  if (access === 'operator') codes.push('not_found', 'account_suspended', 'operator_code_required');
  else codes.push('forbidden', 'account_suspended');
  if (access === 'operator' && method !== 'GET') codes.push('forbidden');
  const scope = keyScopeOf(route);
  if (scope) codes.push(`${scope}_scope_missing`);
  return codes;
}

function inputErrors({ method, idempotencyKey }: Route): ErrorCode[] {
  const codes: ErrorCode[] = [];
  // A body is read even where the route needs none, and must then be valid JSON.
  if (method === 'POST' || method === 'PUT' || method === 'PATCH')
    codes.push('unsupported_media_type', 'payload_too_large');
  if (idempotencyKey === 'replayed') codes.push('idempotency_in_progress', 'idempotency_key_reused');
  return codes;
}
