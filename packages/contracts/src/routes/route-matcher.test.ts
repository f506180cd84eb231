import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createRouteMatcher } from './route-matcher.ts';
import { routes } from './routes.ts';

const matchRoute = createRouteMatcher(routes);
const answer = (method: string, path: string) => {
  const match = matchRoute(method, path);
  if (match.kind === 'matched') return [match.route.operationId, match.params];
  return match.kind === 'method_not_allowed' ? match.allow : match.kind;
};

describe('the route of a request', () => {
  it.each<[string, string, unknown]>([
    ['POST', '/v1/events', ['recordEvent', {}]],
    ['GET', '/v1/events', ['listEvents', {}]],
    ['HEAD', '/v1/events', ['listEvents', {}]],
    ['POST', '/v1/events/batch', ['recordEvents', {}]],
    ['GET', '/v1/events/refused', ['listRefusedEvents', {}]],
    ['GET', '/v1/events/abc', ['getEvent', { event_id: 'abc' }]],
    ['GET', '/v1/tools/web-search', ['getTool', { slug: 'web-search' }]],
    ['GET', '/v1/tools/web%2Dsearch', ['getTool', { slug: 'web-search' }]],
    ['GET', '/v1/tools/a%2Fb', ['getTool', { slug: 'a/b' }]],
    ['POST', '/v1/tools/x/prices', ['createPriceVersion', { slug: 'x' }]],
    ['GET', '/v1/billing/invoices/abc', ['getInvoice', { id: 'abc' }]],
    ['GET', '/v1/billing/invoices/abc.pdf', ['getInvoicePdf', { id: 'abc' }]],
    ['HEAD', '/v1/billing/invoices/abc%2Epdf', ['getInvoicePdf', { id: 'abc' }]],
    ['GET', '/v1/billing/invoices/a.pdf.pdf', ['getInvoicePdf', { id: 'a.pdf' }]],
    ['GET', '/v1/billing/invoices/.pdf', ['getInvoice', { id: '.pdf' }]], // an empty id names nothing
    ['GET', '/v1/billing/invoices/abc.PDF', ['getInvoice', { id: 'abc.PDF' }]],
    ['GET', '/v1/billing/invoices/upcoming', ['getUpcomingInvoice', {}]],
    ['GET', '/docs', ['getDocumentation', {}]],
    ['GET', '/.well-known/jwks.json', ['getSigningKeys', {}]],
  ])('%s %s is %j', (method, path, expected) => {
    expect(answer(method, path)).toEqual(expected);
  });

  it.each<[string, string, string[]]>([
    ['DELETE', '/v1/events', ['POST', 'GET', 'HEAD']],
    ['GET', '/v1/events/batch', ['POST']], // "batch" is no id of an event
    ['POST', '/v1/events/refused', ['GET', 'HEAD']],
    ['PUT', '/v1/tools/x', ['GET', 'HEAD', 'PATCH']],
    ['GET', '/v1/auth/login', ['POST']],
    ['get', '/v1/events', ['POST', 'GET', 'HEAD']], // methods are case-sensitive
    ['POST', '/v1/billing/invoices/abc.pdf', ['GET', 'HEAD']],
    ['OPTIONS', '/v1/usage', ['GET', 'HEAD']],
    ['TRACE', '/livez', ['GET', 'HEAD']],
  ])('%s %s may only be %j', (method, path, allow) => {
    expect(matchRoute(method, path)).toEqual({ kind: 'method_not_allowed', allow });
  });

  it.each([
    ...'/v1 /v1/events/ /v1//events //v1/events /V1/events /v1/tools//prices /v1/tools/x/prices/y'.split(' '),
    ...'/v1/tools/%ff /v1/tools/% /v1/events/../tools /v1/%65vents/batch/x/y /metrics /__proto__ /constructor'.split(
      ' ',
    ),
    '',
  ])('%j is at no address', (path) => {
    expect(answer('GET', path)).toBe('not_found');
  });

  it('never throws, and takes no parameter into a prototype', () => {
    const segment = fc.oneof(fc.webSegment(), fc.string(), fc.constantFrom('v1', 'tools', 'events', '__proto__', '%'));
    fc.assert(
      fc.property(fc.string(), fc.array(segment), (method, segments) => {
        expect(['matched', 'method_not_allowed', 'not_found']).toContain(
          matchRoute(method, `/${segments.join('/')}`).kind,
        );
      }),
    );
  });
});
