import type { BeginRequest } from './begin-request.ts';
import { dropBody } from './drop-body.ts';
import { isPreflight, requestedMethodHeader } from './preflight.ts';
import { toProblem } from './refusal-response.ts';
import { callerOf } from './request-options.ts';
import { watchAnswer, type Exchange } from './watch-answer.ts';

/**
 * Meters a request of a server on `node:http`. Gives false if no handler must run: the request was refused, and has its
 * answer, or its client hung up while it asked. The call ends when the answer has, or when it is cut before.
 */
export async function meterNodeRequest<Request>(
  begin: BeginRequest<Request>,
  request: Request,
  raw: Exchange,
): Promise<boolean> {
  const { response } = raw;
  const { method, headers } = raw.request;
  if (isPreflight(method, headers[requestedMethodHeader])) {
    dropBody(response);
    return true;
  }
  const begun = await begin(request, callerOf(headers.authorization, textOf(headers['traceparent'])));
  if (begun === 'free') return true;
  if ('refusal' in begun) {
    const { status, headers: problemHeaders, body } = toProblem(begun.refusal);
    response.writeHead(status, problemHeaders).end(body);
    return false;
  }
  if (response.closed) {
    await begun.release();
    return false;
  }
  watchAnswer(raw, { begin: (head) => begun.begin(head), onEnded: (answer) => void begun.end(answer) });
  return true;
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
