import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiAct } from '@tollgate/contracts/operator/audit';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { openOperatorTokens, rotateSigningKey, setPassword } from '../../src/operator.ts';
import { authSuite, operatorToken, refusal, type SignedUp } from '../support/auth-under-test.ts';

interface Page {
  readonly acts: readonly ApiAct[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const auth = authSuite();
let ada: SignedUp & { readonly id: string };
let before: bigint;

beforeEach(async () => {
  const account = await auth.signUp();
  ada = { ...account, id: (await auth.me(account.token)).body.account_id };
  before = (await newestOf('')) ?? 0n;
});

const newestOf = async (where: string) => {
  const rows = await auth.owner.query<{ newest: bigint | null }>(
    `select max(act_id) as newest from audit.act ${where}`,
  );
  return rows[0]?.newest ?? undefined;
};
const added = () =>
  auth.owner.query<Record<string, unknown>>(`select * from audit.act where act_id > ${before} order by act_id`);
const trail = (query: string, token = operatorToken) =>
  auth.send<Page>('GET', `/v1/operator/audit?${query}`, { token });
const activity = (token: string, query = '') => auth.send<Page>('GET', `/v1/auth/activity?${query}`, { token });
const asOperator = (method: string, path: string, body?: object) =>
  auth.send(method, `/v1/operator/accounts/${ada.id}/${path}`, { token: operatorToken, ...(body && { body }) });
const withOwner = { log: createLogger({ name: 'test', level: 'silent' }) };
const command = () => [auth.config, { clock: auth.clock, ...withOwner }] as const;

interface Case {
  readonly action: string;
  readonly actor?: string;
  readonly result?: string;
  readonly detail?: object;
  /** The act is on the platform, and concerns no account. */
  readonly isOfPlatform?: boolean;
  readonly prepare?: () => Promise<unknown>;
  readonly act: (prepared: unknown) => Promise<unknown>;
}

const login = (password: string) => auth.login({ email: ada.email, password });
const passwords = () => ({
  current_password: ada.password,
  new_password: 'another horse battery',
  revoke_api_keys: true,
});

const cases: Readonly<Record<string, Case>> = {
  'a sign-in': { action: 'account.signed_in', act: () => login(ada.password) },
  'a refused sign-in': {
    action: 'account.signed_in',
    actor: 'nobody',
    result: 'refused',
    detail: { code: 'invalid_credentials' },
    act: () => login('not the password'),
  },
  'a sign-in of a suspended account': {
    action: 'account.signed_in',
    actor: 'nobody',
    result: 'refused',
    detail: { code: 'account_suspended' },
    prepare: () => asOperator('POST', 'suspend', { reason: 'x' }),
    act: () => login(ada.password),
  },
  'a sign-out': { action: 'session.ended', act: () => auth.logout(ada.token) },
  'a session ended from another one': {
    action: 'session.ended',
    prepare: async () => {
      await auth.login(ada);
      const { body } = await auth.send<{ sessions: { id: string; current: boolean }[] }>('GET', '/v1/auth/sessions', {
        token: ada.token,
      });
      return body.sessions.find(({ current }) => !current)?.id;
    },
    act: (id) => auth.send('DELETE', `/v1/auth/sessions/${String(id)}`, { token: ada.token }),
  },
  'a token that came back too late': {
    action: 'session.ended',
    actor: 'nobody',
    detail: { because: 'token_reused' },
    prepare: async () => {
      await auth.refresh(ada.token);
      auth.clock.advance(30_000);
    },
    act: () => auth.refresh(ada.token),
  },
  'a new API key': { action: 'api_key.created', act: () => auth.createKey(ada.token) },
  'a revoked API key': {
    action: 'api_key.revoked',
    prepare: () => auth.createKey(ada.token),
    act: (key) => auth.send('DELETE', `/v1/api-keys/${(key as { id: string }).id}`, { token: ada.token }),
  },
  'a changed password': {
    action: 'password.changed',
    detail: { sessions_ended: 1, api_keys_revoked: 1 },
    prepare: async () => {
      await auth.login(ada);
      await auth.createKey(ada.token);
    },
    act: () => auth.post('/v1/auth/password', passwords(), ada.token),
  },
  'a refused change of the password': {
    action: 'password.changed',
    result: 'refused',
    detail: { code: 'invalid_credentials' },
    act: () => auth.post('/v1/auth/password', { ...passwords(), current_password: 'wrong' }, ada.token),
  },
  'a password that the operator set': {
    action: 'password.changed',
    actor: 'command',
    detail: { sessions_ended: 1, api_keys_revoked: 0 },
    act: () => setPassword(...command(), { email: ada.email, password: 'yet another horse', revokesApiKeys: true }),
  },
  'a suspension': {
    action: 'account.suspended',
    actor: 'operator',
    act: () => asOperator('POST', 'suspend', { reason: 'x' }),
  },
  'a resumption': {
    action: 'account.resumed',
    actor: 'operator',
    prepare: () => asOperator('POST', 'suspend', { reason: 'x' }),
    act: () => asOperator('POST', 'resume'),
  },
  'sessions that the operator ended': {
    action: 'session.ended',
    actor: 'operator',
    detail: { ended: 1 },
    act: () => asOperator('DELETE', 'sessions'),
  },
  'API keys that the operator revoked': {
    action: 'api_key.revoked',
    actor: 'operator',
    detail: { ended: 1 },
    prepare: () => auth.createKey(ada.token),
    act: () => asOperator('DELETE', 'api-keys'),
  },
  'a rotated signing key': {
    action: 'signing_key.rotated',
    actor: 'command',
    isOfPlatform: true,
    act: () => rotateSigningKey(...command()),
  },
};

describe('F142 one row is left by', () => {
  it.each(Object.entries(cases))('%s', async (_title, each) => {
    const prepared = await each.prepare?.();
    before = (await newestOf('')) ?? 0n;
    await each.act(prepared);
    const { action, actor = 'session', result = 'done', detail = {}, isOfPlatform = false } = each;
    const where = { address: actor === 'command' ? null : '127.0.0.1' };
    const account_id = isOfPlatform ? null : ada.id;
    expect(await added()).toMatchObject([{ action, actor, result, detail, account_id, ...where }]);
  });

  it('a registration, in the name of its first session', async () => {
    const { token } = await auth.signUp('eve@example.com');
    const { body } = await auth.me(token);
    const by = { actor: 'session', actor_account_id: body.account_id, credential_id: expect.any(String) };
    const via = { request_id: expect.any(String) };
    expect(await added()).toMatchObject([{ action: 'account.registered', account_id: body.account_id, ...by, ...via }]);
  });

  it('a sign-in with an unknown e-mail, without the e-mail: people type passwords into that field', async () => {
    await auth.login({ email: 'secret-typed-here@example.com', password: 'x' });
    expect(await added()).toMatchObject([{ action: 'account.signed_in', result: 'refused', account_id: null }]);
    const [row] = await auth.owner.query<{ text: string }>(
      'select string_agg(a::text, chr(10)) as text from audit.act a',
    );
    expect(row?.text).not.toContain('secret-typed-here');
  });

  it('nothing that is refused or changes nothing: an unknown account, a resumption of an account in force', async () => {
    const unknown = '/v1/operator/accounts/01900000-0000-7000-8000-000000000000';
    for (const verb of ['sessions', 'api-keys'])
      await auth.send('DELETE', `${unknown}/${verb}`, { token: operatorToken });
    await auth.post(`${unknown}/suspend`, { reason: 'x' }, operatorToken);
    await asOperator('POST', 'resume');
    await auth.send('DELETE', `/v1/api-keys/${ada.id}`, { token: ada.token });
    expect(await added()).toEqual([]);
  });

  it('no secret: neither passwords nor keys nor tokens stand in any row', async () => {
    const { key } = await auth.createKey(ada.token);
    await login('a password with a typo');
    const rows = await auth.owner.query<{ text: string }>('select a::text as text from audit.act a');
    const text = rows.map((row) => row.text).join('\n');
    expect(rows.length).toBeGreaterThan(10);
    for (const secret of [ada.password, 'a password with a typo', key, key.slice(8), ada.token, ada.email])
      expect(text).not.toContain(secret);
  });
});

describe('F142 an act', () => {
  it('whose row cannot be written does not happen', async () => {
    const { id, key } = await auth.createKey(ada.token);
    await auth.owner.query('alter table audit.act add constraint none_now check (false) not valid');
    try {
      for (const call of [
        () => auth.send('DELETE', `/v1/api-keys/${id}`, { token: ada.token }),
        () => auth.logout(ada.token),
        () => asOperator('POST', 'suspend', { reason: 'x' }),
        () => asOperator('DELETE', 'sessions'),
      ])
        expect(await call()).toMatchObject({ status: 500 });
      expect(
        await auth.send('POST', '/v1/auth/login', { body: { email: ada.email, password: ada.password } }),
      ).toMatchObject({ status: 500 });
    } finally {
      await auth.owner.query('alter table audit.act drop constraint none_now');
    }
    for (const token of [ada.token, key]) expect(await auth.me(token)).toMatchObject({ status: 200 });
    const { body } = await auth.send<{ total: number }>('GET', '/v1/auth/sessions', { token: ada.token });
    expect(body.total).toBe(1);
  });

  it('has a line in the stream `audit` of the log', async () => {
    const { id } = await auth.createKey(ada.token);
    const line = auth
      .logged()
      .split('\n')
      .find((each) => each.includes(id));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      stream: 'audit',
      action: 'api_key.created',
      actor: 'session',
      account_id: ada.id,
      address: '127.0.0.1',
      msg: 'audit',
    });
  });
});

