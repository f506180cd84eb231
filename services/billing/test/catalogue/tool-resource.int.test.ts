import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { silentLog as log } from '../support/silent-log.ts';
import { startBilling, useBilling, type BillingUnderTest, type TestAccount } from '../support/start-billing.ts';

const issuer = 'https://tollgate.example';
const billing = useBilling({ settings: { PUBLIC_URL: `${issuer}/app`, OUTGOING_ALLOW: 'loopback' } });

/** Servers of builders, all at one port: a resource is a path of it. */
let receiver: Server;
let origin: string;
let documents: Map<
  string,
  { readonly status?: number; readonly body: string; readonly headers?: Record<string, string> }
>;
let fetched: string[];
let count = 0;

let builder: TestAccount;
let slug: string;
let resource: string;

beforeAll(async () => {
  receiver = createServer((request, response) => {
    fetched.push(request.url ?? '');
    const { status = 200, body, headers } = documents.get(request.url ?? '') ?? { status: 404, body: 'none' };
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`; // it listens on a port
});

afterAll(async () => once(receiver.close(), 'close'));

beforeEach(async () => {
  documents = new Map();
  fetched = [];
  builder = await billing.newAccount();
  slug = await billing.newTool(builder);
  count += 1;
  resource = `${origin}/mcp-${count}`;
});

const metadataOf = (accountId: string, at = resource) => ({
  resource: at,
  authorization_servers: [issuer],
  tollgate_account: accountId,
});

const publish = (document: unknown, at = resource) =>
  documents.set(pathOf(at), { body: typeof document === 'string' ? document : JSON.stringify(document) });
const pathOf = (at: string) => `/.well-known/oauth-protected-resource${new URL(at).pathname.replace(/^\/$/, '')}`;

const put = (at: string | null, { by = builder, of = slug, more = {} } = {}) =>
  billing.send('PATCH', `/v1/tools/${of}`, { token: by.token, body: { resource: at, ...more } });

const shown = async (of = slug) => (await billing.send('GET', `/v1/tools/${of}`, builder)).body['resource'];

async function inDirectory(): Promise<unknown> {
  const text = 'select resource from billing.tool_directory_v1 where tool_id = $1';
  return (await billing.owner.query<{ resource: unknown }>(text, [slug]))[0]?.resource;
}

describe('F314 a resource whose server names us and the account', () => {
  it('F314 is the tool’s, in its one spelling, for everybody and for gateways, until null removes it', async () => {
    publish(metadataOf(builder.accountId));
    const spelled = resource.replace('/mcp', '/a/../mcp');
    expect(await put(spelled, { more: { name: 'After' } })).toMatchObject({
      status: 200,
      body: { resource, name: 'After' },
    });
    expect(fetched).toEqual([pathOf(resource)]);
    expect([await shown(), await inDirectory()]).toEqual([resource, resource]);
    expect(await put(null)).toMatchObject({ status: 200, body: { resource: null, name: 'After' } });
    expect([await shown(), await inDirectory()]).toEqual([null, null]);
  });

  it('has one slash of an empty path ignored, here and in the document', async () => {
    publish(metadataOf(builder.accountId, `${origin}/`), origin);
    expect(await put(`${origin}/`)).toMatchObject({ status: 200, body: { resource: origin } });
    expect(await put(null)).toMatchObject({ status: 200 }); // other tests need this machine’s origin free
  });

  it('is proved once: further tools name it, and a change of something else leaves it, without a call', async () => {
    publish(metadataOf(builder.accountId));
    await put(resource);
    documents.clear();
    const second = await billing.newTool(builder);
    expect(await put(resource, { of: second })).toMatchObject({ status: 200, body: { resource } });
    const { body } = await billing.send('PATCH', `/v1/tools/${slug}`, { token: builder.token, body: { name: 'B' } });
    expect(body).toMatchObject({ name: 'B', resource });
    expect(fetched).toHaveLength(1);
  });

  it('F314 belongs to one account: to another one it is 409 without a call, while a tool names it', async () => {
    publish(metadataOf(builder.accountId));
    await put(resource);
    const other = await billing.newAccount();
    const ofOther = await billing.newTool(other);
    publish(metadataOf(other.accountId)); // the server has been sold
    const taken = { status: 409, body: { code: 'resource_taken' } };
    expect(await put(resource, { by: other, of: ofOther })).toMatchObject(taken);
    expect(fetched).toHaveLength(1);
    await put(null);
    expect(await put(resource, { by: other, of: ofOther })).toMatchObject({ status: 200, body: { resource } });
    expect(await put(resource)).toMatchObject(taken);
  });

  it('is free again once its tool is archived, and no archived tool gets one', async () => {
    publish(metadataOf(builder.accountId));
    await put(resource);
    const { body } = await billing.send('POST', `/v1/tools/${slug}/archive`, builder);
    expect(body).toMatchObject({ archived: true, resource: null });
    expect(await inDirectory()).toBeNull();
    expect(await put(resource)).toMatchObject({ status: 409, body: { code: 'tool_archived' } });
    const other = await billing.newAccount();
    publish(metadataOf(other.accountId));
    const ofOther = await billing.newTool(other);
    expect(await put(resource, { by: other, of: ofOther })).toMatchObject({ status: 200 });
  });

  it('F314 is given to one account of two that come at once, whatever the document says meanwhile', async () => {
    const accounts = await Promise.all(Array.from({ length: 6 }, () => billing.newAccount()));
    const tools = await Promise.all(accounts.map((account) => billing.newTool(account)));
    const turns = accounts.map(({ accountId }) => metadataOf(accountId));
    documents.set(pathOf(resource), {
      get body() {
        return JSON.stringify(turns.shift() ?? {});
      },
    });
    const answers = await Promise.all(accounts.map((by, index) => put(resource, { by, of: tools[index] ?? '' })));
    const owners = await billing.owner.query('select distinct owner_id from billing.tool where resource = $1', [
      resource,
    ]);
    expect(owners.length).toBe(Math.min(1, answers.filter(({ status }) => status === 200).length));
    for (const { status } of answers) expect([200, 409, 422]).toContain(status);
  });
});

describe('F314 a resource whose server does not prove it', () => {
  const lacks: readonly (readonly [string, (good: object) => unknown, string])[] = [
    ['no JSON', () => '<html>', 'is no JSON object'],
    ['a list', () => [], 'is no JSON object'],
    ['null', () => null, 'is no JSON object'],
    ['another resource', (good) => ({ ...good, resource: `${origin}/other` }), '`resource` is not http'],
    ['a resource that is no text', (good) => ({ ...good, resource: 5 }), '`resource` is not http'],
    ['no authorization servers', (good) => ({ ...good, authorization_servers: undefined }), '`authorization_servers`'],
    [
      'another issuer',
      (good) => ({ ...good, authorization_servers: ['https://evil.example'] }),
      '`authorization_servers`',
    ],
    [
      'our issuer with a slash',
      (good) => ({ ...good, authorization_servers: [`${issuer}/`] }),
      '`authorization_servers`',
    ],
    ['our issuer as a text', (good) => ({ ...good, authorization_servers: issuer }), '`authorization_servers`'],
    ['no account', (good) => ({ ...good, tollgate_account: undefined }), '`tollgate_account` is not'],
    ['several accounts', (good) => ({ ...good, tollgate_account: [builder.accountId] }), '`tollgate_account` is not'],
  ];

  it.each(lacks)('F314 is refused with what is missing: %s', async (_title, change, words) => {
    publish(change(metadataOf(builder.accountId)));
    const { status, body } = await put(resource);
    expect([status, body['code']]).toEqual([422, 'resource_not_proved']);
    expect(body['detail']).toContain(words);
    expect(body['detail']).toContain(pathOf(resource));
    expect(await shown()).toBeNull();
  });

  it('F314 is refused for the account of another builder', async () => {
    publish(metadataOf((await billing.newAccount()).accountId));
    const { status, body } = await put(resource);
    expect([status, body['code']]).toEqual([422, 'resource_not_proved']);
    expect(body['detail']).toContain(builder.accountId);
  });

  it('is refused if the server redirects to a document that is right', async () => {
    documents.set(pathOf(resource), { status: 302, body: '', headers: { location: `${origin}/moved` } });
    documents.set('/moved', { body: JSON.stringify(metadataOf(builder.accountId)) });
    const { body } = await put(resource);
    expect(body['detail']).toContain('answers 302, not 200');
    expect(fetched).toEqual([pathOf(resource)]);
  });

  it('is refused if the server sends too much, and if nobody listens', async () => {
    publish(JSON.stringify({ ...metadataOf(builder.accountId), more: 'x'.repeat(100_000) }));
    expect((await put(resource)).body['detail']).toContain('more than 65536 bytes');
    expect((await put('http://127.0.0.1:1/')).body['detail']).toContain('Port 1 is never called');
  });

  it.each(['https://10.0.0.1/mcp', 'https://169.254.169.254/', 'https://[fd00::1]/'])(
    'F314 is refused at %s, and no more is said than that',
    async (at) => {
      const { status, body } = await put(at);
      expect([status, body['code']]).toEqual([422, 'resource_not_proved']);
      expect(body['detail']).toContain('does not lead to the public Internet');
    },
  );

  it.each(['http://example.com/', 'https://example.com/#a', 'ftp://example.com', 5, ''])(
    'is 400 for %j, which is no resource',
    async (at) => {
      const { status, body } = await put(at as string); // also what is no text
      expect([status, body['errors']]).toEqual([400, [expect.objectContaining({ pointer: '/resource' })]]);
    },
  );

  it('F314 calls nobody for an account that does not own the tool', async () => {
    const stranger = await billing.newAccount();
    publish(metadataOf(stranger.accountId));
    expect(await put(resource, { by: stranger })).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
    expect(await put(resource, { of: 'no-such-tool' })).toMatchObject({ status: 404 });
    expect(fetched).toEqual([]);
  });
});

describe('F314 the database', () => {
  let api: Database;

  beforeAll(() => {
    api = createDatabase({ url: billing.urlFor('billing_api'), name: 'test-api', log });
  });

  afterAll(() => api.stop());

  it('F314 refuses tools of two accounts at one resource, whatever a service does', async () => {
    publish(metadataOf(builder.accountId));
    await put(resource);
    const other = await billing.newAccount();
    const ofOther = await billing.newTool(other);
    const asOther = (text: string) =>
      api.transaction((tx) => tx.query(text, [resource, other.accountId]), { accountId: other.accountId });
    const name = `update billing.tool set resource = $1 where tool_id = '${ofOther}' and owner_id = $2::uuid`;
    await expect(asOther(name)).rejects.toThrow('foreign key');
    const takeOver = 'update billing.resource set owner_id = $2::uuid where resource = $1::text';
    await expect(asOther(takeOver)).rejects.toThrow('foreign key');
    await expect(asOther("insert into billing.resource values ($1::text || '/other', $2::uuid)")).resolves.toEqual([]);
    const ofBuilder = `insert into billing.resource select $1::text || '/b', '${builder.accountId}' where $2::uuid is not null`;
    await expect(asOther(ofBuilder)).rejects.toThrow('row-level security');
  });
});

describe('F314 without settings for it', () => {
  let plain: BillingUnderTest;
  let by: TestAccount;
  let of: string;

  beforeAll(async () => {
    plain = await startBilling();
    by = await plain.newAccount();
    of = await plain.newTool(by);
  });

  afterAll(() => plain.stop());

  it('F314 is refused for what is missing: an issuer', async () => {
    const { body } = await plain.send('PATCH', `/v1/tools/${of}`, { token: by.token, body: { resource } });
    expect(body).toMatchObject({ status: 422, code: 'resource_not_proved' });
    expect(body['detail']).toContain('PUBLIC_URL');
  });
});

describe('F314 with an issuer alone', () => {
  const usual = useBilling({ settings: { PUBLIC_URL: issuer } });

  it('F314 never reaches this machine', async () => {
    const by = await usual.newAccount();
    const of = await usual.newTool(by);
    publish(metadataOf(by.accountId));
    const { body } = await usual.send('PATCH', `/v1/tools/${of}`, { token: by.token, body: { resource } });
    expect(body).toMatchObject({ status: 422, code: 'resource_not_proved' });
    expect(body['detail']).toContain('does not lead to the public Internet');
    expect(fetched).toEqual([]);
  });
});
