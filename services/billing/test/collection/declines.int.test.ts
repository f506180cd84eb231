import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createCollectionFixture, type CollectionFixture } from '../support/collection-fixture.ts';
import { hearingLog } from '../support/hearing-log.ts';
import { perCall } from '../support/invoicing-fixture.ts';

const ada = 'a0000000-0000-4000-8000-000000000000';
const xenia = 'e0000000-0000-4000-8000-000000000000';

let fixture: CollectionFixture;

/** Ada owes ten dollars and has a good card. */
beforeEach(async () => {
  fixture = await createCollectionFixture();
  await fixture.putTool({ slug: 'search', ownerId: xenia, price: perCall('0.01') });
  await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-05T00:00:00Z', calls: 1_000 });
  await fixture.putCard(ada, 'visa');
});

afterEach(async () => {
  await fixture.proveLedger();
  await fixture.drop();
});

const waitsFor = async () => {
  const rows = await fixture.owner.query<{ waits_for: string | null }>('select waits_for from billing.invoice');
  return rows.map((row) => row.waits_for);
};

describe('a declined charge', () => {
  it.each([
    ['expired_card', 'payment_method'],
    ['authentication_required', 'authentication'],
  ] as const)('F144 of code %s is not tried again with the same card, and waits for %s', async (failure, awaited) => {
    await fixture.failures.add({ on: 'charge', failure, times: 1, subjectId: undefined });
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await waitsFor()).toEqual([awaited]);
    for (const day of ['03', '05', '07', '09', '20']) await fixture.reach(`2026-02-${day}T00:00:01Z`);
    expect(await fixture.charges()).toEqual([`2026-01 1 failed 1000 ${failure}`]);

    await fixture.putCard(ada, 'mastercard');
    await fixture.runDue();
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1000']);
    expect(await waitsFor()).toEqual([null]);
  });

  it('F144 for want of money is tried again, and waits for another card after the last try', async () => {
    await fixture.putCard(ada, 'declined');
    await fixture.reach('2026-02-02T00:00:00Z');
    expect(await waitsFor()).toEqual([null]);
    for (const day of ['03', '05', '07', '09']) await fixture.reach(`2026-02-${day}T00:00:01Z`);
    expect(await fixture.charges()).toHaveLength(5);
    expect(await waitsFor()).toEqual(['payment_method']);
  });

  it('F144 has a line in the log with its code, and an invoice without any card says that it waits for one', async () => {
    const { log, heard } = hearingLog();
    await fixture.failures.add({ on: 'charge', failure: 'expired_card', times: 1, subjectId: undefined });
    await fixture.close('2026-01');
    fixture.clock.set(Date.parse('2026-02-02T00:00:01Z'));
    await fixture.runDue({ log });
    expect(heard('the processor refused an order')).toMatchObject([{ kind: 'charge', code: 'expired_card' }]);

    await fixture.putCard(ada, null);
    await fixture.owner.query('update billing.invoice set collect_at = issued_at');
    await fixture.runDue();
    expect(await waitsFor()).toEqual(['payment_method']);
  });
});
