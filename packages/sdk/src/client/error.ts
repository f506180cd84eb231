import type { Schemas } from './operation-types.ts';

/** The codes of requests that got no answer; all other codes are the service's, as in its OpenAPI document. */
export type ClientErrorCode = 'connection_failed' | 'timed_out' | 'no_api_key' | 'wrong_account' | 'unexpected_answer';

type ServiceErrorCode = Schemas['Problem']['code'];

interface Failure {
  readonly status: number;
  readonly code: ServiceErrorCode | ClientErrorCode;
  readonly detail: string;
  readonly requestId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly errors?: Schemas['FieldError'][] | undefined;
  readonly resets_at?: string | null | undefined;
  readonly approval?: Schemas['ApprovalLink'] | undefined;
  readonly cause?: unknown;
}

/** The only error that a call of the API throws, apart from the reason of your own AbortSignal. */
export class TollgateError extends Error {
  override readonly name = 'TollgateError';
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number;
  /** Stable: program against this. */
  readonly code: ServiceErrorCode | ClientErrorCode;
  /** The cause in words. */
  readonly detail: string;
  /** Names the request in the logs of the service. */
  readonly requestId: string | undefined;
  /** Seconds after which the service may be asked again, if it said so. */
  readonly retryAfter: number | undefined;
  /** Every wrong field, for `invalid_request`. */
  readonly errors: readonly Schemas['FieldError'][];

  /** For a refusal of money: when the cap has room again; null where that takes an action, such as a top-up. */
  readonly resetsAt: string | null | undefined;
  /** For a refusal of money: how the owner of the pass can let the call through. */
  readonly approval: Schemas['ApprovalLink'] | undefined;

  constructor({
    status,
    code,
    detail,
    requestId,
    retryAfter,
    errors = [],
    resets_at: resetsAt,
    approval,
    cause,
  }: Failure) {
    const isSaid = ({ pointer, message }: Schemas['FieldError']): boolean =>
      detail.includes(errors.length === 1 ? message : `${pointer} ${message}`);
    const unsaid = errors.filter((error) => !isSaid(error)); // the service's detail has the first
    const fields = unsaid.map(({ pointer, message }) => ` ${pointer}: ${message}.`);
    super(`${code}: ${detail}${fields.join('')}${requestId === undefined ? '' : ` (request ${requestId})`}`, { cause });
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
    this.errors = errors;
    this.resetsAt = resetsAt;
    this.approval = approval;
  }
}
