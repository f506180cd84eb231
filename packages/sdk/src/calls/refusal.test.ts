import { expect, it } from '@jest/globals';
import { TollgateError } from '../client/error.ts';
import { readRefusal } from './refusal.ts';

const asked = { tool: 'weather', credentialOf: 'builder' } as const;

function errorOf(status: number, code: string): TollgateError {
  return new TollgateError({ status, code: code as TollgateError['code'], detail: '' }); // any code of the service
}

it.each(['pass_refused', 'payment_required', 'approval_required', 'tool_not_allowed', 'account_suspended'])(
  'has a sentence of its own for %s',
  (code) => {
    const refusal = readRefusal(errorOf(403, code), asked);
    expect(refusal?.code).toBe(code);
    expect(refusal?.detail).not.toContain(code);
  },
);

it.each([
  ['a 503', errorOf(503, 'unavailable')],
  ['a rate limit', errorOf(429, 'rate_limit_exceeded')],
  ['an error of the network', new TypeError('fetch failed')],
  ['nothing', undefined],
])('does not take %s for a refusal', (_title, error) => {
  expect(readRefusal(error, asked)).toBeUndefined();
});

it.each([
  ['a tool that is unknown', errorOf(404, 'tool_not_found')],
  ['a key that is refused', errorOf(401, 'unauthenticated')],
  ['a key that may not record', errorOf(403, 'events_scope_missing')],
  ['a request that no call could send', errorOf(400, 'invalid_request')],
])("takes %s for the builder's mistake, after which nobody tries again", (_title, error) => {
  const refusal = readRefusal(error, asked);
  expect(refusal?.code).toBe('tool_misconfigured');
  expect(refusal?.detail).toMatch(/weather.*builder.*do not try again/);
});

it("takes a caller's own key that is refused for the caller's", () => {
  const error = errorOf(401, 'unauthenticated');
  expect(readRefusal(error, { tool: 'weather', credentialOf: 'caller' })?.code).toBe('pass_refused');
});

it('says how the owner of the pass can approve the call, and hands that to programs', () => {
  const approval = { id: 'one', url: 'https://tollgate.example/approvals/one', expires_at: '2026-11-21T12:44:56.789Z' };
  const error = new TollgateError({ status: 402, code: 'spending_cap_reached', detail: '', resets_at: null, approval });
  expect(readRefusal(error, asked)).toEqual({
    code: 'spending_cap_reached',
    detail:
      'A spending limit of this key has no room for a call of weather. Its owner can raise it. Its owner can approve this call until 2026-11-21T12:44:56.789Z at https://tollgate.example/approvals/one ; then call again.',
    approval,
  });
});
