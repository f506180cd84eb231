import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Route } from '@tollgate/contracts/routes/route';
import { systemClock } from '@tollgate/kernel/clock';
import type { NotedAct } from './act.ts';
import type { Principal } from './principal.ts';
import type { RouteLimits } from './route-limits.ts';
import type { Logger } from '../../logging/create-logger.ts';
import { clientAddressFrom, type TrustedProxies } from './client-address.ts';

/** The facts that the front gathers about a request. They are a property of the request, and are freed with it. */
export interface RequestContext {
  readonly requestId: string;
  /** Without the query, which may hold values that no log and no error should repeat. */
  readonly path: string;
  readonly log: Logger;
  readonly trustedProxies: TrustedProxies;
  /** Undefined: nothing is limited. */
  readonly limits: RouteLimits | undefined;
  route: Route | undefined;
  params: Readonly<Record<string, string>>;
  principal: Principal | undefined;
  /** The cookie by which the caller is known. */
  cookie?: string;
  /** When the credential was judged, by the monotonic clock, and how to judge it again. */
  admission?: { readonly atMs: number; readonly judgeAgain: () => unknown };
  /** The acts of the request, for their lines in the log. Undefined for most requests. */
  acts?: NotedAct[];
  /** Why the request is refused or failed, for its line in the access log; never sent. */
  reason?: unknown;
}

/** For so long a credential needs no second look. */
const admittedForMs = 500;

const contextKey = Symbol('tollgate.request');

type Carrier = IncomingMessage & { [contextKey]?: RequestContext };

const givenRequestId = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's `X-Request-Id` if it is harmless, else a new id. */
export function createRequestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && givenRequestId.test(given) ? given : randomUUID();
}

export function setContext(request: IncomingMessage, context: RequestContext): void {
  (request as Carrier)[contextKey] = context; // the symbol is this file's own
}

/** Undefined for requests that did not pass the front: errors of the listener, health checks. */
export function contextOf(request: IncomingMessage): RequestContext | undefined {
  return (request as Carrier)[contextKey];
}

export function requestIdOf(request: IncomingMessage): string {
  return knownContext(request).requestId;
}

/** Without the query. */
export function pathOf(request: IncomingMessage): string {
  return knownContext(request).path;
}

/** The matched route of the contracts' table. */
export function routeOf(request: IncomingMessage): Route {
  const { route } = knownContext(request);
  if (!route) throw new Error('the request has no route: it did not come through the front');
  return route;
}

/** The path's parameters, decoded, not yet validated. */
export function paramsOf(request: IncomingMessage): Readonly<Record<string, string>> {
  return knownContext(request).params;
}

/** Notes who is calling, and counts the request. Throws `rate_limit_exceeded`. */
export function setPrincipal(request: IncomingMessage, principal: Principal): void {
  const context = knownContext(request);
  context.principal = principal;
  context.limits?.admitCaller(routeOf(request), principal);
}

/** Notes the cookie by which the caller asks to be known. */
export function noteCookie(request: IncomingMessage, secret: string): void {
  knownContext(request).cookie = secret;
}

/** Undefined for a caller who is known by an `Authorization` header. */
export function cookieOf(request: IncomingMessage): string | undefined {
  return knownContext(request).cookie;
}

/** Notes that the credential was good at that moment, by the monotonic clock of the machine. Default: now. */
export function noteAdmission(
  request: IncomingMessage,
  judgeAgain: () => unknown,
  atMs: number = systemClock.monotonicMs(),
): void {
  knownContext(request).admission = { atMs, judgeAgain };
}

/**
 * Judges the credential again if that was a while ago. A caller may take half a minute for a body, and a revoked credential
 * counts for a second at most. Undefined: there was no need. Throws, or rejects with, what the refusal is.
 */
export function readmit(request: IncomingMessage): Promise<unknown> | undefined {
  const admission = contextOf(request)?.admission;
  if (admission === undefined || isAdmittedStill(admission.atMs)) return undefined;
  return Promise.resolve(admission.judgeAgain());
}

/** Whether a credential that was good at that moment needs no second look. */
export function isAdmittedStill(atMs: number): boolean {
  return systemClock.monotonicMs() - atMs < admittedForMs;
}

/** The caller. Throws if the request was not authenticated, which is a bug of the handler and no 401. */
export function principalOf(request: IncomingMessage): Principal {
  const { principal } = knownContext(request);
  if (!principal) throw new Error('the request was not authenticated');
  return principal;
}

/** The account that is calling. Every query for rows of an account uses this id. */
export function accountIdOf(request: IncomingMessage): string {
  const principal = principalOf(request);
  if (principal.kind === 'operator') throw new Error('the operator has no account');
  return principal.accountId;
}

/** Where the request came from: the peer, or the address that TRUSTED_PROXIES forwarded. */
export function clientAddressOf(request: IncomingMessage): string {
  return clientAddressFrom(request, knownContext(request).trustedProxies);
}

/** The list to which the acts of the request are added. */
export function actsOf(request: IncomingMessage): NotedAct[] {
  return (knownContext(request).acts ??= []);
}

/** A logger that names the request in each line. */
export function logOf(request: IncomingMessage): Logger {
  const { log, requestId } = knownContext(request);
  return log.child({ request_id: requestId });
}

function knownContext(request: IncomingMessage): RequestContext {
  const context = contextOf(request);
  if (!context) throw new Error('the request did not come through the front');
  return context;
}
