import type { IncomingMessage, ServerResponse } from 'node:http';

import type { BeginCall } from '@tollgate/sdk/calls';

import { createBeginRequest } from './begin-request.ts';
import { meterNodeRequest } from './node-response.ts';
import type { RequestOptions } from './request-options.ts';

type Next = (error?: unknown) => void;

/** Middleware for Express 5, and for every other framework with `(request, response, next)`. */
export function meterExpress<Request extends IncomingMessage = IncomingMessage>(
  beginCall: BeginCall,
  options: RequestOptions<Request>,
) {
  const begin = createBeginRequest(beginCall, options);
  return async function meter(request: Request, response: ServerResponse, next: Next): Promise<void> {
    if (await meterNodeRequest(begin, request, { request, response })) next();
  };
}
