import type { BeginCall } from '@tollgate/sdk/calls';

import { createBeginRequest, type PaidRequest } from './begin-request.ts';
import { cutBody, wholeBody } from './ended-answer.ts';
import { meterBody } from './metered-body.ts';
import { isPreflight, requestedMethodHeader } from './preflight.ts';
import { toProblem } from './refusal-response.ts';
import { callerOf, type RequestOptions } from './request-options.ts';

/** As proxies log it. No client sees it. */
const clientClosedRequest = 499;

type Handler<Rest extends unknown[]> = (request: Request, ...rest: Rest) => Promise<Response> | Response;

/** Meters a handler of `fetch`'s shape, as Workers, Deno, Bun and Next.js have it. */
export function meterFetch<Rest extends unknown[]>(
  handler: Handler<Rest>,
  beginCall: BeginCall,
  options: RequestOptions<Request>,
): (request: Request, ...rest: Rest) => Promise<Response> {
  const begin = createBeginRequest(beginCall, options);
  return async function meter(request, ...rest) {
    if (asksBefore(request)) return withoutBody(await handler(request, ...rest));
    const begun = await begin(
      request,
      callerOf(request.headers.get('authorization'), request.headers.get('traceparent')),
    );
    if (begun === 'free') return handler(request, ...rest);
    if ('refusal' in begun) return toResponse(toProblem(begun.refusal));
    if (request.signal.aborted) return releaseUnheard(begun);
    try {
      return await endWithBody(request, await handler(request, ...rest), begun);
    } catch (error) {
      await begun.end({ status: 500, ...cutBody('builder', 0) });
      throw error;
    }
  };
}

/** Nobody waits for the answer any more, so the handler does not run. */
export async function releaseUnheard(call: PaidRequest): Promise<Response> {
  await call.release();
  return new Response(null, { status: clientClosedRequest });
}

export function toResponse(problem: ReturnType<typeof toProblem>): Response {
  return new Response(problem.body, { status: problem.status, headers: problem.headers });
}

/** The same response, whose call ends with its body. */
export async function endWithBody(request: Request, response: Response, call: PaidRequest): Promise<Response> {
  const { body, headers, status } = response;
  if (body === null || request.method === 'HEAD') {
    await call.end({ status, ...wholeBody(0) }); // nobody reads the body of an answer to HEAD
    return response;
  }
  const contentType = headers.get('content-type') ?? undefined;
  const read = call.begin({ status, contentType, contentEncoding: headers.get('content-encoding') ?? undefined });
  const metered = meterBody(body, (ended) => call.end({ status, ...ended }), read);
  return new Response(metered, response);
}

export function asksBefore({ method, headers }: Request): boolean {
  return isPreflight(method, headers.get(requestedMethodHeader));
}

export function withoutBody(response: Response): Response {
  void response.body?.cancel();
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(null, { status: response.status, statusText: response.statusText, headers });
}
