import { TollgateError, type ClientErrorCode } from './error.ts';
import type { Schemas } from './operation-types.ts';
import { readRetryAfter } from './read-retry-after.ts';

interface Refused {
  readonly status: number;
  readonly headers: Headers;
  readonly url: string;
  readonly text: string;
}

/** The error of an answer that is no success. */
export function toError({ status, headers, url, text }: Refused): TollgateError {
  const common = { status, retryAfter: readRetryAfter(headers) };
  const problem = parseProblem(text);
  if (problem !== undefined) return new TollgateError({ ...common, ...problem, requestId: problem.request_id, status });
  return new TollgateError({
    ...common,
    code: 'unexpected_answer',
    detail: `HTTP ${status} from ${new URL(url).origin}: ${text.slice(0, 200)}`,
    requestId: headers.get('x-request-id') ?? undefined,
  });
}

/** The error of a request that got no answer. */
export function noAnswer(code: ClientErrorCode, detail: string, cause?: unknown): TollgateError {
  return new TollgateError({ status: 0, code, detail, cause });
}

/** Platforms hide the cause of a failed fetch one or two levels down. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return cause.message === '' ? String((cause as { code?: unknown }).code) : cause.message;
  return error.message;
}

/** Something between us and the service, such as a proxy, may answer with a page of its own. */
function parseProblem(text: string): Schemas['Problem'] | undefined {
  try {
    const value = JSON.parse(text) as Partial<Schemas['Problem']> | null;
    return typeof value?.code === 'string' ? (value as Schemas['Problem']) : undefined;
  } catch {
    return undefined;
  }
}
