import type { ErrorCode } from '@tollgate/kernel/error-codes';
import type { Route } from './route.ts';

/**
 * Every code that this route may answer with: its own, and those that follow from how it is called. Any request can be
 * malformed (two `Authorization` headers, say), and any code can have a bug.
 */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const codes: ErrorCode[] = [
    ...route.errors,
    ...accessErrors(route),
    ...inputErrors(route),
    'invalid_request',
    'server_error',
  ];
  return [...new Set(codes)];
}

function accessErrors({ access, rateLimited }: Route): ErrorCode[] {
  const codes: ErrorCode[] = [];
  if (access === 'public') return codes;
  codes.push('unauthorized', 'unavailable');
  // Accounts may not know what is the operator's; the operator has no account, and a key is no session.
  codes.push(access === 'operator' ? 'not_found' : 'forbidden');
  if (rateLimited) codes.push('rate_limit_exceeded');
  return codes;
}

function inputErrors({ method, idempotencyKey }: Route): ErrorCode[] {
  const codes: ErrorCode[] = [];
  // A body that nobody asked for is read all the same, and must be one that can be.
  if (method === 'POST' || method === 'PATCH') codes.push('unsupported_media_type', 'payload_too_large');
  if (idempotencyKey) codes.push('idempotency_in_progress', 'idempotency_key_reused');
  return codes;
}
