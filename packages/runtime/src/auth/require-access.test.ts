import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { Route, RouteAccess } from '@tollgate/contracts/routes/route';
import { AppError } from '@tollgate/kernel/app-error';
import { noTrustedProxies } from '../http/requests/client-address.ts';
import { contextOf, setContext } from '../http/requests/request-context.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Credentials } from './credentials.ts';
import type { Principal } from '../http/requests/principal.ts';
import { authorize } from './require-access.ts';

const session: Principal = { kind: 'session', accountId: 'a', sessionId: 's' };
const apiKey: Principal = { kind: 'api_key', accountId: 'a', keyId: 'k' };
const pass: Principal = { kind: 'pass', accountId: 'a', passId: 'p' };
const operator: Principal = { kind: 'operator', name: 'default' };

type More = Partial<Pick<Route, 'admitsPass' | 'admitsEventsKey' | 'keyScope' | 'givesOperatorCode'>> & {
  readonly method?: Route['method'];
};

function requestFor(access: RouteAccess, { method = 'GET', ...more }: More = {}): IncomingMessage {
  const shape = { operationId: 'x', path: '/x', service: 'billing', summary: '', tag: 'Tools' } as const;
  const shared = { ...shape, access, responses: {}, errors: [], ...more };
  const route: Route = method === 'POST' ? { ...shared, method, idempotencyKey: 'ignored' } : { ...shared, method };
  const request = { headers: { authorization: 'Bearer x' } } as IncomingMessage; // authorize reads nothing else
  const log = createLogger({ name: 'test', level: 'silent' });
  setContext(request, {
    requestId: 'r',
    path: '/x',
    log,
    trustedProxies: noTrustedProxies,
    limits: undefined,
    route,
    params: {},
    principal: undefined,
  });
  return request;
}

interface Case {
  readonly access: RouteAccess;
  readonly principal: Principal | undefined;
  readonly hasOperator?: boolean;
  readonly later?: boolean;
  readonly route?: More;
}

interface Outcome {
  readonly answer: string;
  /** The principal that the request has afterwards. */
  readonly known: Principal | undefined;
}

async function outcomeOf({ access, principal, hasOperator = true, later = false, route }: Case): Promise<Outcome> {
  const answer = (): Principal => {
    if (!principal) throw new AppError('unauthorized', 'No.');
    return principal;
  };
  const authenticate: Credentials['authenticate'] = later ? () => Promise.resolve().then(answer) : answer;
  const request = requestFor(access, route);
  try {
    const admitted = await authorize(request, {
      hasOperator,
      authenticate,
      sessionOfCookie: () => undefined,
      judgeTry: (_request, judge) => judge(),
      requireOperatorCode: () => undefined,
    });
    return { answer: admitted ? 'in' : 'in, unknown', known: contextOf(request)?.principal };
  } catch (error) {
    return { answer: error instanceof AppError ? error.code : 'wrong', known: contextOf(request)?.principal };
  }
}

describe('who may enter which kind of route', () => {
  it.each<[RouteAccess, string, string, string, string, string]>([
    // access     nobody          session        API key        pass          operator
    ['public', 'in, unknown', 'in, unknown', 'in, unknown', 'in, unknown', 'in, unknown'],
    ['refresh', 'in, unknown', 'in, unknown', 'in, unknown', 'in, unknown', 'in, unknown'],
    ['account', 'unauthorized', 'in', 'in', 'forbidden', 'forbidden'],
    ['session', 'unauthorized', 'in', 'forbidden', 'forbidden', 'forbidden'],
    ['pass', 'unauthorized', 'forbidden', 'forbidden', 'in', 'forbidden'],
    ['operator', 'unauthorized', 'not_found', 'not_found', 'not_found', 'in'],
  ])('%s', async (access, ...expected) => {
    const answers: string[] = [];
    for (const principal of [undefined, session, apiKey, pass, operator]) {
      const outcome = await outcomeOf({ access, principal });
      expect(await outcomeOf({ access, principal, later: true })).toEqual(outcome);
      expect(outcome.known).toEqual(outcome.answer === 'in' ? principal : undefined);
      answers.push(outcome.answer);
    }
    expect(answers).toEqual(expected);
  });

  it.each<[string, More, string, string, string]>([
    // route        of it                  events                   read                  manage
    ['a list', { method: 'GET' }, 'read_scope_missing', 'in', 'read_scope_missing'],
    ['a change', { method: 'PUT' }, 'manage_scope_missing', 'manage_scope_missing', 'in'],
    ['recording', { method: 'POST', keyScope: 'events' }, 'in', 'events_scope_missing', 'events_scope_missing'],
    ['what it made', { method: 'GET', admitsEventsKey: true }, 'in', 'in', 'read_scope_missing'],
    ['the account', { method: 'GET', keyScope: 'any' }, 'in', 'in', 'in'],
  ])('F153 an API key enters by its scope: %s', async (_title, route, ...expected) => {
    const answers: string[] = [];
    for (const can of [['events'], ['read'], ['manage']] as const) {
      const outcome = await outcomeOf({ access: 'account', principal: { ...apiKey, can }, route });
      answers.push(outcome.answer);
      expect(outcome.known === undefined).toBe(outcome.answer !== 'in');
    }
    expect(answers).toEqual(expected);
    const all = { ...apiKey, can: ['events', 'read', 'manage'] } as const;
    for (const principal of [apiKey, all, session])
      expect(await outcomeOf({ access: 'account', principal, route })).toMatchObject({ answer: 'in' });
  });

  it('operator routes are 404 for everybody when no operator token is set', async () => {
    for (const principal of [undefined, session, apiKey]) {
      expect(await outcomeOf({ access: 'operator', principal, hasOperator: false })).toMatchObject({
        answer: 'not_found',
      });
    }
  });
});