describe('F143 the audit trail', () => {
  it.each(['auth_api', 'auth_worker', 'billing_api', 'billing_worker'])('refuses %s any change', async (role) => {
    const database = auth.connectAs(role);
    for (const change of ["update audit.act set actor = 'nobody'", 'delete from audit.act', 'truncate audit.act'])
      await expect(database.query(change)).rejects.toThrow(/permission denied|append-only/);
    const forged =
      "insert into audit.act (action, result, actor, object_kind, occurred_at) values ('a.b', 'done', 'nobody', 'x', 'epoch')";
    await expect(database.query(forged)).rejects.toThrow(/permission denied/);
  });

  it('refuses even its owner any change', async () => {
    for (const change of ["update audit.act set actor = 'nobody'", 'delete from audit.act', 'truncate audit.act'])
      await expect(auth.owner.query(change)).rejects.toThrow(/append-only/);
  });

  it('lets an _api role write only of its own account', async () => {
    const other = await auth.signUp();
    const { account_id: otherId } = (await auth.me(other.token)).body;
    const insert =
      "insert into audit.act (action, result, actor, object_kind, account_id) values ('a.b', 'done', 'nobody', 'x', $1)";
    const api = auth.connectAs('auth_api');
    const write = (accountId: string) => api.transaction((tx) => tx.query(insert, [accountId]), { accountId: ada.id });
    await expect(write(otherId)).rejects.toThrow(/row-level security/);
    expect(await write(ada.id)).toEqual([]);
  });

  it('shows an account the acts that concern it and no others, and of the operator neither name nor address', async () => {
    const bob = await auth.signUp();
    await auth.createKey(bob.token);
    await asOperator('DELETE', 'api-keys');
    const { body } = await activity(ada.token);
    expect(body.acts).toMatchObject([
      { action: 'api_key.revoked', actor: 'operator', address: null, request_id: null },
      { action: 'account.registered', actor: 'session', address: '127.0.0.1' },
    ]);
    expect(body.acts[0]).not.toHaveProperty('operator_name');
    const actions = (await activity(bob.token)).body.acts.map(({ action }) => action);
    expect(actions).toEqual(['api_key.created', 'account.registered']);
  });

  it('is listed page by page, each act once, and filtered by account, action and time', async () => {
    for (const _key of [1, 2, 3, 4]) await auth.createKey(ada.token);
    const seen: string[] = [];
    let cursor = '';
    for (let page = 1; page < 9; page += 1) {
      const { body } = await trail(`account_id=${ada.id}&limit=2${cursor}`);
      seen.push(...body.acts.map(({ id }) => id));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen).toHaveLength(5);
    expect(seen.map(BigInt)).toEqual([...new Set(seen)].map(BigInt).toSorted((a, b) => (a < b ? 1 : -1)));
    const created = (await trail(`account_id=${ada.id}&action=api_key.created`)).body.acts;
    expect(created).toHaveLength(4);
    const [newest, next] = created.map(({ occurred_at }) => occurred_at);
    const half = (await trail(`account_id=${ada.id}&action=api_key.created&from=${next}&to=${newest}`)).body.acts;
    expect(half.every(({ occurred_at }) => occurred_at >= String(next) && occurred_at < String(newest))).toBe(true);
    expect(half.length).toBe(created.filter(({ occurred_at }) => occurred_at === next && next !== newest).length);
    expect((await trail('from=2999-01-01T00:00:00Z')).body.acts).toEqual([]);
    expect(await trail('action=nonsense')).toMatchObject(refusal(400, 'invalid_request'));
  });

  it('is also a table in CSV, and only the operator sees it', async () => {
    await asOperator('DELETE', 'sessions');
    const { text, headers } = await trail(`account_id=${ada.id}&format=csv`);
    expect(headers.get('content-type')).toContain('text/csv');
    const [header, first] = text.split('\r\n');
    expect(header).toMatch(/^id,occurred_at,action,result,actor,credential_id,address/);
    expect(first).toContain('session.ended,done,operator,');
    expect(first).toContain('"{""ended"":1}"');
    expect(await trail('', (await auth.signUp()).token)).toMatchObject({ status: 404 });
  });

  it('keeps the operator’s commands', async () => {
    const rotated = await newestOf("where action = 'operator_token.rotated'");
    expect(rotated).toBeUndefined();
    const [config, deps] = command();
    await openOperatorTokens(config, deps, (tokens) => tokens.rotate('default'));
    expect(await added()).toMatchObject([
      { action: 'operator_token.rotated', actor: 'command', object_kind: 'operator_token', object_id: 'default' },
    ]);
  });
});
