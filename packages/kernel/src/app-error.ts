import { errorCodes, type ErrorCode, type ErrorKind } from './error-codes.ts';

/** One problem of the input. `pointer` is a JSON Pointer (RFC 6901) into the body, or `/name` of a query parameter. */
export interface FieldError {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

export interface AppErrorOptions {
  readonly cause?: unknown;
  /** For the log only; never sent. */
  readonly detail?: unknown;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** Extra members of the problem document, such as `counted_through`. */
  readonly members?: Readonly<Record<string, unknown>>;
}

/** An expected failure. `message` is for the caller; `detail` and `cause` are for the log. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  /** Decided by the code. */
  readonly kind: ErrorKind;
  readonly detail: unknown;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly members: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.kind = errorCodes[code].kind;
    this.detail = options.detail;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.members = options.members;
  }
}

/** Whether the error is an expected failure of this kind. */
export function isAppError(error: unknown, kind: ErrorKind): error is AppError {
  return error instanceof AppError && error.kind === kind;
}
