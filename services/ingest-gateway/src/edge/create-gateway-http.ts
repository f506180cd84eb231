import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { Principal } from '@tollgate/runtime/http/requests/principal';
import { authorize } from '@tollgate/runtime/auth/require-access';
import { refuseUnusedKey } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { refuseUnknownParameters } from '@tollgate/runtime/http/requests/parse';
import { routeOf } from '@tollgate/runtime/http/requests/request-context';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { LimitRate } from './limit-rate.ts';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface GatewayHttpDeps {
  readonly credentials: Credentials;
  readonly limitRate: LimitRate;
  /** A wrong clock would date events, and bill them in another month. */
  readonly clockCheck: Pick<ClockCheck, 'requireRight'>;
  /** The two recording routes, by operation id. They leave before Express: docs/decisions/0070 has the figures. */
  readonly recording: Readonly<Record<string, Handler>>;
  /** Other routes on the way of each call, by operation id. They leave before Express, too. */
  readonly asking: Readonly<Record<string, Handler>>;
  /** The Express app, for every other route. */
  readonly app: Handler;
}

/** Checks the credential (401), then the rate limit (429), then calls the route. A known credential needs no `await`. */
export function createGatewayHttp(deps: GatewayHttpDeps): Handler {
  const { credentials, limitRate, clockCheck, recording, asking, app } = deps;

  return function handleRequest(request, response) {
    const principal = authorize(request, credentials);
    if (principal instanceof Promise) return principal.then((late) => admit(late, request, response));
    if (principal === undefined) throw new Error('no route of the gateway is public');
    return admit(principal, request, response);
  };

  function admit(principal: Principal, request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const { rateLimited, operationId } = routeOf(request);
    const record = recording[operationId];
    if (record) clockCheck.requireRight();
    const answer = record ?? answerOther;
    const limited = rateLimited === true ? limitRate(principal, response) : undefined;
    return limited instanceof Promise ? limited.then(() => answer(request, response)) : answer(request, response);
  }

  function answerOther(request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const { query, operationId } = routeOf(request);
    refuseUnknownParameters(query, request.url ?? '');
    refuseUnusedKey(request);
    return (asking[operationId] ?? app)(request, response);
  }
}
