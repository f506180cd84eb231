import type { BeginCall } from '@tollgate/sdk/calls';

import { createBeginRequest } from './begin-request.ts';
import { asksBefore, endWithBody, releaseUnheard, toResponse, withoutBody } from './fetch.ts';
import { toProblem } from './refusal-response.ts';
import { callerOf, type RequestOptions } from './request-options.ts';

interface HonoContextLike {
  readonly req: { readonly raw: Request };
  res: Response;
}

/** Middleware for Hono 4: `app.use('/translate', meterHono(…))`. */
export function meterHono<Context extends HonoContextLike = HonoContextLike>(
  beginCall: BeginCall,
  options: RequestOptions<Context>,
) {
  const begin = createBeginRequest(beginCall, options);
  return async function meter(context: Context, next: () => Promise<void>): Promise<Response | undefined> {
    const { raw } = context.req;
    if (asksBefore(raw)) {
      await next();
      return replace(context, withoutBody(context.res));
    }
    const begun = await begin(context, callerOf(raw.headers.get('authorization'), raw.headers.get('traceparent')));
    if (begun !== 'free' && 'refusal' in begun) return toResponse(toProblem(begun.refusal));
    if (begun !== 'free' && raw.signal.aborted) return releaseUnheard(begun);
    await next(); // Hono turns errors of handlers into responses
    return begun === 'free' ? undefined : replace(context, await endWithBody(raw, context.res, begun));
  };
}

function replace(context: HonoContextLike, response: Response): undefined {
  context.res = undefined as unknown as Response; // Hono merges headers into a response that it replaces
  context.res = response;
}
