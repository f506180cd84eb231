import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { Route, RouteAccess } from '@tollgate/contracts/route';
import { AppError } from '@tollgate/kernel/app-error';
import { noTrustedProxies } from '../http/client-address.ts';
import { contextOf, setContext } from '../http/request-context.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Credentials } from './credentials.ts';
import type { Principal } from './principal.ts';
import { authorize } from './require-access.ts';

const session: Principal = { kind: 'session', accountId: 'a', sessionId: 's', tokenId: 't', expiresAt: 1 };
const apiKey: Principal = { kind: 'api_key', accountId: 'a', keyId: 'k' };
const pass: Principal = { kind: 'pass', accountId: 'a', passId: 'p' };
const operator: Principal = { kind: 'operator', name: 'default' };

function requestFor(access: RouteAccess): IncomingMessage {
  const shape = { operationId: 'x', method: 'GET', path: '/x', service: 'billing', summary: '', tag: 'Tools' } as const;
  const route: Route = { ...shape, access, responses: {}, errors: [] };
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
}

interface Outcome {
  readonly answer: string;
  /** The principal that the request has afterwards. */
  readonly known: Principal | undefined;
}

async function outcomeOf({ access, principal, hasOperator = true, later = false }: Case): Promise<Outcome> {
  const answer = (): Principal => {
    if (!principal) throw new AppError('unauthorized', 'No.');
    return principal;
  };
  const authenticate: Credentials['authenticate'] = later ? () => Promise.resolve().then(answer) : answer;
  const request = requestFor(access);
  try {
    const admitted = await authorize(request, {
      hasOperator,
      authenticate,
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

  it('operator routes are 404 for everybody when no operator token is set', async () => {
    for (const principal of [undefined, session, apiKey]) {
      expect(await outcomeOf({ access: 'operator', principal, hasOperator: false })).toMatchObject({
        answer: 'not_found',
      });
    }
  });
});
