import type { IncomingMessage, ServerResponse } from 'node:http';
import { problemMediaType } from '@tollgate/contracts/forms/problem';
import { AppError } from '@tollgate/kernel/app-error';
import { toErrorResponse, type ErrorResponse } from './error-response.ts';
import { contextOf, createRequestId } from '../requests/request-context.ts';
import { pathOfTarget } from '../requests/request-path.ts';

/** Answers with an RFC 9457 problem, and logs the parts that the caller may not see. Every error leaves this way. */
export function sendProblem(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const answer = toErrorResponse(error);
  logError(request, answer, error);
  if (response.headersSent) {
    response.destroy(); // half of an answer is sent: only a broken connection shows the caller that the rest is missing
    return;
  }
  const context = contextOf(request);
  const requestId = context?.requestId ?? createRequestId(request);
  const body = JSON.stringify(
    toProblem(answer, { instance: context?.path ?? pathOfTarget(request.url ?? '').text, requestId }),
  );
  response.writeHead(answer.status, {
    ...answer.headers,
    'x-request-id': requestId,
    'content-type': problemMediaType,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

const messagesMax = 8;

export interface ProblemPlace {
  readonly instance: string;
  readonly requestId: string;
}

/** The problem document. Extra members cannot replace the standard ones. */
export function toProblem(answer: ErrorResponse, { instance, requestId }: ProblemPlace): Record<string, unknown> {
  const { status, title, detail, code } = answer;
  return { ...answer.members, type: answer.type, title, status, detail, instance, code, request_id: requestId };
}

function logError(request: IncomingMessage, answer: ErrorResponse, error: unknown): void {
  const context = contextOf(request);
  if (!context) return;
  const facts = { request_id: context.requestId, path: context.path, status: answer.status, code: answer.code };
  if (answer.status === 500) context.log.error({ ...facts, err: error }, 'unexpected error');
  else if (answer.status > 500) context.reason = hasFacts(error) ? error.detail : reasonOf(error);
  else if (error instanceof AppError && error.detail !== undefined) context.reason = error.detail;
}

/**
 * The messages of the error and its causes, without stacks. While a dependency is away there are thousands of equal
 * refusals per second, and writing a stack costs ten times as much as the answer.
 */
function reasonOf(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error && messages.length < messagesMax; each = each.cause)
    messages.push(each.message || each.name, ...detailOf(each));
  return messages.join(': ');
}

/** Facts of one refusal, such as those of a payment processor, are worth a line of their own shape. */
function hasFacts(error: unknown): error is AppError {
  return error instanceof AppError && typeof error.detail === 'object' && error.detail !== null;
}

function detailOf(error: Error): string[] {
  return error instanceof AppError && typeof error.detail === 'string' ? [error.detail] : [];
}
