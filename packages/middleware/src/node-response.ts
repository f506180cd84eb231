import type { IncomingMessage, ServerResponse } from 'node:http';

import type { BeginRequest } from './begin-request.ts';
import { toProblem } from './refusal-response.ts';
import { bearerOf } from './request-options.ts';

/**
 * Meters a request of a server on `node:http`. Gives false if no handler must run: the request was refused, and has its
 * answer, or its client hung up while it asked. The call ends when the answer has, or when the client hangs up before.
 */
export async function meterNodeRequest<Request>(
  begin: BeginRequest<Request>,
  request: Request,
  raw: { readonly request: IncomingMessage; readonly response: ServerResponse },
): Promise<boolean> {
  const { response } = raw;
  const begun = await begin(request, bearerOf(raw.request.headers.authorization));
  if (begun === 'free') return true;
  if ('refusal' in begun) {
    const { status, headers, body } = toProblem(begun.refusal);
    response.writeHead(status, headers).end(body);
    return false;
  }
  if (response.closed) {
    await begun.release();
    return false;
  }
  response.once('close', () => void begun.end({ status: response.statusCode, aborted: !response.writableFinished }));
  return true;
}
