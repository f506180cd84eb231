import { useEach, useOnce } from '@tollgate/testkit/use-world';
import type { CardName } from '../../src/processor/sandbox/hosted-pages.ts';
import { xenia, yann } from './cast.ts';
import { createCollectionFixture, type CollectionFixture } from './collection-fixture.ts';
import { perCall } from './invoicing-fixture.ts';

export interface GivenCollection {
  /** A call of `search` or `maps` costs this; a dollar, if left out. */
  readonly price?: string;
  /** Calls of `search` on 5 January, by consumer. */
  readonly uses?: Readonly<Record<string, number>>;
  /** The same of `maps`. */
  readonly usesOfMaps?: Readonly<Record<string, number>>;
  readonly cards?: Readonly<Record<string, CardName>>;
  /** The beginning of 2026, if left out. */
  readonly now?: string;
  /** The tests write into the books by SQL, so the ledger proves nothing afterwards. */
  readonly isUnproven?: boolean;
  /** Happens last. */
  last?(fixture: CollectionFixture): Promise<unknown>;
}

/** Consumers, two builders and the sandbox, for each test. Whatever it did, the ledger is as it should be afterwards. */
export const useCollection = (given: GivenCollection = {}): CollectionFixture =>
  useEach(async () => {
    const fixture = await openCollection(given);
    return given.isUnproven ? fixture : { ...fixture, drop: () => proveAndDrop(fixture) };
  });

/** The same, once for tests that change nothing. */
export const useCollectionOnce = (given: GivenCollection): CollectionFixture => useOnce(() => openCollection(given));

async function openCollection({ price = '1', uses, usesOfMaps, cards = {}, now, last }: GivenCollection) {
  const fixture = await createCollectionFixture();
  for (const [slug, ownerId] of Object.entries({ search: xenia, maps: yann }))
    await fixture.putTool({ slug, ownerId, price: perCall(price) });
  await use(fixture, 'search', uses);
  await use(fixture, 'maps', usesOfMaps);
  for (const [consumerId, card] of Object.entries(cards)) await fixture.putCard(consumerId, card);
  if (now !== undefined) fixture.clock.set(Date.parse(now));
  await last?.(fixture);
  return fixture;
}

async function use(fixture: CollectionFixture, tool: string, uses: Readonly<Record<string, number>> = {}) {
  for (const [consumerId, calls] of Object.entries(uses))
    await fixture.addUsage({ consumerId, tool, hour: '2026-01-05T00:00:00Z', calls });
}

async function proveAndDrop(fixture: CollectionFixture): Promise<void> {
  try {
    await fixture.proveLedger();
  } finally {
    await fixture.drop();
  }
}
