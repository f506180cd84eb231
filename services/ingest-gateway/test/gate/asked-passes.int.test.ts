import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { type TestAuthorization, charging, perCall, perMillisecond, putBudget } from '../support/gate/charging.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';
import { type Database, createDatabase } from '@tollgate/database/database';
import { createPassKey } from '@tollgate/runtime/auth/api-key-format';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { type FindPayer, createFindPayer } from '../../src/gate/deciding/find-payer.ts';
import { createNamePass } from '../../src/passes/named-pass.ts';
import { type PassDirectory, createPassDirectory } from '../../src/passes/pass-directory.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { countingDatabase } from '../support/gate/dying-database.ts';

let builder: TestAccount;
let consumer: TestAccount;
let pass: { readonly id: string; readonly key: string };
let toolId: string;

/** The askers. A pass that is gone, and a suspended account, are refused before they can ask for more. */
const askers = {
  'the builder': () => ({ token: builder.token, body: { pass: pass.key } }),
  'the consumer with its pass': () => ({ token: consumer.token, body: { pass: pass.key } }),
  'the pass': () => ({ token: pass.key, body: {} }),
} satisfies Record<string, () => { readonly token: string; readonly body: object }>;
const log = createLogger({ name: 'gate-test', level: 'silent' });
const suspended = new Set<string>();
let database: Database;
let lookUps: () => number;
let passes: PassDirectory;
let findPayer: FindPayer;
let tool: Tool;

interface TestPass {
  readonly id: string;
  readonly key: string;
}

type Kind = readonly [title: string, make: () => Promise<{ readonly key: string; readonly by?: TestAccount }>];

/** A party that asks and captures. */
interface Sender {
  readonly token: string;
  /** Whether it names the pass when it asks. */
  readonly namesPass: boolean;
  /** Whether the events are the pass's. */
  readonly withPass: boolean;
}

const senders = {
  'the builder': () => ({ token: builder.token, namesPass: true, withPass: true }),
  'the consumer': () => ({ token: consumer.token, namesPass: false, withPass: false }),
  'the consumer with its pass': () => ({ token: consumer.token, namesPass: true, withPass: true }),
  'the pass': () => ({ token: pass.key, namesPass: false, withPass: true }),
} satisfies Record<string, () => Sender>;

