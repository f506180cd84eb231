import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { approvalMinutes } from '@tollgate/contracts/spending/approvals';
import { dayMs, minuteMs } from '@tollgate/kernel/durations';
import { createFormBrowser, type FormBrowser } from '@tollgate/testkit/form-browser';
import { Secret, TOTP } from 'otpauth';
import { authSuite, refusal, type SignedUp } from '../support/auth-under-test.ts';

const site = 'https://tollgate.example';
const auth = authSuite({ settings: { PUBLIC_URL: site } });
const lifeMs = approvalMinutes * minuteMs;

interface Person extends SignedUp {
  readonly id: string;
}

interface ShownApproval {
  readonly id: string;
  readonly state: string;
  readonly expires_at: string;
}

let ada: Person;
let eve: Person;
let passId: string;
let browser: FormBrowser;

beforeEach(async () => {
  [ada, eve] = [await newPerson(), await newPerson()];
  passId = await newPass(ada);
  browser = createFormBrowser({ site, baseUrl: auth.baseUrl });
});

async function newPerson(): Promise<Person> {
  const person = await auth.signUp();
  return { ...person, id: (await auth.me(person.token)).body.account_id };
}

/** A pass whose cap is all but spent, written as the gateway writes it. */
async function newPass({ id }: Person, capMicros: string | null = '5000000'): Promise<string> {
  const pass = randomUUID();
  const hasCap = capMicros !== null;
  await auth.owner.query(
    `insert into gate.pass (pass_id, account_id, name, key_hash, prefix, last_four, cap_micros, cap_window, cap_changed_at, created_at)
     values ($1::uuid, $2, 'Research <agent>', sha256(uuid_send($1::uuid)), 'tg_pass_ab12', 'x7Qd', $3, $4, $5, now())`,
    [pass, id, capMicros, hasCap ? 'month' : null, hasCap ? new Date(auth.clock.now()) : null],
  );
  if (hasCap)
    await auth.owner.query(
      `insert into gate.cap_state (scope, owner_id, account_id, window_start, window_end, cap_micros, spent_micros, held_micros,
         alerts, unheld_micros)
       values ('pass', $1, $2, $3, $4, $5, 4500000, 400000, '{}', 0)`,
      [pass, id, new Date(auth.clock.now() - dayMs), new Date(auth.clock.now() + dayMs), capMicros],
    );
  return pass;
}

/** An approval that waits, as the gateway offers it. */
async function offer({ beyond = 150_000n, of = passId, toolId = 'web-search' } = {}): Promise<string> {
  const id = randomUUID();
  const nowMs = auth.clock.now();
  await auth.owner.query(
    `insert into gate.approval (approval_id, account_id, pass_id, tool_id, call_count, call_micros, beyond_micros, created_at, expires_at)
     select $1, account_id, pass_id, $3, 1, 250000, $4, $5, $6 from gate.pass where pass_id = $2`,
    [id, of, toolId, beyond.toString(), new Date(nowMs), new Date(nowMs + lifeMs)],
  );
  return id;
}

const stateOf = async (id: string) =>
  (await auth.owner.query<{ state: string }>('select state from gate.approval where approval_id = $1', [id]))[0]?.state;
const answer = (id: string, verb: string, token = ada.token) =>
  auth.send<ShownApproval>('POST', `/v1/approvals/${id}/${verb}`, { token });
const list = (token = ada.token) =>
  auth.send<{ approvals: ShownApproval[]; total: number }>('GET', '/v1/approvals', { token });
const acts = () =>
  auth.owner.query<Record<string, unknown>>(
    `select action, actor, detail from audit.act where account_id = $1 and action like 'call.%' order by act_id`,
    [ada.id],
  );
const sessions = async () =>
  (await auth.send<{ total: number }>('GET', '/v1/auth/sessions', { token: ada.token })).body.total;

async function signIn(id: string, { email, password } = ada) {
  return browser.press(await browser.open(`/approvals/${id}`), 'sign_in', { email, password });
}

