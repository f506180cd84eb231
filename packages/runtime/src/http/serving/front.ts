import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRouteMatcher } from '@tollgate/contracts/routes/route-matcher';
import type { Route } from '@tollgate/contracts/routes/route';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { tracePlain, traceRequests, type Line } from './trace-requests.ts';
import type { Handle } from './create-http-server.ts';
import type { TakePlain } from './plain-connections.ts';
import type { RouteLimits } from '../requests/route-limits.ts';
import type { Logger } from '../../logging/create-logger.ts';
import { createDesk, type Answered, type Desk } from './desk.ts';
import { noTrustedProxies, type TrustedProxies } from '../requests/client-address.ts';
import type { AllowOrigins } from './cross-origin.ts';
import { clientAddressOf, contextOf, createRequestId } from '../requests/request-context.ts';
import { repeatedHeaderOf } from '../requests/repeated-header.ts';
import { pathOfTarget } from '../requests/request-path.ts';
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
  /** Default: all requests are Node's. */
  readonly line?: LineOfPath | undefined;
}

/** Plain requests to this path are read here, and the line sees each of them first whose trace nobody follows. */
export interface LineOfPath {
  readonly path: string;
  open(desk: Desk): Line;
}

/** Stands in front of every service: request id, security headers, 404 and 405, access log, and 500 as the last resort. */
export function createFront(options: FrontOptions): Handle {
  const { log, clock, handle, trustedProxies = noTrustedProxies, allowOrigins, limits, onAnswered } = options;
  const match = createRouteMatcher(options.routes);
  const desk = createDesk({ log, clock, trustedProxies, limits, onAnswered });
  return Object.assign(traceRequests(answerRequest), { takePlain: options.line && takeFor(options.line) });

  function takeFor({ path, open }: LineOfPath): TakePlain {
    const answerPlain = tracePlain(open(desk), answerRequest);
    return function takePlain(exchange) {
      if (exchange.request.url !== path) return false;
      answerPlain(exchange);
      return true;
    };
  }

  function answerRequest(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOfTarget(request.url ?? '');
    desk.begin({
      request,
      response,
      requestId: createRequestId(request),
      path: path.text,
      startedMs: clock.monotonicMs(),
    });
    try {
      if (allowOrigins?.(request, response)) return; // a preflight
      route(request, path.isMalformed);
      const handled = handle(request, response);
      if (handled instanceof Promise) handled.catch((error: unknown) => sendProblem(request, response, error));
    } catch (error) {
      if (error instanceof MethodNotAllowed) response.setHeader('allow', error.allow.join(', '));
      sendProblem(request, response, error);
    }
  }

  function route(request: IncomingMessage, isMalformed: boolean): void {
    const context = contextOf(request);
    if (isMalformed || !context) throw new AppError('invalid_request', 'The path is not properly percent-encoded.');
    const matched = match(request.method ?? '', context.path);
    if (matched.kind === 'not_found') throw new AppError('not_found', 'There is nothing at this address.');
    if (matched.kind === 'method_not_allowed') throw new MethodNotAllowed(matched.allow);
    const repeated = repeatedHeaderOf(request);
    if (repeated !== undefined) throw invalidRequest(`The header ${repeated} must be sent once.`);
    context.route = matched.route;
    context.params = matched.params;
    limits?.admitAddress(matched.route, () => clientAddressOf(request));
  }
}

class MethodNotAllowed extends AppError {
  readonly allow: readonly string[];

  constructor(allow: readonly string[]) {
    super('method_not_allowed', `Use ${allow.join(' or ')} here.`);
    this.allow = allow;
  }
}
