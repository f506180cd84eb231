/** Program against these. `no_signature_matches`: another secret signed it, or somebody changed the body or a header. */
export type WebhookErrorCode =
  | 'secret_invalid'
  | 'header_missing'
  | 'header_invalid'
  | 'too_old'
  | 'too_new'
  | 'no_signature_matches'
  | 'body_invalid';

/** Why a webhook is not believed. Answer it with 400. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, detail: string, options?: ErrorOptions) {
    super(`${code}: ${detail}`, options);
    this.code = code;
  }
}
