/** The meaning of an error for the core. A ninth kind needs an ADR. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'unprocessable'
  | 'rate_limited'
  | 'unavailable';

interface ErrorDefinition {
  readonly kind: ErrorKind;
  readonly status: number;
  readonly title: string;
}

/**
 * Every code that a caller can meet. Only here does a code decide kind and status. Titles may change; codes and statuses may
 * not. Source: section 7 of the interface.
 */
const definitions = {
  invalid_request: { kind: 'invalid', status: 400, title: 'Invalid request' },
  authorization_pending: { kind: 'invalid', status: 400, title: 'Nobody has approved yet' },
  slow_down: { kind: 'invalid', status: 400, title: 'Asked too often' },
  expired_token: { kind: 'invalid', status: 400, title: 'The code is expired or used' },
  access_denied: { kind: 'invalid', status: 400, title: 'The sign-in was refused' },
  consumer_not_accepted: { kind: 'invalid', status: 400, title: 'An event cannot name its consumer' },
  unauthorized: { kind: 'unauthenticated', status: 401, title: 'Invalid or expired credential' },
  invalid_credentials: { kind: 'unauthenticated', status: 401, title: 'Wrong e-mail or password' },
  second_factor_required: { kind: 'unauthenticated', status: 401, title: 'A second factor is needed' },
  invalid_second_factor: { kind: 'unauthenticated', status: 401, title: 'Wrong or used code' },
  payment_required: { kind: 'forbidden', status: 402, title: 'Payment required before new calls' },
  spending_cap_reached: { kind: 'forbidden', status: 402, title: 'A spending cap is reached' },
  approval_required: { kind: 'forbidden', status: 402, title: 'The owner of the pass has to approve the call' },
  forbidden: { kind: 'forbidden', status: 403, title: 'Not allowed with this kind of credential' },
  events_scope_missing: { kind: 'forbidden', status: 403, title: 'The API key may not record' },
  read_scope_missing: { kind: 'forbidden', status: 403, title: 'The API key may not read' },
  manage_scope_missing: { kind: 'forbidden', status: 403, title: 'The API key may not change anything' },
  account_suspended: { kind: 'forbidden', status: 403, title: 'The account is suspended' },
  pass_refused: { kind: 'forbidden', status: 403, title: 'The pass is refused' },
  tool_not_allowed: { kind: 'forbidden', status: 403, title: 'The pass does not allow this tool' },
  operator_code_required: { kind: 'forbidden', status: 403, title: 'A code of the operator is needed' },
  not_found: { kind: 'not_found', status: 404, title: 'Not found' },
  tool_not_found: { kind: 'not_found', status: 404, title: 'Tool not found' },
  authorization_not_found: { kind: 'not_found', status: 404, title: 'Authorization not found' },
  event_not_found: { kind: 'not_found', status: 404, title: 'Event not found' },
  method_not_allowed: { kind: 'invalid', status: 405, title: 'Method not allowed' },
  request_timeout: { kind: 'invalid', status: 408, title: 'The request took too long to arrive' },
  email_taken: { kind: 'conflict', status: 409, title: 'E-mail already registered' },
  totp_enabled: { kind: 'conflict', status: 409, title: 'The second factor is already on' },
  operator_token_taken: { kind: 'conflict', status: 409, title: 'A live operator token has this name' },
  slug_taken: { kind: 'conflict', status: 409, title: 'Slug already taken' },
  name_taken: { kind: 'conflict', status: 409, title: 'The name is that of another account' },
  resource_taken: { kind: 'conflict', status: 409, title: 'The resource belongs to another account' },
  effective_from_taken: { kind: 'conflict', status: 409, title: 'Another price begins at this time' },
  tool_archived: { kind: 'conflict', status: 409, title: 'The tool is archived' },
  approval_not_open: { kind: 'conflict', status: 409, title: 'The approval is answered, or it has expired' },
  idempotency_conflict: { kind: 'conflict', status: 409, title: 'Idempotency key used with another event' },
  idempotency_in_progress: { kind: 'conflict', status: 409, title: 'A request with this key is in progress' },
  invoice_paid: { kind: 'conflict', status: 409, title: 'The invoice is paid' },
  charge_unresolved: { kind: 'conflict', status: 409, title: 'The outcome of a charge is not known yet' },
  payment_method_required: { kind: 'conflict', status: 409, title: 'There is no payment method' },
  invoice_not_paid: { kind: 'conflict', status: 409, title: 'The invoice is not paid' },
  payout_country_fixed: { kind: 'conflict', status: 409, title: 'The payout account has another country' },
  dispute_decided: { kind: 'conflict', status: 409, title: 'The dispute is decided' },
  charge_disputed: { kind: 'conflict', status: 409, title: 'A charge is disputed' },
  invoice_not_held: { kind: 'conflict', status: 409, title: 'The invoice waits for no confirmation' },
  clock_moved: { kind: 'conflict', status: 409, title: 'Somebody else moved the clock at the same time' },
  clock_moved_back: { kind: 'conflict', status: 409, title: 'The clock never goes back' },
  authorization_not_open: { kind: 'conflict', status: 409, title: 'The authorization is not open' },
  payload_too_large: { kind: 'invalid', status: 413, title: 'Body too large' },
  unsupported_media_type: { kind: 'invalid', status: 415, title: 'Unsupported media type' },
  event_expired: { kind: 'unprocessable', status: 422, title: 'Event older than 24 hours' },
  authorization_exceeded: { kind: 'unprocessable', status: 422, title: 'More than was authorized' },
  invoice_too_large: { kind: 'unprocessable', status: 422, title: 'More than can be charged for one invoice' },
  refund_too_large: { kind: 'unprocessable', status: 422, title: 'More than is left to refund' },
  balance_too_small: { kind: 'unprocessable', status: 422, title: 'More than the balance at the processor' },
  refund_line_unknown: { kind: 'unprocessable', status: 422, title: 'No such line to refund' },
  nothing_stray: { kind: 'conflict', status: 409, title: 'No stray money is left' },
  idempotency_key_reused: { kind: 'unprocessable', status: 422, title: 'Idempotency key used with another body' },
  too_many_tools: { kind: 'unprocessable', status: 422, title: 'Too many tools' },
  too_many_price_versions: { kind: 'unprocessable', status: 422, title: 'Too many price versions' },
  price_too_high: { kind: 'unprocessable', status: 422, title: 'Price above the bound' },
  resource_not_proved: { kind: 'unprocessable', status: 422, title: 'The resource does not name this account' },
  price_rise_too_soon: { kind: 'unprocessable', status: 422, title: 'Price rise without notice' },
  too_many_passes: { kind: 'unprocessable', status: 422, title: 'Too many passes' },
  pass_too_deep: { kind: 'unprocessable', status: 422, title: 'A pass of the last level has no children' },
  too_many_keys: { kind: 'unprocessable', status: 422, title: 'Too many API keys' },
  too_many_embeds: { kind: 'unprocessable', status: 422, title: 'Too many embeds' },
  too_many_webhook_endpoints: { kind: 'unprocessable', status: 422, title: 'Too many webhook endpoints' },
  webhook_url_refused: { kind: 'unprocessable', status: 422, title: 'An address that is never called' },
  webhook_endpoint_disabled: { kind: 'conflict', status: 409, title: 'The webhook endpoint is disabled' },
  too_many_operator_tokens: { kind: 'unprocessable', status: 422, title: 'Too many operator tokens' },
  rate_limit_exceeded: { kind: 'rate_limited', status: 429, title: 'Rate limit exceeded' },
  processor_refused: { kind: 'unavailable', status: 502, title: 'The payment processor refuses the platform' },
  server_error: { kind: 'unavailable', status: 500, title: 'Server error' },
  unavailable: { kind: 'unavailable', status: 503, title: 'Temporarily unavailable' },
  processor_unavailable: { kind: 'unavailable', status: 503, title: 'The payment processor does not answer' },
  pdf_busy: { kind: 'unavailable', status: 503, title: 'Too many PDFs are being made' },
} satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof definitions;

export const errorCodes: Readonly<Record<ErrorCode, ErrorDefinition>> = definitions;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(definitions, code);
}
