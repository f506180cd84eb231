import type { IncomingMessage, ServerResponse } from 'node:http';

import type { BeginCall } from '@tollgate/sdk/calls';

import { createBeginRequest } from './begin-request.ts';
import { meterNodeRequest } from './node-response.ts';
import type { RequestOptions } from './request-options.ts';

interface FastifyRequestLike {
  readonly raw: IncomingMessage;
}

interface FastifyReplyLike {
  readonly raw: ServerResponse;
  hijack(): unknown;
}

/** A hook for Fastify 5: `fastify.addHook('onRequest', meterFastify(…))`, or `{ onRequest }` of a route. */
// Fastify infers a hook's request from its route: a type of our own would clash with it.
// oxlint-disable-next-line typescript/no-explicit-any
export function meterFastify(beginCall: BeginCall, options: RequestOptions<any>) {
  const begin = createBeginRequest(beginCall, options);
  return async function onRequest(request: FastifyRequestLike, reply: FastifyReplyLike): Promise<void> {
    const raw = { request: request.raw, response: reply.raw };
    if (!(await meterNodeRequest(begin, request, raw))) reply.hijack();
  };
}
