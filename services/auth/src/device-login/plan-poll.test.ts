import { expect, it } from '@jest/globals';
import { planPoll, type DeviceLogin } from './plan-poll.ts';

const waiting: DeviceLogin = {
  expiresAt: 600_000,
  intervalSeconds: 5,
  polledAt: undefined,
  sessionId: undefined,
  isRefused: false,
  isRedeemed: false,
};
const sessionId = '01900000-0000-7000-8000-000000000000';
const wait = (isTooFast: boolean, intervalSeconds: number) => ({ kind: 'wait', isTooFast, intervalSeconds });

it.each<[string, Partial<DeviceLogin> | undefined, number, object]>([
  ['an unknown code', undefined, 0, { kind: 'expired' }],
  ['the first poll', {}, 0, wait(false, 5)],
  ['a poll in time', { polledAt: 10_000 }, 15_000, wait(false, 5)],
  ['a poll that arrives a little early', { polledAt: 10_000 }, 14_000, wait(false, 5)],
  ['a poll too early', { polledAt: 10_000 }, 13_999, wait(true, 10)],
  ['another one', { polledAt: 14_000, intervalSeconds: 10 }, 19_000, wait(true, 15)],
  ['an approved login, at once', { sessionId, polledAt: 10_000 }, 10_001, { kind: 'redeem', sessionId }],
  ['an approved login, too late', { sessionId }, 600_000, { kind: 'expired' }],
  ['a token that was fetched', { sessionId, isRedeemed: true }, 1, { kind: 'expired' }],
  ['a refused login', { isRefused: true }, 1, { kind: 'refused' }],
  ['a login at its last moment', {}, 599_999, wait(false, 5)],
  ['a login that nobody approved', {}, 600_000, { kind: 'expired' }],
])('%s', (_name, facts, nowMs, plan) => {
  expect(planPoll(facts && { ...waiting, ...facts }, nowMs)).toEqual(plan);
});