describe('the owner of a pass', () => {
  it('lists what waits for an answer, with the cap as it stands now, newest first', async () => {
    const first = await offer();
    auth.clock.advance(1_000);
    const second = await offer({ toolId: 'forecast', beyond: 0n });
    await offer({ of: await newPass(eve) });
    const { status, body } = await list();
    expect([status, body.total, body.approvals.map(({ id }) => id)]).toEqual([200, 2, [second, first]]);
    expect(body.approvals[1]).toEqual({
      id: first,
      state: 'open',
      pass_id: passId,
      pass_name: 'Research <agent>',
      tool_id: 'web-search',
      count: 1,
      at_most_usd: 0.25,
      beyond_cap_usd: 0.15,
      cap: { amount_usd: 5, window: 'month', spent_usd: 4.5, held_usd: 0.4, remaining_usd: 0.1 },
      url: `${site}/approvals/${first}`,
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    await answer(first, 'refuse');
    auth.clock.advance(lifeMs);
    expect((await list()).body).toMatchObject({ approvals: [], total: 0 });
  });

  it('approves once, for ten minutes from then, and the trail has it', async () => {
    const id = await offer();
    auth.clock.advance(9 * minuteMs);
    const approved = await answer(id, 'approve');
    expect(approved).toMatchObject({ status: 200, body: { id, state: 'approved' } });
    expect(Date.parse(approved.body.expires_at)).toBeGreaterThanOrEqual(auth.clock.now() + lifeMs - minuteMs);
    expect(await answer(id, 'approve')).toMatchObject({ status: 200, body: approved.body }); // changes nothing
    expect(await answer(id, 'refuse')).toMatchObject(refusal(409, 'approval_not_open'));
    expect(await acts()).toEqual([
      {
        action: 'call.approved',
        actor: 'session',
        detail: { pass: passId, tool: 'web-search', call_micros: '250000', beyond_micros: '150000' },
      },
    ]);
  });

  it('answers nothing that has expired, or whose pass has ended', async () => {
    const [late, gone] = [await offer(), await offer({ toolId: 'forecast' })];
    await auth.owner.query('update gate.pass set revoked_at = now() where pass_id = $1', [passId]);
    expect(await answer(gone, 'approve')).toMatchObject(refusal(404, 'not_found'));
    await auth.owner.query('update gate.pass set revoked_at = null where pass_id = $1', [passId]);
    auth.clock.advance(lifeMs);
    expect(await answer(late, 'approve')).toMatchObject(refusal(409, 'approval_not_open'));
    expect([await stateOf(late), await stateOf(gone)]).toEqual(['open', 'open']);
  });

  it('is one of two who answer at once', async () => {
    const id = await offer();
    const answers = await Promise.all(
      ['approve', 'refuse', 'approve', 'refuse'].map(async (verb) => [verb, (await answer(id, verb)).status] as const),
    );
    const won = (await stateOf(id)) === 'approved' ? 'approve' : 'refuse';
    for (const [verb, status] of answers) expect(status).toBe(verb === won ? 200 : 409);
    expect(await acts()).toHaveLength(1);
  });
});

describe('F347 an approval is its owner’s, and a person’s', () => {
  it('is not there for another account', async () => {
    const id = await offer();
    for (const verb of ['approve', 'refuse'])
      expect(await answer(id, verb, eve.token)).toMatchObject(refusal(404, 'not_found'));
    expect((await list(eve.token)).body.total).toBe(0);
    const page = await signIn(id, eve);
    expect([page.status, page.text]).toEqual([404, expect.stringContaining('<h1>Nothing to approve</h1>')]);
    expect((await browser.press(page, 'approve')).status).toBe(404);
    expect(await stateOf(id)).toBe('open');
  });

  it('is not answered by an API key, which may read it', async () => {
    const id = await offer();
    const { key } = await auth.createKey(ada.token);
    expect(await answer(id, 'approve', key)).toMatchObject(refusal(403, 'forbidden'));
    expect((await list(key)).body.total).toBe(1);
    expect(await stateOf(id)).toBe('open');
  });
});

describe('F348 the page of an approval', () => {
  it('says what is asked in our words, takes one click, and ends its sign-in', async () => {
    const id = await offer();
    const first = await browser.open(`/approvals/${id}`);
    expect(first.text).toContain('<h1>Sign in</h1>');
    expect(first.text).not.toMatch(/Research|web-search|Create an account/);
    const page = await signIn(id);
    expect(page.text).toContain('<h1>Pay up to 0.25 USD for one call of web-search?</h1>');
    for (const shown of [
      '<dt>Pass</dt><dd>Research &#60;agent&#62;</dd>',
      '<dt>Cap</dt><dd>5 USD per month</dd>',
      '<dt>Left of it</dt><dd>0.1 USD</dd>',
      '<dt>Beyond the cap</dt><dd>0.15 USD</dd>',
      `<dt>Signed in as</dt><dd>${ada.email}</dd>`,
    ])
      expect(page.text).toContain(shown);
    const done = await browser.press(page, 'approve');
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('<h1>Approved</h1>')]);
    expect([await stateOf(id), await sessions(), browser.cookies]).toEqual(['approved', 1, []]);
    expect((await signIn(id)).text).toContain('<h1>Approved</h1>');
  });

  it('is answered before one signs in by a sign-in, and refuses as well', async () => {
    const id = await offer({ beyond: 0n, of: await newPass(ada, null) });
    const first = await browser.open(`/approvals/${id}`);
    expect((await browser.press(first, 'approve')).text).toContain('<h1>Sign in</h1>');
    expect(await stateOf(id)).toBe('open');
    const page = await signIn(id);
    expect(page.text).not.toMatch(/<dt>(Cap|Left of it|Beyond the cap)/);
    expect((await browser.press(page, 'refuse')).text).toContain('<h1>Refused</h1>');
    expect(await stateOf(id)).toBe('refused');
  });

  it('counts only with the token of its own page, in the browser that signed in', async () => {
    const [id, other] = [await offer(), await offer({ toolId: 'forecast' })];
    const foreign = /name="form" value="([^"]+)"/.exec((await signIn(other)).text)?.[1] ?? '';
    const page = await signIn(id);
    for (const form of ['', foreign, 'a'.repeat(43)])
      expect((await browser.press(page, 'approve', { form })).status).toBe(403);
    const thief = createFormBrowser({ site, baseUrl: auth.baseUrl });
    expect((await thief.open(page.url)).text).toContain('<h1>Sign in</h1>');
    expect((await thief.press(page, 'approve')).status).toBe(403);
    expect(await stateOf(id)).toBe('open');
    expect((await browser.press(page, 'approve')).status).toBe(200);
    expect([await stateOf(id), await stateOf(other)]).toEqual(['approved', 'open']);
  });

  it('has no script and no frame around it, and its cookie belongs to it alone', async () => {
    const page = await signIn(await offer());
    expect(page.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; .*form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(page.text).not.toMatch(/<(script|img|iframe|link)/);
    const path = new URL(page.url).pathname;
    for (const { text } of browser.cookies)
      expect(text).toMatch(new RegExp(`; Path=${path}; .*HttpOnly; SameSite=Lax; Secure$`));
  });

  it('asks for the second factor', async () => {
    const id = await offer();
    const started = await auth.post<{ secret: string }>('/v1/auth/totp', { password: ada.password }, ada.token);
    const totp = new TOTP({ secret: Secret.fromBase32(started.body.secret) });
    const codeNow = () => totp.generate({ timestamp: auth.realTime.now() });
    expect((await auth.post('/v1/auth/totp/confirm', { code: codeNow() }, ada.token)).status).toBe(200);
    const half = await signIn(id);
    expect(half.text).toContain('<h1>Second factor</h1>');
    expect((await browser.press(half, 'approve')).text).toContain('<h1>Second factor</h1>');
    expect(await stateOf(id)).toBe('open');
    auth.realTime.advance(minuteMs);
    const page = await browser.press(half, 'code', { code: codeNow() });
    await browser.press(page, 'approve');
    expect(await stateOf(id)).toBe('approved');
  });

  it('is left without an answer by a sign-in that has ended meanwhile', async () => {
    const id = await offer();
    const page = await signIn(id);
    await auth.owner.query(`update auth.session set ended_at = now(), ended_because = 'logout' where account_id = $1`, [
      ada.id,
    ]);
    const refused = await browser.press(page, 'approve');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('The sign-in has ended.')]);
    expect(await stateOf(id)).toBe('open');
  });

  it('has one answer for what is no id, and none for a form of another site', async () => {
    expect((await browser.open('/approvals/nothing')).status).toBe(404);
    const sent = await fetch(new URL(`/approvals/${await offer()}`, auth.baseUrl), {
      method: 'POST',
      body: new URLSearchParams({ answer: 'approve' }),
    });
    expect(sent.status).toBe(403);
  });
});
