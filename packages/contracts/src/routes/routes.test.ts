import { describe, expect, it } from '@jest/globals';
import { isErrorCode } from '@tollgate/kernel/error-codes';
import { errorsOf } from './route-errors.ts';
import { isServedWith, routes, routesOf, serviceFor } from './routes.ts';

const named = (operationId: string) => {
  const route = routes.find((candidate) => candidate.operationId === operationId);
  if (!route) throw new Error(`no route ${operationId}`);
  return route;
};

describe('the table of routes', () => {
  it('names each operation and each place once', () => {
    expect(new Set(routes.map(({ operationId }) => operationId)).size).toBe(routes.length);
    expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length);
  });

  it('sends every path to the service that mounts it', () => {
    for (const { method, path, service } of routes) expect([path, serviceFor(method, path)]).toEqual([path, service]);
  });

  it('describes every parameter of every path', () => {
    for (const { path, params } of routes) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.shape ?? {})).toEqual(names);
    }
  });

  it('has a body only where a method may have one', () => {
    const closes = 'closeAccount'; // it proves who asks, and a path or a header would stand in logs
    const withBody = routes.filter(({ body, operationId }) => body !== undefined && operationId !== closes);
    expect(new Set(withBody.map(({ method }) => method))).toEqual(new Set(['POST', 'PATCH', 'PUT']));
  });

  it('gives each service its part', () => {
    const parts = (['auth', 'ingest-gateway', 'billing', 'notifier'] as const).flatMap((service) => routesOf(service));
    expect(parts).toHaveLength(routes.length);
  });
});

describe('the routes that a pass opens', () => {
  it('are these: it records events, authorizes them, reads itself, and has children', () => {
    const open = routes.filter(({ access, admitsPass }) => admitsPass === true || access === 'pass');
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'DELETE /v1/authorizations/{authorization_id}',
      'GET /v1/authorizations',
      'GET /v1/authorizations/{authorization_id}',
      'GET /v1/passes/self',
      'GET /v1/passes/self/children',
      'POST /v1/authorizations',
      'POST /v1/authorizations/{authorization_id}/extend',
      'POST /v1/authorizations/{authorization_id}/increase',
      'POST /v1/events',
      'POST /v1/events/batch',
      'POST /v1/passes/self/children',
    ]);
  });
});

describe('with a payment processor', () => {
  const pathsWith = (processor: 'sandbox' | 'stripe') => routes.filter(isServedWith(processor)).map(({ path }) => path);

  it('there are its own routes and those of none, and no other processor’s', () => {
    expect(pathsWith('sandbox')).toEqual(expect.arrayContaining(['/v1/sandbox/onboarding', '/v1/webhooks/sandbox']));
    const withStripe = pathsWith('stripe');
    expect(withStripe.filter((path) => /sandbox/.test(path))).toEqual([]);
    expect(withStripe).toEqual(expect.arrayContaining(['/v1/events', '/v1/billing/connect']));
  });
});

describe('the service of a path', () => {
  it.each([
    ['/v1/events', 'ingest-gateway'],
    ['/v1/events/nothing/here', 'ingest-gateway'],
    ['/v1/events/0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b/trace', 'billing'],
    ['/v1/eventss', 'billing'],
    ['/v1/auth', 'auth'],
    ['/v1/auth/unknown', 'auth'],
    ['/v1/authority', 'billing'],
    ['/.well-known/anything', 'auth'],
    ['/v1/operator/dead-letters', 'ingest-gateway'],
    ['/v1/operator/dead-letters/usage.events.v1:0:1/replay', 'ingest-gateway'],
    ['/v1/webhook-endpoints', 'notifier'],
    ['/v1/webhook-events/any/attempts', 'notifier'],
    ['/v1/webhooks/stripe', 'billing'],
    ['/v1/operator/tokens', 'auth'],
    ['/v1/operator/tokens/default', 'auth'],
    ['/v1/operator/accounts', 'billing'],
    ['/v1/operator/accounts/01900000-0000-7000-8000-000000000000', 'billing'],
    ['/v1/operator/accounts/01900000-0000-7000-8000-000000000000/suspend', 'auth'],
    ['/v1/operator/accounts/01900000-0000-7000-8000-000000000000/payouts', 'billing'],
    ['/v1/sandbox/clock', 'billing'],
    ['/unknown', 'billing'],
    ['/', 'billing'],
  ])('%s: %s', (path, service) => {
    expect(serviceFor('GET', path)).toBe(service);
  });
});

describe('the errors of a route', () => {
  it('are its own and those that follow from how it is called, each once', () => {
    const own =
      'consumer_not_accepted event_expired idempotency_conflict pass_refused rate_limit_exceeded tool_not_allowed tool_not_found'.split(
        ' ',
      );
    const ofGate =
      'authorization_exceeded authorization_not_found authorization_not_open payment_required spending_cap_reached'.split(
        ' ',
      );
    const ofBody = 'invalid_request payload_too_large unsupported_media_type'.split(' ');
    const ofAll = 'account_suspended events_scope_missing forbidden server_error unauthorized unavailable'.split(' ');
    expect(errorsOf(named('recordEvent')).toSorted()).toEqual([...own, ...ofGate, ...ofBody, ...ofAll].toSorted());
    expect(errorsOf(named('createApiKey'))).toEqual(
      expect.arrayContaining(['forbidden', 'idempotency_in_progress', 'idempotency_key_reused', 'too_many_keys']),
    );
    expect(errorsOf(named('getDeadLetter'))).toContain('not_found');
    expect(errorsOf(named('getDeadLetter'))).not.toContain('forbidden');
    expect(errorsOf(named('getLiveness'))).toEqual(['invalid_request', 'rate_limit_exceeded', 'server_error']);
  });

  it('are all known', () => {
    for (const route of routes) {
      expect(errorsOf(route).every(isErrorCode)).toBe(true);
      expect(new Set(errorsOf(route)).size).toBe(errorsOf(route).length);
    }
    expect(isErrorCode('toString')).toBe(false);
  });
});
