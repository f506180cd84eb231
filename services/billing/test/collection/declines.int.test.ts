import { describe, expect, it } from '@jest/globals';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { hearingLog } from '../support/hearing-log.ts';

/** Ada owes ten dollars and has a good card. */
const fixture = useCollection({ uses: { [ada]: 10 }, cards: { [ada]: 'visa' } });

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
