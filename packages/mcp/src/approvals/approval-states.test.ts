import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createSeal } from '../undelivered/seal.ts';
import { createApprovalStates } from './approval-states.ts';

const newStates = () => createApprovalStates(Promise.resolve(createSeal(randomBytes(32))));
const states = newStates();
const call = (city: string, callerKey = 'tg_pass_one') => ({
  call: { name: 'weather', arguments: { city, days: 1 }, meta: {} },
  continuation: undefined,
  callerKey,
  connectionKey: undefined,
  passId: undefined,
});
const state = { approvalId: 'one', expiresAtMs: 1_000, rounds: 1, continuation: { requestState: 'of the server' } };

it('opens what it closed, and shows nothing of it', async () => {
  const text = await states.close(call('Oslo'), state);
  expect(states.isOurs(text)).toBe(true);
  expect(text).not.toMatch(/Oslo|tg_pass|of the server/);
  expect(await states.open(call('Oslo'), text, 999)).toEqual(state);
});

it('F349 opens for the same payer and the same call, and until it expires', async () => {
  const text = await states.close(call('Oslo'), state);
  expect(await states.open(call('Rome'), text, 999)).toBeUndefined();
  expect(await states.open(call('Oslo', 'tg_pass_two'), text, 999)).toBeUndefined();
  expect(await states.open(call('Oslo'), text, 1_000)).toBeUndefined();
  expect(await newStates().open(call('Oslo'), text, 999)).toBeUndefined();
});

it('F349 opens nothing of which a character was changed', async () => {
  const text = await states.close(call('Oslo'), state);
  for (let at = text.indexOf('.') + 1; at < text.length - 1; at += 7) {
    const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;
    expect(await states.open(call('Oslo'), changed, 999)).toBeUndefined();
  }
  expect(await states.open(call('Oslo'), 'tollgate-approval.', 999)).toBeUndefined();
});

it.each(['', 'of the server', undefined, {}])('leaves %o to the server', (other) => {
  expect(states.isOurs(other)).toBe(false);
});
