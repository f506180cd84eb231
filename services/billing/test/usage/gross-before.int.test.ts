import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { sumMicros } from '@tollgate/kernel/money';
import type { Line } from '@tollgate/pricing/line';
import fc from 'fast-check';
import { rateGrossBefore } from '../../src/usage/rate-gross-before.ts';
import { createReadUsage } from '../../src/usage/read-usage.ts';
import type { UsageQuery } from '../../src/usage/usage-query.ts';
import { createInvoicingFixture, type InvoicingFixture } from '../support/invoicing-fixture.ts';
import { november, putWorldUntil, usage, type RandomWorld } from '../support/random-usage.ts';
import { silentLog as log } from '../support/silent-log.ts';

let fixture: InvoicingFixture;
let api: Database;

beforeAll(async () => {
  fixture = await createInvoicingFixture();
  api = createDatabase({ url: fixture.database.urlFor('billing_api'), name: 'gross-before', log });
});
afterAll(async () => {
  await api.stop();
  await fixture.drop();
});

/** Builders' usage starts its fees from this gross. */
it('adds up closed months, calls that were counted late for them, and open months, exactly', async () => {
  const random = fc.sample(fc.tuple(usage, fc.nat(25)), 40);
  const worlds: (RandomWorld & { readonly cutMs: number; putRest(): Promise<void> })[] = [];
  for (const [one, known] of random)
    worlds.push({ ...(await putWorldUntil(fixture.owner, one, known)), cutMs: one.cutMs });
  const grossBefore = async (builderId: string, beforeMs: number): Promise<bigint> => {
    const query = { builderId, scope: 'lifetime', beforeMs } as const;
    const options = { accountId: builderId, isolation: 'snapshot' } as const;
    const gross = await api.transaction((tx) => rateGrossBefore(tx, query), options);
    return gross.get('lifetime') ?? 0n;
  };
  const proveGross = async (): Promise<void> => {
    for (const { builderId, lines, cutMs } of worlds) {
      expect(await grossBefore(builderId, november.end)).toBe(chargesOf(lines));
      const since = await readUsage({ ...asBuilder(builderId), fromMs: cutMs, toMs: november.end });
      expect(await grossBefore(builderId, cutMs)).toBe(chargesOf(lines) - (since.totals.money?.chargeMicros ?? 0n));
    }
  };

  await fixture.close('2026-10');
  for (const { putRest } of worlds) await putRest();
  await proveGross();
  await fixture.close('2026-11');
  await proveGross();
}, 120_000);

const chargesOf = (lines: readonly Line[]): bigint => sumMicros(lines.map(({ chargeMicros }) => chargeMicros));
const asBuilder = (accountId: string) => ({ accountId, role: 'builder', groupBy: new Set<never>() }) as const;
const readUsage = (query: UsageQuery) => createReadUsage({ database: api, scope: 'lifetime' })(query);
