import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { Principal } from '@tollgate/runtime/auth/principal';
import { authorize } from '@tollgate/runtime/auth/require-access';
import { routeOf } from '@tollgate/runtime/http/request-context';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface GatewayHttpDeps {
  readonly credentials: Credentials;
  readonly limitRate: (principal: Principal, response: ServerResponse) => void | Promise<void>;
  /** The two that record, by operation id: they stand in front of Express, which would take half of their time. */
  readonly recording: Readonly<Record<string, Handler>>;
  /** Express, for every other route. */
  readonly reading: Handler;
}

/** 401, then 429, then the route's own checks. A credential that memory knows costs no turn of the event loop. */
export function createGatewayHttp(deps: GatewayHttpDeps): Handler {
  const { credentials, limitRate, recording, reading } = deps;

  return function handleRequest(request, response) {
    const principal = authorize(request, credentials);
    if (principal instanceof Promise) return principal.then((late) => admit(late, request, response));
    if (principal === undefined) throw new Error('no route of the gateway is public');
    return admit(principal, request, response);
  };

  function admit(principal: Principal, request: IncomingMessage, response: ServerResponse): void | Promise<void> {
    const { rateLimited, operationId } = routeOf(request);
    const answer = recording[operationId] ?? reading;
    const limited = rateLimited === true ? limitRate(principal, response) : undefined;
    return limited instanceof Promise ? limited.then(() => answer(request, response)) : answer(request, response);
  }
}