describe('more is a new ask', () => {
  const gateway = useGateway();

  beforeEach(async () => {
    [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
    toolId = await charging(gateway, perMillisecond('0.01'), builder.accountId);
    const body = { name: 'agent', tools: [toolId], per_call_max_usd: 1_000 };
    pass = (await gateway.send<typeof pass>('POST', '/v1/passes', { token: consumer.token, body })).body;
  });

  const byOwner = (method: string, path: string, body?: object) =>
    gateway.send(method, path, { token: consumer.token, ...(body && { body }) });
  const changePass = (body: object) => byOwner('PATCH', `/v1/passes/${pass.id}`, body);

  /** Changes between the ask and the increase, by the consumer, the operator or the builder, with the refusal of more. */
  const changes = {
    'its pass is revoked': [() => byOwner('DELETE', `/v1/passes/${pass.id}`), 'pass_refused'],
    'its pass is paused': [() => changePass({ paused: true }), 'pass_refused'],
    'its pass has expired': [
      async () => {
        await changePass({ expires_at: new Date(gateway.clock.now() + 1_000).toISOString() });
        gateway.clock.advance(1_000);
      },
      'pass_refused',
    ],
    'its pass names other tools': [async () => changePass({ tools: [await gateway.newTool()] }), 'tool_not_allowed'],
    'a call with its pass may come to less': [() => changePass({ per_call_max_usd: 0.2 }), 'spending_cap_reached'],
    'its pass has a cap': [() => changePass({ cap: { amount_usd: 0.2, window: 'day' } }), 'spending_cap_reached'],
    'the account has a budget': [
      () => putBudget(gateway, consumer.token, { amount_usd: 0.2, window: 'month' }),
      'spending_cap_reached',
    ],
    'the tool is archived': [() => gateway.archive(toolId), 'tool_not_found'],
    'the consumer is suspended': [() => createAuthRows(gateway.owner).suspend(consumer.accountId), 'pass_refused'],
  } satisfies Record<string, readonly [change: () => Promise<unknown>, refusal: string]>;

  type Change = keyof typeof changes;

  type Who = keyof typeof askers;
  const before: Partial<Record<`${Who}, ${Change}`, string>> = {
    'the pass, its pass is revoked': 'unauthorized',
    'the pass, its pass has expired': 'unauthorized',
    'the pass, the consumer is suspended': 'account_suspended',
    'the consumer with its pass, the consumer is suspended': 'account_suspended',
  };
  const cases = (Object.keys(changes) as Change[]).flatMap((change) =>
    (Object.keys(askers) as Who[]).flatMap((who) => [1, 3].map((count) => [change, who, count] as const)),
  );

  async function ask(who: Who, count: number) {
    const { token, body } = askers[who]();
    const asked = await gateway.send<TestAuthorization>('POST', '/v1/authorizations', {
      token,
      body: { ...body, tool_id: toolId, count, max: { duration_ms: 10 } },
    });
    expect(asked.status).toBe(201);
    return { token, id: asked.body.id };
  }

  const increase = (token: string, id: string, durationMs: number) =>
    gateway.send<TestAuthorization>('POST', `/v1/authorizations/${id}/increase`, {
      token,
      body: { max: { duration_ms: durationMs } },
    });

  /** Sends the body only once the request has been let in, and this is done. */
  function askLate(token: string, whenLetIn: () => Promise<unknown>): Promise<number | undefined> {
    const body = JSON.stringify({ tool_id: toolId, max: { duration_ms: 10 } });
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    };
    const options = { port: gateway.port, path: '/v1/authorizations', method: 'POST', headers };
    return new Promise((resolve, reject) => {
      const asked = httpRequest(options, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
      asked.on('continue', () => void whenLetIn().then(() => asked.end(body), reject));
      asked.flushHeaders();
    });
  }

  describe('F252 more of an authorization is asked for as a new one', () => {
    it.each(cases)('is refused once %s, asked by %s with count %d; what was authorized is paid', async (...of) => {
      const [change, who, count] = of;
      const { token, id } = await ask(who, count);
      const [act, refusal] = changes[change];
      await act();
      const refused = before[`${who}, ${change}`] ?? refusal;
      const more = await increase(token, id, 100_000);
      const [held] = await gateway.owner.query<{ held: bigint }>(
        'select held_micros as held from gate.hold where hold_id = $1',
        [id],
      );
      expect([more.body.code, held?.held]).toEqual([refused, 100_000n * BigInt(count)]);
      if (refused === 'unauthorized' || refused === 'account_suspended') return;
      const event = { tool_id: toolId, authorization_id: id, duration_ms: 10, ...(count > 1 && { call_index: 1 }) };
      const captured = await gateway.record(event, { token });
      expect([captured.status, captured.body.code]).toEqual([201, undefined]);
    });
  });

  describe('F253 a request whose pass is revoked while it is read', () => {
    it('is refused, and never taken for one of the account itself', async () => {
      expect(await askLate(pass.key, async () => undefined)).toBe(201);
      expect(await askLate(pass.key, () => byOwner('DELETE', `/v1/passes/${pass.id}`))).toBe(401);
      const text = 'select from gate.hold where account_id = $1 and pass_id is null';
      expect(await gateway.owner.query(text, [consumer.accountId])).toEqual([]);
    });
  });
});

describe('F245 a pass that is refused', () => {
  const gateway = useGateway();

  beforeAll(async () => {
    database = createDatabase({ url: gateway.database.urlFor('ingest_gateway_worker'), name: 'test-worker', log });
    const counting = countingDatabase(database, 'gate.find_passes');
    lookUps = counting.count;
    const notifications = { on: () => undefined };
    passes = createPassDirectory({ database: counting.database, notifications, clock: gateway.clock, log });
    const tokens = { spendingToken: async () => Promise.reject(new Error('no token is named here')) };
    const namePass = createNamePass({ passes, tokens });
    findPayer = createFindPayer({ namePass, isSuspended: (accountId) => suspended.has(accountId) });
    await passes.refresh();
  });
  afterAll(() => database.stop());
  beforeEach(async () => {
    [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
    const toolId = await gateway.newTool({ ownerId: builder.accountId });
    tool = { toolId, ownerId: builder.accountId, isArchived: false, resource: null, prices: [], defaultMax: null };
  });

  async function newPass(body: object = {}): Promise<TestPass> {
    const wish = { name: 'agent', tools: [tool.toolId], ...body };
    const { body: pass } = await gateway.send<TestPass>('POST', '/v1/passes', { token: consumer.token, body: wish });
    await passes.refresh(); // memory knows it
    return pass;
  }

  async function change({ id }: TestPass, method: string, path: string, body?: object): Promise<void> {
    await gateway.send(method, `/v1/passes/${id}${path}`, { token: consumer.token, ...(body && { body }) });
    await passes.refresh();
  }

  const ask = (passKey: string, by = builder) => {
    const asker = { accountId: by.accountId, pass: undefined };
    return findPayer({ asker, passKey, tool, nowMs: gateway.clock.now() });
  };
  const kinds: readonly Kind[] = [
    ['unknown', async () => ({ key: createPassKey() })],
    [
      'revoked',
      async () => {
        const pass = await newPass();
        await change(pass, 'DELETE', '');
        return pass;
      },
    ],
    [
      'rotated',
      async () => {
        const pass = await newPass();
        await change(pass, 'POST', '/rotate', {});
        return pass;
      },
    ],
    [
      'paused',
      async () => {
        const pass = await newPass();
        await change(pass, 'PATCH', '', { paused: true });
        return pass;
      },
    ],
    [
      'expired',
      async () => {
        const pass = await newPass({ expires_at: new Date(gateway.clock.now() + 1_000).toISOString() });
        gateway.clock.advance(1_000);
        return pass;
      },
    ],
    ['foreign', async () => ({ ...(await newPass()), by: await gateway.newAccount() })],
    [
      'suspended account’s',
      async () => {
        suspended.add(consumer.accountId);
        return newPass();
      },
    ],
  ];

  it.each(kinds)('costs one look into PostgreSQL, and no more, if it is %s', async (_title, make) => {
    const { key, by } = await make();
    const before = lookUps();
    await expect(ask(key, by)).rejects.toMatchObject({ code: 'pass_refused' });
    expect(lookUps() - before).toBe(1);
  });

  it('costs none if memory knows that it is good, and one if it was made since', async () => {
    const { key } = await newPass();
    const before = lookUps();
    expect(await ask(key)).toMatchObject({ accountId: consumer.accountId });
    expect(lookUps() - before).toBe(0);
    const wish = { name: 'agent', tools: [tool.toolId] };
    const made = await gateway.send<TestPass>('POST', '/v1/passes', { token: consumer.token, body: wish });
    expect(await ask(made.body.key)).toMatchObject({ accountId: consumer.accountId });
    expect(lookUps() - before).toBe(1);
  });
});

describe('what is captured', () => {
  const gateway = useGateway();

  beforeEach(async () => {
    [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
    toolId = await charging(gateway, perCall('0.25'), builder.accountId);
    const body = { name: 'agent', tools: [toolId], cap: { amount_usd: 5, window: 'month' } };
    pass = (await gateway.send<typeof pass>('POST', '/v1/passes', { token: consumer.token, body })).body;
  });

  async function authorize({ token, namesPass }: Sender, count = 1): Promise<string> {
    const body = { tool_id: toolId, count, ...(namesPass && { pass: pass.key }) };
    const asked = await gateway.send<TestAuthorization>('POST', '/v1/authorizations', { token, body });
    expect(asked.status).toBe(201);
    return asked.body.id;
  }

  async function record({ token }: Sender, event: object): Promise<string> {
    const { status, body } = await gateway.record({ tool_id: toolId, ...event }, { token });
    expect(status).toBe(201);
    return body.event_id;
  }

  /** Each returns the ids of two events. */
  const shapes = {
    single: async (sender: Sender) => [
      await record(sender, { authorization_id: await authorize(sender) }),
      await record(sender, { authorization_id: await authorize(sender) }),
    ],
    async batch(sender: Sender) {
      const ids = [await authorize(sender), await authorize(sender)];
      const events = ids.map((id) => ({ tool_id: toolId, authorization_id: id }));
      const { body } = await gateway.send<{ results: { event_id: string }[] }>('POST', '/v1/events/batch', {
        token: sender.token,
        body: { events },
      });
      return body.results.map(({ event_id: eventId }) => eventId);
    },
    async book(sender: Sender) {
      const id = await authorize(sender, 2);
      return [
        await record(sender, { authorization_id: id, call_index: 1 }),
        await record(sender, { authorization_id: id, call_index: 0 }),
      ];
    },
  };

  type Who = keyof typeof senders;
  type Shape = keyof typeof shapes;
  const cases = (Object.keys(senders) as Who[]).flatMap((who) =>
    (Object.keys(shapes) as Shape[]).map((shape) => [shape, who] as const),
  );

  it.each(cases)('as a %s by %s is the consumer’s, with the pass that it was authorized with', async (shape, who) => {
    const sender = senders[who]();
    const eventIds = await shapes[shape](sender);
    expect(new Set(eventIds).size).toBe(2);
    const records = (await gateway.appended()).filter(({ event_id: id }) => eventIds.includes(id));
    const event = { consumer_id: consumer.accountId, tool_id: toolId, pass_id: sender.withPass ? pass.id : undefined };
    const seen = records.map((of) => ({ consumer_id: of.consumer_id, tool_id: of.tool_id, pass_id: of.pass_id }));
    expect(seen).toEqual([event, event]);
  });
});
