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
  slug = await billing.newTool(builder);
});

const archive = (request: object = builder) => billing.send('POST', `/v1/tools/${slug}/archive`, request);

/** As gateways read it, with the number by which they know what changed since. */
async function inDirectory() {
  const [row] = await billing.owner.query<{ archived_at: Date | null; changed_seq: bigint }>(
    'select archived_at, changed_seq from billing.tool_directory_v1 where tool_id = $1',
    [slug],
  );
  return { archivedAtMs: row?.archived_at?.getTime() ?? null, changedSeq: row?.changed_seq ?? 0n };
}

describe('POST /v1/tools/{slug}/archive: 200', () => {
  it('archives for good: the tool says so, and so does the directory, which gateways read again', async () => {
    const before = await inDirectory();
    await billing.newTool(builder); // a later change of another tool
    expect(await archive()).toMatchObject({ status: 200, body: { slug, archived: true } });
    expect((await billing.send('GET', `/v1/tools/${slug}`, builder)).body).toMatchObject({ archived: true });
    const { archivedAtMs, changedSeq } = await inDirectory();
    expect(archivedAtMs).toBe(billing.clock.now());
    expect(changedSeq).toBeGreaterThan(before.changedSeq + 1n);
  });

  it('changes nothing when it comes again', async () => {
    await archive();
    const before = await inDirectory();
    billing.clock.advance(1_000);
    expect(await archive({ ...builder, body: {} })).toMatchObject({ status: 200, body: { slug, archived: true } });
    expect(await inDirectory()).toEqual(before);
  });
});

describe('POST /v1/tools/{slug}/archive: 404, 415', () => {
  it("does not archive another account's tool, and never says 403", async () => {
    const refused = await archive(await billing.newAccount());
    expect(refused).toMatchObject({ status: 404, body: { code: 'tool_not_found' } });
    expect((await inDirectory()).archivedAtMs).toBeNull();
  });

  it('keeps a refusal under its key: the tool that is registered later is not archived by a replay', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    slug = `later-${randomUUID()}`;
    expect(await archive({ ...builder, headers })).toMatchObject({ status: 404 });
    await billing.newTool(builder, { slug });
    const again = await archive({ ...builder, headers });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([404, 'true']);
    expect((await inDirectory()).archivedAtMs).toBeNull();
  });

  it('refuses a body that is no JSON', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect(await archive({ ...builder, headers, rawBody: 'please' })).toMatchObject({ status: 415 });
  });
});
