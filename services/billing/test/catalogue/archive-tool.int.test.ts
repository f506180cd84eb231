import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { useBilling, type TestAccount } from '../support/start-billing.ts';

const billing = useBilling();
let builder: TestAccount;
let slug: string;

beforeAll(async () => {
  builder = await billing.newAccount();
});

beforeEach(async () => {
  slug = `tool-${randomUUID()}`;
  await billing.send('POST', '/v1/tools', {
    ...builder,
    body: { slug, name: 'Tool', price: { per_call_usd: '0.01' } },
  });
});

const archive = (request: object = builder) => billing.send('POST', `/v1/tools/${slug}/archive`, request);

const archivedAt = async () => {
  const [row] = await billing.owner.query<{ archived_at: Date | null }>(
    'select archived_at from billing.tool_directory_v1 where tool_id = $1',
    [slug],
  );
  return row?.archived_at?.getTime() ?? null;
};

describe('POST /v1/tools/{slug}/archive: 200', () => {
  it('archives for good: the tool says so, and so does the directory', async () => {
    expect(await archive()).toMatchObject({ status: 200, body: { slug, archived: true } });
    expect((await billing.send('GET', `/v1/tools/${slug}`, builder)).body).toMatchObject({ archived: true });
    expect(await archivedAt()).toBe(billing.clock.now());
  });

  it('changes nothing when it comes again', async () => {
    await archive();
    const at = await archivedAt();
    billing.clock.advance(1_000);
    expect(await archive()).toMatchObject({ status: 200, body: { slug, archived: true } });
    expect(await archivedAt()).toBe(at);
  });

  it('needs no body, and takes one', async () => {
    expect(await archive({ ...builder, body: {} })).toMatchObject({ status: 200 });
  });

  it('answers the same Idempotency-Key again', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await archive({ ...builder, headers });
    const again = await archive({ ...builder, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('wakes those who keep the directory in memory', async () => {
    const [before] = await billing.owner.query<{ changed_seq: bigint }>(
      'select max(changed_seq) as changed_seq from billing.tool_directory_v1',
    );
    await archive();
    const rows = await billing.owner.query<{ tool_id: string }>(
      'select tool_id from billing.tool_directory_v1 where changed_seq > $1',
      [before?.changed_seq.toString()],
    );
    expect(rows).toEqual([{ tool_id: slug }]);
  });
});

describe('POST /v1/tools/{slug}/archive: 404', () => {
  it("does not archive another account's tool, and never says 403", async () => {
    const refused = await archive(await billing.newAccount());
    expect(refused).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
    expect(await archivedAt()).toBeNull();
  });

  it('keeps a refusal under its key: the tool that is registered later is not archived by a replay', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    slug = `later-${randomUUID()}`;
    expect(await archive({ ...builder, headers })).toMatchObject({ status: 404 });
    await billing.send('POST', '/v1/tools', { ...builder, body: { slug, name: 'Tool', price: { per_call_usd: '0' } } });
    const again = await archive({ ...builder, headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([404, 'true']);
    expect(await archivedAt()).toBeNull();
  });
});

describe('POST /v1/tools/{slug}/archive: 415, 400', () => {
  it('refuses a body that is no JSON', async () => {
    const text = { 'content-type': 'text/plain' };
    expect(await archive({ ...builder, headers: text, rawBody: 'please' })).toMatchObject({ status: 415 });
    const json = { 'content-type': 'application/json' };
    expect(await archive({ ...builder, headers: json, rawBody: '{' })).toMatchObject({ status: 400 });
  });
});
