import { expect, it } from '@jest/globals';
import { oauthPageAnswerSchema } from '@tollgate/contracts/accounts/oauth';
import { planAllowance } from './plan-allowance.ts';

const facts = { toolIds: ['search', 'fetch'], nowMs: Date.UTC(2027, 0, 31, 12) };
const form = { answer: 'allow', cap_usd: '5', window: 'month', 'tool:search': 'on' };
const plan = (change: Record<string, string>) =>
  planAllowance(oauthPageAnswerSchema.parse({ ...form, ...change }), facts);

it('allows what the form says, in whole micro-dollars', () => {
  expect(
    plan({
      per_call_max_usd: '0.000001',
      approve_above_usd: ' 0,5',
      ends_on: '2027-01-31',
      cap_usd: ' 12,50 ',
      'tool:other': 'on',
    }),
  ).toEqual({
    allowance: {
      toolIds: ['search'],
      cap: { amountMicros: 12_500_000n, window: 'month' },
      perCallMaxMicros: 1n,
      approveAboveMicros: 500_000n,
      expiresAt: Date.UTC(2027, 1, 1),
    },
  });
});

it('has no limit of a call and no end where the fields are empty', () => {
  expect(plan({})).toMatchObject({
    allowance: { perCallMaxMicros: undefined, approveAboveMicros: undefined, expiresAt: undefined },
  });
});

it.each([
  ['Say how much', { cap_usd: '0' }],
  ['Say how much', { cap_usd: '-1' }],
  ['Say how much', { cap_usd: '1e3' }],
  ['Say how much', { cap_usd: '1.234' }],
  ['Say how much', { cap_usd: '99999999' }],
  ['Say per what', { window: 'year' }],
  ['limit of a call', { per_call_max_usd: '0' }],
  ['limit of a call', { per_call_max_usd: '0.0000001' }],
  ['above which you are asked', { approve_above_usd: '0' }],
  ['last day', { ends_on: '2027-01-30' }],
  ['last day', { ends_on: '2027-02-30' }],
  ['last day', { ends_on: '2027-13-01' }],
])('refuses with "%s" %o', (problem, change) => {
  expect(plan(change)).toEqual({ problem: expect.stringContaining(problem) });
});

it('needs a tool of the page', () => {
  const { 'tool:search': _, ...without } = form;
  expect(planAllowance(oauthPageAnswerSchema.parse({ ...without, 'tool:other': 'on' }), facts)).toEqual({
    problem: 'Choose at least one tool.',
  });
});
