import { beforeAll, describe, expect, it } from '@jest/globals';
import { operatorToken as token, startBilling, startOfTests, useBilling } from '../support/start-billing.ts';

const path = '/v1/sandbox/clock';
const billing = useBilling({ hasSandboxClock: true });
beforeAll(async () => {
  // Nobody counts in these tests. That the watermark is waited for, the end-to-end test of the operator shows.
  await billing.owner.query("insert into usage.log_topic values ('usage.events.v1', 1)");
  await billing.owner.query(
    "insert into usage.cursor (topic, partition, counted_through) values ('usage.events.v1', 0, '3000-01-01')",
  );
});

const read = () => billing.send('GET', path, { token });
const move = (body: object) => billing.send('POST', path, { token, body });

describe(`GET and POST ${path}: 200`, () => {
  it("is the machine's time at first, then goes where it is told, ahead by what it is told, and stands or ticks", async () => {
    expect((await read()).body).toEqual({ now: startOfTests, frozen: false });
    expect((await move({ now: '2026-12-01T01:00:00+01:00', frozen: true })).body).toEqual({
      now: '2026-12-01T00:00:00.000Z',
      frozen: true,
    });
    expect((await move({ advance_seconds: 90, frozen: true })).body).toEqual({
      now: '2026-12-01T00:01:30.000Z',
      frozen: true,
    });
    expect((await move({ advance_seconds: null, now: null, frozen: true })).body).toMatchObject({ frozen: true });
    expect((await move({})).body).toMatchObject({ frozen: false });
    expect((await read()).body).toMatchObject({ now: expect.stringMatching(/^2026-12-01T00:01:3/) });
  });
});

describe(`POST ${path}: 400`, () => {
  it.each([
    ['/now', { now: 'tomorrow' }],
    ['/by', { advance_seconds: 0, by: 3 }],
    ['/now', { now: '3000-01-01T00:00:00Z' }],
    ['/advance_seconds', { advance_seconds: -1 }],
    ['/advance_seconds', { advance_seconds: 0.5 }],
    ['/advance_seconds', { advance_seconds: 1, now: '2027-01-01T00:00:00Z' }],
    ['/frozen', { frozen: 'no' }],
  ])('points at %s of %j', async (pointer, body) => {
    expect(await move(body)).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });
});

describe(`GET and POST ${path}: 401`, () => {
  it('refuses who is nobody', async () => {
    expect(await billing.send('GET', path)).toMatchObject({ status: 401 });
    expect(await billing.send('POST', path, { body: {} })).toMatchObject({ status: 401 });
  });
});

describe(`GET and POST ${path}: 404`, () => {
  it('is not there for an account', async () => {
    const account = await billing.newAccount();
    expect(await billing.send('GET', path, account)).toMatchObject({ status: 404 });
    expect(await billing.send('POST', path, { ...account, body: {} })).toMatchObject({ status: 404 });
  });

  it('is not there where the clock cannot be moved', async () => {
    const other = await startBilling();
    expect(await other.send('GET', path, { token })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await other.send('POST', path, { token, body: {} })).toMatchObject({ status: 404 });
    await other.stop();
  });
});

describe(`POST ${path}: 409`, () => {
  it('never goes back', async () => {
    const refused = await move({ now: startOfTests });
    expect(refused).toMatchObject({ status: 409, body: { code: 'clock_moved_back' } });
    expect((await read()).body['now']).toMatch(/^2026-12/);
  });
});
