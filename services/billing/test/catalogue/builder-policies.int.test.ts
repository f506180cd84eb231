import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createPayoutsFixture, type PayoutsFixture } from '../support/payouts-fixture.ts';
import { silentLog as log } from '../support/silent-log.ts';

const consumerId = '10000000-0000-4000-8000-000000000001';

let fixture: PayoutsFixture;
let api: Database;
let builders: readonly string[];

beforeAll(async () => {
  fixture = await createPayoutsFixture();
  api = createDatabase({ url: fixture.database.urlFor('billing_api'), name: 'test-api', log });
  builders = [await fixture.addBuilder('a'), await fixture.addBuilder('b')];
  for (const letter of ['a', 'b']) await fixture.addUsage(usageOf(letter, '2026-01'));
  await fixture.earn({ period: '2026-01', letter: 'a', consumerId, calls: 1_000 });
  await fixture.reachPayoutDay('2026-01');
  await fixture.refund({ consumerId, period: '2026-01', cents: 100n });
  await fixture.addUsage(usageOf('b', '2026-02'));
  await fixture.earn({ period: '2026-02', letter: 'a', consumerId, calls: 1_000, isPaid: false });
}, 60_000);

afterAll(async () => {
  await api.stop();
  await fixture.drop();
});

const usageOf = (letter: string, month: string) => {
  return { consumerId, tool: `tool-${letter}`, hour: `${month}-05T00:00:00.000Z`, calls: 1_000 };
};

/** Returns the owners of the rows that an account sees. */
async function ownersSeen(accountId: string, from: string): Promise<string[]> {
  const text = `select distinct builder_id from ${from}`;
  const rows = await api.transaction((tx) => tx.query<{ builder_id: string }>(text), { accountId });
  return rows.map(({ builder_id: id }) => id);
}

const ofBuilders = [
  'billing.settled_line',
  'billing.uncollected_line',
  'billing.released_line',
  'billing.refunded_line',
  'billing.builder_gross',
  'billing.settled_gross',
  'billing.payout',
  'billing.payout join billing.processor_attempt a on a.subject_id = payout_id',
];

describe('F72 of what builders earn', () => {
  it.each(ofBuilders)('%s shows each its own, and consumers nothing', async (from) => {
    for (const builderId of builders) expect(await ownersSeen(builderId, from)).toEqual([builderId]);
    expect(await ownersSeen(consumerId, from)).toEqual([]);
  });

  it('a consumer sees no order to the processor, and a builder none but transfers', async () => {
    const kindsSeen = async (accountId: string) =>
      api.transaction((tx) => tx.query('select distinct kind from billing.processor_attempt'), { accountId });
    expect(await kindsSeen(consumerId)).toEqual([]);
    expect(await kindsSeen(builders[0] ?? '')).toEqual([{ kind: 'transfer' }]);
  });
});
