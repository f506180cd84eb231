import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { operatorToken as token, startOfTests, useBilling } from '../support/start-billing.ts';

const path = '/v1/sandbox/failures';
const billing = useBilling();
beforeEach(() => clear());

const script = (body: object) => billing.send('POST', path, { token, body });
const list = () => billing.send('GET', path, { token });
const clear = () => billing.send('DELETE', path, { token });

describe(`POST ${path}: 201`, () => {
  it('scripts one failure for any order, or several for one invoice or payout', async () => {
    const [invoice, payout] = [randomUUID(), randomUUID()];
    const declined = await script({ on: 'charge', failure: 'decline' });
    expect(declined).toMatchObject({
      status: 201,
      body: { on: 'charge', failure: 'decline', times: 1, invoice_id: null, payout_id: null, created_at: startOfTests },
    });
    const refund = await script({ on: 'refund', failure: 'delay', times: 3, invoice_id: invoice, payout_id: null });
    expect(refund).toMatchObject({ status: 201, body: { times: 3, invoice_id: invoice, payout_id: null } });
    const transfer = await script({ on: 'transfer', failure: 'reverse_later', payout_id: payout });
    expect(transfer).toMatchObject({ status: 201, body: { invoice_id: null, payout_id: payout } });
    expect((await list()).body).toEqual({ failures: [declined.body, refund.body, transfer.body], total: 3 });
  });
});

describe(`POST ${path}: 400`, () => {
  it.each([
    ['/on', { failure: 'decline' }],
    ['/failure', { on: 'charge', failure: 'earthquake' }],
    ['/failure', { on: 'charge', failure: 'insufficient_funds' }],
    ['/failure', { on: 'refund', failure: 'reverse_later' }],
    ['/times', { on: 'charge', failure: 'decline', times: 0 }],
    ['/times', { on: 'charge', failure: 'decline', times: 1_001 }],
    ['/invoice_id', { on: 'charge', failure: 'decline', invoice_id: 'mine' }],
    ['/invoice_id', { on: 'transfer', failure: 'decline', invoice_id: randomUUID() }],
    ['/payout_id', { on: 'charge', failure: 'decline', payout_id: randomUUID() }],
  ])('points at %s of %j', async (pointer, body) => {
    expect(await script(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
    expect((await list()).body).toEqual({ failures: [], total: 0 });
  });
});

describe(`DELETE ${path}: 204`, () => {
  it('removes every scripted failure, also when there is none', async () => {
    await script({ on: 'charge', failure: 'decline', times: 5 });
    expect((await clear()).status).toBe(204);
    expect((await list()).body).toEqual({ failures: [], total: 0 });
    expect((await clear()).status).toBe(204);
  });
});
