import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMovableClock, toIso } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { createIdempotency } from '@tollgate/runtime/http/idempotency';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createDatabase } from '@tollgate/database/database';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import type { CatalogueTransaction } from '../../src/catalogue/catalogue.ts';
import type { PriceVersion } from '../../src/catalogue/price-version.ts';
import type { Tool } from '../../src/catalogue/tool.ts';
import { createPrismaCatalogue } from '../../src/catalogue/prisma-catalogue.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const createdAtMs = Date.parse('2026-11-21T12:00:00.123Z');
const owner = randomUUID();
const stranger = randomUUID();

let database: TestDatabase;
let catalogue: ReturnType<typeof createPrismaCatalogue>;

beforeAll(async () => {
  database = await testDatabase();
  const ownerOfDatabase = createDatabase({ url: database.ownerUrl, name: 'test-owner', log });
  await ownerOfDatabase.query(`alter database ${database.name} set timezone to 'America/Sao_Paulo'`);
  await ownerOfDatabase.stop();
  catalogue = createPrismaCatalogue({ url: database.urlFor('billing_api'), maxConnections: 4, log });
  await catalogue.start();
});

afterAll(async () => {
  await catalogue.stop();
  await database.drop();
});

const as = <T>(accountId: string, work: (tx: CatalogueTransaction) => Promise<T>) =>
  catalogue.transaction(work, { accountId });

function toolOf(ownerId: string, slug = `tool-${randomUUID()}`): { tool: Tool; first: PriceVersion } {
  const tool = { slug, ownerId, name: 'A tool', description: null, archivedAtMs: null, createdAtMs };
  const price = { currency: 'usd' as const, charges: [], bill_failed_calls: false };
  return { tool, first: { id: uuidV7(createdAtMs), slug, effectiveFromMs: null, price, createdAtMs } };
}

async function registered(ownerId = owner): Promise<string> {
  const { tool, first } = toolOf(ownerId);
  await as(ownerId, (tx) => tx.tools.add(tool, first));
  return tool.slug;
}

