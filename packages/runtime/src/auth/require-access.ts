import type { IncomingMessage } from 'node:http';
import { opensToEmbed } from '@tollgate/contracts/routes/embed-pages';
import {
  keyScopeOf,
  needsOperatorCode,
  opensToKey,
  type Route,
  type RouteAccess,
} from '@tollgate/contracts/routes/route';
import { AppError } from '@tollgate/kernel/app-error';
import { unreachable } from '@tollgate/kernel/unreachable';
import { noteAdmission, routeOf, setPrincipal } from '../http/requests/request-context.ts';
import type { Credentials } from './credentials.ts';
import { operatorInPerson } from './operator-in-person.ts';
import type {
  ApiKeyPrincipal,
  EmbedPrincipal,
  OperatorPrincipal,
  Principal,
  SessionPrincipal,
} from '../http/requests/principal.ts';
import { embedOpensItsPage, missingScope, passOpensLittle } from './token-refusals.ts';

type Judges = Pick<
  Credentials,
  'authenticate' | 'sessionOfCookie' | 'judgeTry' | 'hasOperator' | 'requireOperatorCode'
>;

/**
 * Lets a request in, or throws, as the `access` of its route demands, and notes its principal (`principalOf`). Answers at
 * once when the credential is known. Undefined: the route is public, or it is the refresh, which judges its token itself.
 */
export function authorize(request: IncomingMessage, credentials: Judges): Principal | undefined | Promise<Principal> {
  const route = routeOf(request);
  const { access } = route;
  if (access === 'public' || access === 'refresh') return undefined;
  if (access === 'operator' && !mayBeOperator(request, credentials)) throw notFound();
  const judge = () => judgeCredential(request, credentials);
  const admit = (found: Principal): Principal | Promise<Principal> => {
    const principal = access === 'operator' && found.kind === 'session' ? inPerson(found, route) : found;
    if (principal.kind === 'pass') requirePassRoute(route);
    else if (principal.kind === 'embed') requireEmbedRoute(request, principal);
    else requireAccess(access, principal);
    if (principal.kind === 'api_key') requireScope(route, principal);
    setPrincipal(request, principal);
    noteAdmission(request, judge);
    const isToken = principal.kind === 'operator' && principal.person === undefined;
    const proof = isToken && needsOperatorCode(route) ? credentials.requireOperatorCode(request) : undefined;
    return proof ? proof.then(() => principal) : principal;
  };
  const found = credentials.judgeTry(request, judge);
  return found instanceof Promise ? found.then(admit) : admit(found);
}

/** Without any token of the operator, an account of it may still ask in person, by a cookie. */
function mayBeOperator({ headers }: IncomingMessage, { hasOperator }: Judges): boolean {
  if (headers.authorization === undefined && headers.cookie !== undefined) return true;
  return hasOperator && !isPass.test(headers.authorization ?? '');
}

function inPerson(session: SessionPrincipal, route: Route): OperatorPrincipal {
  const operator = operatorInPerson(session, route);
  if (operator === undefined) throw notFound();
  return operator;
}

/** A cookie is sent by the browser, a header by whoever wrote the request: the header wins. */
function judgeCredential(request: IncomingMessage, credentials: Judges): Principal | Promise<Principal> {
  const { authorization } = request.headers;
  const session = authorization === undefined ? credentials.sessionOfCookie(request) : undefined;
  return session ?? credentials.authenticate(authorization);
}

/** Most services know of a pass only that it is one, and that is no operator. */
const isPass = /^bearer +tg_pass_/i;

function requirePassRoute({ access, admitsPass }: Route): void {
  if (access === 'operator') throw notFound();
  if (access !== 'pass' && admitsPass !== true) throw passOpensLittle();
}

function requireEmbedRoute(request: IncomingMessage, { page }: EmbedPrincipal): void {
  const route = routeOf(request);
  const { url = '' } = request;
  if (route.access === 'operator') throw notFound();
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '');
  if (!opensToEmbed(route, page, query)) throw embedOpensItsPage();
}

function requireScope(route: Route, { can }: ApiKeyPrincipal): void {
  const scope = keyScopeOf(route);
  if (can && scope && !opensToKey(route, can)) throw missingScope(scope);
}

/** Which other principal may enter which kind of route. */
function requireAccess(access: RouteAccess, principal: Principal): void {
  switch (access) {
    case 'public':
    case 'refresh':
      return;
    case 'account':
      if (principal.kind === 'operator')
        throw forbidden('The operator has no account; use an access token or an API key.');
      return;
    case 'pass':
      throw forbidden('This needs the pass itself as the bearer token.');
    case 'session':
      if (principal.kind !== 'session') throw forbidden('This needs an access token; an API key cannot do it.');
      return;
    case 'operator':
      if (principal.kind !== 'operator') throw notFound(); // an account must not learn that these routes exist
      return;
    default:
      unreachable(access);
  }
}

function forbidden(message: string): AppError {
  return new AppError('forbidden', message);
}

function notFound(): AppError {
  return new AppError('not_found', 'There is nothing at this address.');
}
