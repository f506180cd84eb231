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
import { createAccessLog, type LoggedAnswer } from './access-log.ts';
import { logActs } from './log-acts.ts';
import type { Messages } from './plain-connections.ts';
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
export interface TakenRequest {
  readonly requestId: string;
  /** Monotonic ms. */
  readonly startedMs: number;
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
  receive(taken: TakenRequest, messages: Messages): void;
  /** Counts and logs a success that a line answered by itself. */
  noteAnswer(taken: TakenRequest, answer: Omit<LoggedAnswer, 'durationMs'>): void;
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
    const known = contextOf(request);
    const { statusCode: status, writableFinished: isSent } = response;
    onAnswered?.({ route: known?.route, status, durationMs });
    if (known === undefined) return;
    logAccess(known, { method: request.method, status, durationMs, isSent });
    if (known.acts) logActs(log, known.acts, status);
  }

  return {
    begin,
    receive({ requestId, startedMs, route, principal }, { request, response }) {
      begin({ request, response, requestId, path: route.path, startedMs });
      const known = contextOf(request);
      if (known !== undefined) known.route = route;
      setPrincipal(request, principal);
    },
    noteAnswer({ requestId, route, principal, startedMs }, answer) {
      const durationMs = clock.monotonicMs() - startedMs;
      onAnswered?.({ route, status: answer.status, durationMs });
      if (!log.isLevelEnabled('debug')) return; // the level of successes
      logAccess({ requestId, path: route.path, route, principal }, { ...answer, durationMs });
    },
  };
}
