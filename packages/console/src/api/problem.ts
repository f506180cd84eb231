import type { Schemas } from '@tollgate/sdk/edge';

/** Why an answer did not come: the API's own sentence, or that there was none. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  /** 0: nobody answered. */
  readonly status: number;
  readonly code: Schemas['Problem']['code'] | 'offline' | 'unreadable';
  readonly fields: readonly Schemas['FieldError'][];

  constructor(status: number, code: ProblemError['code'], problem: Partial<Schemas['Problem']>) {
    super(problem.detail ?? problem.title ?? `The service answered ${status}.`);
    this.status = status;
    this.code = code;
    this.fields = problem.errors ?? [];
  }
}

export async function toProblem(response: Response): Promise<ProblemError> {
  const problem = (await response.json().catch(() => ({}))) as Partial<Schemas['Problem']>; // RFC 9457, or an edge's page
  return new ProblemError(response.status, problem.code ?? 'unreadable', problem);
}

export function offline(): ProblemError {
  return new ProblemError(0, 'offline', {
    detail: 'Tollgate cannot be reached. Check your connection, then try again.',
  });
}

/** Whether the session has ended, or never was. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 401;
}

export function isMissing(error: unknown): boolean {
  return error instanceof ProblemError && error.status === 404;
}

/** People read this of an error. */
export function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
