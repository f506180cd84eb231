import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createPassKey } from '@tollgate/runtime/auth/api-key-format';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createFindPayer, type FindPayer } from '../../src/gate/deciding/find-payer.ts';
import { createPassDirectory, type PassDirectory } from '../../src/passes/pass-directory.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { countingDatabase } from '../support/gate/dying-database.ts';
import type { TestAccount } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

const gateway = useGateway();
const log = createLogger({ name: 'gate-test', level: 'silent' });
const suspended = new Set<string>();
let database: Database;
let lookUps: () => number;
let passes: PassDirectory;
let findPayer: FindPayer;
let builder: TestAccount;
let consumer: TestAccount;
let tool: Tool;

beforeAll(async () => {
  database = createDatabase({ url: gateway.database.urlFor('ingest_gateway_worker'), name: 'test-worker', log });
  const counting = countingDatabase(database, 'gate.find_passes');
  lookUps = counting.count;
  const notifications = { on: () => undefined };
  passes = createPassDirectory({ database: counting.database, notifications, clock: gateway.clock, log });
  findPayer = createFindPayer({ passes, isSuspended: (accountId) => suspended.has(accountId) });
  await passes.refresh();
});
afterAll(() => database.stop());
beforeEach(async () => {
  [builder, consumer] = [await gateway.newAccount(), await gateway.newAccount()];
  const toolId = await gateway.newTool({ ownerId: builder.accountId });
  tool = { toolId, ownerId: builder.accountId, isArchived: false, prices: [], defaultMax: null };
});

interface TestPass {
  readonly id: string;
  readonly key: string;
}

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

type Kind = readonly [title: string, make: () => Promise<{ readonly key: string; readonly by?: TestAccount }>];
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

describe('F245 a pass that is refused', () => {
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
