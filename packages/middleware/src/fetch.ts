import type { BeginCall } from '@tollgate/sdk/calls';

import { createBeginRequest, type PaidRequest } from './begin-request.ts';
import { toProblem } from './refusal-response.ts';
import { bearerOf, type RequestOptions } from './request-options.ts';

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
    const begun = await begin(request, bearerOf(request.headers.get('authorization')));
    if (begun === 'free') return handler(request, ...rest);
    if ('refusal' in begun) return toResponse(toProblem(begun.refusal));
    if (request.signal.aborted) return releaseUnheard(begun);
    try {
      return await endWithBody(await handler(request, ...rest), begun);
    } catch (error) {
      await begun.end({ status: 500, aborted: true });
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

/** The same response, whose call ends with the last byte of its body, or when the reader gives up. */
export async function endWithBody(response: Response, call: PaidRequest): Promise<Response> {
  const { body, status } = response;
  if (body === null) {
    await call.end({ status, aborted: false });
    return response;
  }
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const metered = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        await call.end({ status, aborted: false }); // before the end is told: an ended answer is never lost
        controller.close();
      } catch (error) {
        await call.end({ status, aborted: true });
        controller.error(error);
      }
    },
    async cancel(reason) {
      await call.end({ status, aborted: true });
      await reader.cancel(reason);
    },
  });
  return new Response(metered, response);
}
