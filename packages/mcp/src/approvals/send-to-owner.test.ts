import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { PaidCall, Refusal } from '@tollgate/sdk/calls';
import type { Continuation } from '../json-rpc.ts';
import type { Incoming } from '../incoming.ts';
import { createSeal } from '../undelivered/seal.ts';
import { createApprovalStates } from './approval-states.ts';
import { createSendToOwner } from './send-to-owner.ts';

const refusal: Refusal = {
  code: 'spending_cap_reached',
  detail: 'No room.',
  approval: { id: 'one', url: 'https://tollgate.example/approvals/one', expires_at: '2026-11-21T12:44:56.789Z' },
};
const nowMs = () => Date.parse('2026-11-21T12:34:56.789Z');
const states = createApprovalStates(Promise.resolve(createSeal(randomBytes(32))));
const { unwrap, begin, answer } = createSendToOwner({ states, nowMs, pausesMs: [0, 0] });
const paid = {} as PaidCall;

function incoming(continuation?: Continuation, more: Partial<Incoming> = {}) {
  const ran: unknown[] = [];
  const run = async (change?: unknown) => {
    ran.push(change);
    return { response: undefined };
  };
  const call = { name: 'weather', arguments: { city: 'Oslo' }, meta: {} };
  const base = {
    call,
    continuation,
    callerKey: 'tg_pass_one',
    connectionKey: undefined,
    passId: undefined,
    elicits: 'by_result' as const,
  };
  const isCancelled = () => false;
  return { ran, came: { ...base, isCancelled, run, ...more } as Incoming }; // the rest is not asked for
}

/** The input that the client brings back from its user. */
async function sentBack(action = 'accept', brought?: Continuation): Promise<Continuation> {
  const sent = await answer(refusal, await unwrap(incoming(brought).came));
  return { requestState: sent?.result?.['requestState'], inputResponses: { tollgate_approval: { action } } };
}

/** Counts the asks, of which the last goes through. */
function asksUntil(asksMax: number) {
  let asks = 0;
  return { ask: async () => ((asks += 1) < asksMax ? { refusal } : paid), asks: () => asks };
}

it('sends a client of 2026-07-28 by a result, and one of 2025-11-25 by an error', async () => {
  const byResult = await answer(refusal, await unwrap(incoming().came));
  const params = { mode: 'url', message: 'No room.', url: refusal.approval?.url };
  expect(byResult?.result).toEqual({
    resultType: 'input_required',
    inputRequests: { tollgate_approval: { method: 'elicitation/create', params } },
    requestState: expect.stringMatching(/^tollgate-approval\.[\w-]+$/),
  });
  const byError = await answer(refusal, await unwrap(incoming(undefined, { elicits: 'by_error' }).came));
  expect(byError?.error).toEqual({
    code: -32_042,
    message: 'No room.',
    data: { elicitations: [{ ...params, elicitationId: 'one' }] },
  });
});

it('sends nobody who did not declare it, nor for a refusal without an approval', async () => {
  expect(await answer(refusal, await unwrap(incoming(undefined, { elicits: undefined }).came))).toBeUndefined();
  const { approval: _, ...final } = refusal;
  expect(await answer(final, await unwrap(incoming().came))).toBeUndefined();
});

it('F349 asks the gate again whatever the client says, and three times at most', async () => {
  const returned = await unwrap(incoming(await sentBack()).came);
  for (const [until, asks] of [
    [1, 1],
    [3, 3],
    [9, 3],
  ] as const) {
    const counted = asksUntil(until);
    expect(await begin(counted.ask, returned)).toEqual(until <= 3 ? paid : { refusal });
    expect(counted.asks()).toBe(asks);
  }
});

it.each([
  ['declined', async () => sentBack('decline')],
  ['brings a state of its own making', async () => ({ ...(await sentBack()), requestState: 'tollgate-approval.AAAA' })],
])('F349 asks once for a client that %s', async (_title, make) => {
  const counted = asksUntil(9);
  await begin(counted.ask, await unwrap(incoming(await make()).came));
  expect(counted.asks()).toBe(1);
});

it('stops asking where another approval is offered, or the client gives up', async () => {
  const other = { ...refusal, approval: { ...refusal.approval, id: 'two' } } as Refusal;
  let asks = 0;
  const ask = async () => ((asks += 1), { refusal: other });
  await begin(ask, await unwrap(incoming(await sentBack()).came));
  expect(asks).toBe(1);
  const counted = asksUntil(9);
  await begin(counted.ask, await unwrap(incoming(await sentBack(), { isCancelled: () => true }).came));
  expect(counted.asks()).toBe(1);
});

it('sends a client three times, and then gives it the refusal; one that declined, at once', async () => {
  let back = await sentBack();
  for (const expected of ['input_required', 'input_required', undefined]) {
    const sent = await answer(refusal, await unwrap(incoming(back).came));
    expect(sent?.result?.['resultType']).toBe(expected);
    back = { ...back, requestState: sent?.result?.['requestState'] };
  }
  expect(await answer(refusal, await unwrap(incoming(await sentBack('cancel')).came))).toBeUndefined();
});

it('gives the tool the input that the call had before, and nothing of ours', async () => {
  const brought = { requestState: 'of the server', inputResponses: { city: { action: 'accept' } } };
  for (const [before, continuation] of [
    [undefined, undefined],
    [brought, brought],
  ] as const) {
    const { came, ran } = incoming(await sentBack('accept', before));
    const unwrapped = await unwrap(came);
    expect(unwrapped.incoming.continuation).toEqual(continuation);
    await unwrapped.incoming.run();
    expect(ran).toEqual([{ continuation }]);
  }
  const { came, ran } = incoming({ requestState: 'tollgate-approval.AAAA' });
  await (await unwrap(came)).incoming.run();
  expect(ran).toEqual([{ continuation: undefined }]);
});

it('leaves a call that brings input for the server as it is', async () => {
  const { came } = incoming({ requestState: 'of the server' });
  expect(await unwrap(came)).toEqual({ incoming: came, returned: undefined });
});
