interface ErrorDefinition {
  readonly status: number;
  readonly title: string;
}

/** Every code a caller can meet, with its status. Codes are stable: titles may change, codes and statuses may not. */
const definitions = {
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Invalid or expired credential' },
  invalid_credentials: { status: 401, title: 'Wrong e-mail or password' },
  forbidden: { status: 403, title: 'Not allowed with this kind of credential' },
  not_found: { status: 404, title: 'Not found' },
  tool_not_found: { status: 404, title: 'Tool not found' },
  event_not_found: { status: 404, title: 'Event not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  request_timeout: { status: 408, title: 'The request took too long to arrive' },
  email_taken: { status: 409, title: 'E-mail already registered' },
  slug_taken: { status: 409, title: 'Slug already taken' },
  effective_from_taken: { status: 409, title: 'Another price begins at this time' },
  tool_archived: { status: 409, title: 'The tool is archived' },
  idempotency_conflict: { status: 409, title: 'Idempotency key used with another event' },
  idempotency_in_progress: { status: 409, title: 'A request with this key is in progress' },
  invoice_paid: { status: 409, title: 'The invoice is paid' },
  charge_unresolved: { status: 409, title: 'The outcome of a charge is not known yet' },
  invoice_not_paid: { status: 409, title: 'The invoice is not paid' },
  clock_moved: { status: 409, title: 'Somebody else moved the clock at once' },
  clock_moved_back: { status: 409, title: 'The clock never goes back' },
  payload_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  event_expired: { status: 422, title: 'Event older than 24 hours' },
  refund_too_large: { status: 422, title: 'More than the invoice has left' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key used with another body' },
  too_many_keys: { status: 422, title: 'Too many API keys' },
  rate_limit_exceeded: { status: 429, title: 'Rate limit exceeded' },
  server_error: { status: 500, title: 'Server error' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof definitions;

export const errorStatuses: Readonly<Record<ErrorCode, ErrorDefinition>> = definitions;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(definitions, code);
}
