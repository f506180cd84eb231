import type { IncomingMessage, ServerResponse } from 'node:http';
import { context } from '@opentelemetry/api';
import type { Route } from '@tollgate/contracts/routes/route';
import type { Clock } from '@tollgate/kernel/clock';
import { tracerOf } from '@tollgate/telemetry/tracer';
import type { Logger } from '../../logging/create-logger.ts';
import type { TrustedProxies } from '../requests/client-address.ts';
import type { Principal } from '../requests/principal.ts';
import { contextOf, setContext, setPrincipal } from '../requests/request-context.ts';
import type { RouteLimits } from '../requests/route-limits.ts';
import { createAccessLog } from './access-log.ts';
import { logActs } from './log-acts.ts';
import { setSecurityHeaders } from './security-headers.ts';

/** A request that has just come. */
export interface NewRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Without the query. */
  readonly path: string;
  /** Monotonic ms. */
  readonly startedMs: number;
}

/** A request that a line has taken: `Line` of front.ts. */
export interface TakenRequest extends Omit<NewRequest, 'path'> {
  readonly route: Route;
  readonly principal: Principal;
}

export interface Answered {
  readonly route: Route | undefined;
  readonly status: number;
  readonly durationMs: number;
}

export interface DeskOptions {
  readonly log: Logger;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly trustedProxies: TrustedProxies;
  readonly limits: RouteLimits | undefined;
  readonly onAnswered: ((answered: Answered) => void) | undefined;
}

/** Keeps the books of requests: each has a context and the headers of all answers, and is counted and logged when it is over. */
export interface Desk {
  begin(request: NewRequest): void;
  /** Goes on with a line's request as if the front had let it in. */
  receive(taken: TakenRequest): void;
  /** Counts and logs a success that a line answered by itself. Called when the request is over. */
  noteAnswer(taken: TakenRequest): void;
}

export function createDesk({ log, clock, trustedProxies, limits, onAnswered }: DeskOptions): Desk {
  const logAccess = createAccessLog(log);
  const isTraced = tracerOf('http') !== undefined;

  function begin({ request, response, requestId, path, startedMs }: NewRequest): void {
    setContext(request, {
      requestId,
      path,
      log,
      trustedProxies,
      limits,
      route: undefined,
      params: {},
      principal: undefined,
    });
    response.setHeader('x-request-id', requestId);
    setSecurityHeaders(response);
    const onClose = (): void => finish(request, response, clock.monotonicMs() - startedMs);
    // Its log lines belong to the request's trace.
    response.once('close', isTraced ? context.bind(context.active(), onClose) : onClose);
  }

  function finish(request: IncomingMessage, response: ServerResponse, durationMs: number): void {
    const { route, acts } = contextOf(request) ?? {};
    onAnswered?.({ route, status: response.statusCode, durationMs });
    logAccess(request, response, durationMs);
    if (acts) logActs(log, acts, response.statusCode);
  }

  return {
    begin,
    receive(taken) {
      const { request, route, principal } = taken;
      begin({ ...taken, path: route.path });
      const known = contextOf(request);
      if (known !== undefined) known.route = route;
      setPrincipal(request, principal);
    },
    noteAnswer({ request, response, requestId, route, principal, startedMs }) {
      const durationMs = clock.monotonicMs() - startedMs;
      onAnswered?.({ route, status: response.statusCode, durationMs });
      if (!log.isLevelEnabled('debug')) return; // the level of successes
      setContext(request, { requestId, path: route.path, log, trustedProxies, limits, route, params: {}, principal });
      logAccess(request, response, durationMs);
    },
  };
}
