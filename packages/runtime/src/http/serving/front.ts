import type { IncomingMessage, ServerResponse } from 'node:http';
import { context } from '@opentelemetry/api';
import { createRouteMatcher } from '@tollgate/contracts/routes/route-matcher';
import type { Route } from '@tollgate/contracts/routes/route';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { traceRequests } from './trace-requests.ts';
import type { RouteLimits } from '../requests/route-limits.ts';
import type { Logger } from '../../logging/create-logger.ts';
import { logActs } from './log-acts.ts';
import { createAccessLog } from './access-log.ts';
import { noTrustedProxies, type TrustedProxies } from '../requests/client-address.ts';
import type { AllowOrigins } from './cross-origin.ts';
import { clientAddressOf, contextOf, createRequestId, setContext } from '../requests/request-context.ts';
import { pathOfTarget } from '../requests/request-path.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { sendProblem } from '../answers/send-problem.ts';
import { invalidRequest } from '../requests/invalid-request.ts';

export interface FrontOptions {
  /** The routes of this service. */
  readonly routes: readonly Route[];
  readonly log: Logger;
  readonly clock: Clock;
  /** Gets only requests that match a route; see `routeOf` and `paramsOf`. Anything it throws becomes a problem. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;
  readonly trustedProxies?: TrustedProxies;
  /** Default: nothing is limited. */
  readonly limits?: RouteLimits;
  /** Default: pages of no other origin may read answers. */
  readonly allowOrigins?: AllowOrigins;
  /** Called once a request is over, for metrics. */
  readonly onAnswered?: (answered: Answered) => void;
}

export interface Answered {
  readonly route: Route | undefined;
  readonly status: number;
  readonly durationMs: number;
}

export type Front = (request: IncomingMessage, response: ServerResponse) => void;

/** Stands in front of every service: request id, security headers, 404 and 405, access log, and 500 as the last resort. */
export function createFront(options: FrontOptions): Front {
  const { log, clock, handle, trustedProxies = noTrustedProxies, allowOrigins, limits } = options;
  const match = createRouteMatcher(options.routes);
  const logAccess = createAccessLog(log);

  return traceRequests(function answerRequest(request, response) {
    const path = pathOfTarget(request.url ?? '');
    const requestId = createRequestId(request);
    setContext(request, {
      requestId,
      path: path.text,
      log,
      trustedProxies,
      limits,
      route: undefined,
      params: {},
      principal: undefined,
    });
    response.setHeader('x-request-id', requestId);
    setSecurityHeaders(response);
    const startedMs = clock.monotonicMs();
    const onClose = (): void => finish(request, response, clock.monotonicMs() - startedMs);
    response.once('close', context.bind(context.active(), onClose)); // its log lines belong to the request's trace
    try {
      if (allowOrigins?.(request, response)) return; // a preflight
      route(request, path.isMalformed);
      const handled = handle(request, response);
      if (handled instanceof Promise) handled.catch((error: unknown) => sendProblem(request, response, error));
    } catch (error) {
      if (error instanceof MethodNotAllowed) response.setHeader('allow', error.allow.join(', '));
      sendProblem(request, response, error);
    }
  });

  function route(request: IncomingMessage, isMalformed: boolean): void {
    const context = contextOf(request);
    if (isMalformed || !context) throw new AppError('invalid_request', 'The path is not properly percent-encoded.');
    const matched = match(request.method ?? '', context.path);
    if (matched.kind === 'not_found') throw new AppError('not_found', 'There is nothing at this address.');
    if (matched.kind === 'method_not_allowed') throw new MethodNotAllowed(matched.allow);
    refuseRepeatedHeaders(request);
    context.route = matched.route;
    context.params = matched.params;
    limits?.admitAddress(matched.route, () => clientAddressOf(request));
  }

  function finish(request: IncomingMessage, response: ServerResponse, durationMs: number): void {
    const { route: matchedRoute, acts } = contextOf(request) ?? {};
    options.onAnswered?.({ route: matchedRoute, status: response.statusCode, durationMs });
    logAccess(request, response, durationMs);
    if (acts) logActs(log, acts, response.statusCode);
  }
}

class MethodNotAllowed extends AppError {
  readonly allow: readonly string[];

  constructor(allow: readonly string[]) {
    super('method_not_allowed', `Use ${allow.join(' or ')} here.`);
    this.allow = allow;
  }
}

/**
 * Node keeps the first of these headers (of keys it makes a list), an edge perhaps the last. With two of them, the two
 * would see different callers, bodies or keys.
 */
const single = new Set(['authorization', 'host', 'content-type', 'idempotency-key']);
const lengths = new Set([...single].map((name) => name.length));

function refuseRepeatedHeaders(request: IncomingMessage): void {
  const { rawHeaders } = request;
  let seen: string[] | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? '';
    if (!lengths.has(raw.length)) continue; // saves the lower-casing of most names
    const name = raw.toLowerCase();
    if (!single.has(name)) continue;
    if (seen?.includes(name)) throw invalidRequest(`The header ${name} must be sent once.`);
    (seen ??= []).push(name);
  }
}