describe('the catalogue in PostgreSQL', () => {
  it('gives a slug to one of twenty who want it at once, and no one else notices an error', async () => {
    const slug = `raced-${randomUUID()}`;
    const accounts = Array.from({ length: 20 }, () => randomUUID());
    const results = await Promise.all(
      accounts.map((accountId) => {
        const { tool, first } = toolOf(accountId, slug);
        return as(accountId, (tx) => tx.tools.add(tool, first));
      }),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    const winner = accounts[results.indexOf(true)];
    const found = await as(owner, (tx) => tx.tools.find(slug, createdAtMs));
    expect(found?.ownerId).toBe(winner);
  });

  it('keeps times to the millisecond, whatever time zone the database is in', async () => {
    const slug = await registered();
    const found = await as(owner, (tx) => tx.tools.find(slug, createdAtMs));
    expect(found).toMatchObject({ slug, createdAtMs, archivedAtMs: null });
    const stored = await as(owner, (tx) =>
      tx.query('select 1 from billing.tool where tool_id = $1 and created_at = $2::timestamptz', [
        slug,
        toIso(createdAtMs),
      ]),
    );
    expect(stored).toHaveLength(1);
  });

  it('shows the price in force at a time: from its hour on, not a millisecond before', async () => {
    const slug = await registered();
    const startMs = Date.parse('2026-11-22T00:00:00Z');
    const next = { ...toolOf(owner, slug).first, id: randomUUID(), effectiveFromMs: startMs };
    const price = { ...next.price, bill_failed_calls: true };
    await as(owner, (tx) => tx.prices.add({ ...next, price }));
    const priceAt = (nowMs: number) =>
      as(stranger, async (tx) => (await tx.tools.find(slug, nowMs))?.price.bill_failed_calls);
    expect(await priceAt(startMs - 1)).toBe(false);
    expect(await priceAt(startMs)).toBe(true);
    expect(await priceAt(0)).toBe(false);
  });

  it('adds one version an hour', async () => {
    const slug = await registered();
    const effectiveFromMs = Date.parse('2026-11-23T00:00:00Z');
    const add = () =>
      as(owner, (tx) => tx.prices.add({ ...toolOf(owner, slug).first, id: randomUUID(), effectiveFromMs }));
    expect((await Promise.all([add(), add(), add()])).filter(Boolean)).toHaveLength(1);
  });

  it('lets nobody write for another account, even if the code asked for it', async () => {
    const slug = await registered();
    const { tool, first } = toolOf(owner);
    await expect(as(stranger, (tx) => tx.tools.add(tool, first))).rejects.toThrow(/row-level security/);
    await expect(as(stranger, (tx) => tx.prices.add({ ...first, slug, effectiveFromMs: 0 }))).rejects.toThrow(
      /row-level security/,
    );
    expect(await as(stranger, (tx) => tx.tools.change({ slug, ownerId: owner }, { name: 'taken over' }))).toBe(false);
    await as(stranger, (tx) => tx.tools.archive({ slug, ownerId: owner }, createdAtMs));
    expect(await as(owner, (tx) => tx.tools.find(slug, createdAtMs))).toMatchObject({
      name: 'A tool',
      archivedAtMs: null,
    });
  });

  it('never deletes, unarchives, renames a slug or rewrites a price', async () => {
    const slug = await registered();
    await as(owner, (tx) => tx.tools.archive({ slug, ownerId: owner }, createdAtMs));
    for (const statement of [
      `delete from billing.tool`,
      `delete from billing.tool_price`,
      `update billing.tool_price set price = '{}'`,
      `update billing.tool set tool_id = 'another'`,
      `update billing.tool set archived_at = null`,
    ]) {
      await expect(as(owner, (tx) => tx.query(statement))).rejects.toThrow(/permission denied|stays archived/);
    }
  });

  it('finds the price in force among thousands of versions', async () => {
    const slug = await registered();
    await as(owner, (tx) =>
      tx.query(
        `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at)
         select gen_random_uuid(), $1, '2026-01-01T00:00:00Z'::timestamptz + make_interval(hours => n),
           jsonb_build_object('n', n), '{}', now() from generate_series(0, 9999) n`,
        [slug],
      ),
    );
    const nowMs = Date.parse('2026-01-03T05:59:59.999Z');
    const page = await as(owner, (tx) => tx.tools.list({ of: { ownerId: owner }, limit: 100, nowMs }));
    const listed = page.rows.find((tool) => tool.slug === slug);
    const found = await as(owner, (tx) => tx.tools.find(slug, nowMs));
    expect(found?.price).toEqual({ n: 53 });
    expect(listed?.price).toEqual({ n: 53 });
  });

  it('shows nothing to a connection without an account', async () => {
    await registered();
    const rows = await as('', (tx) => tx.query<{ count: bigint }>('select count(*) from billing.tool'));
    expect(rows).toEqual([{ count: 0n }]);
  });

  it('is one transaction with the replies to idempotency keys', async () => {
    const idempotency = createIdempotency({ schema: 'billing', clock: createMovableClock(createdAtMs) });
    const { tool, first } = toolOf(owner);
    const request = {
      accountId: owner,
      method: 'POST',
      path: '/v1/tools',
      key: randomUUID(),
      body: { slug: tool.slug },
    };
    const run = () =>
      idempotency.run(catalogue, request, async (tx: CatalogueTransaction) => {
        const isAdded = await tx.tools.add(tool, first);
        return { status: isAdded ? 201 : 409, body: { slug: tool.slug }, headers: { location: 'here' } };
      });
    expect(await run()).toMatchObject({ replayed: false, reply: { status: 201 } });
    expect(await run()).toMatchObject({
      replayed: true,
      reply: { status: 201, body: { slug: tool.slug }, headers: { location: 'here' } },
    });
  });

  it('tells a machine that is away from a request that is wrong', async () => {
    const away = createPrismaCatalogue({ url: 'postgresql://billing_api:x@127.0.0.1:9/none', maxConnections: 1, log });
    await expect(away.transaction((tx) => tx.tools.find('any', 0), { accountId: owner })).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await away.stop();
  });
});
