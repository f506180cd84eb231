import { describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { createMetrics } from '@tollgate/runtime/metrics/create-metrics';
import { byOperator } from '../support/by-operator.ts';
import { ada, bob, xenia } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { closedTables, forgetMoney } from '../support/forget-money.ts';
import { hearingLog } from '../support/hearing-log.ts';

/** One dollar per call; Ada's invoice is above the bound by a cent, and Bob's is at it. */
const fixture = useCollection({
  price: '0.01',
  uses: { [ada]: 1_001, [bob]: 1_000 },
  cards: { [ada]: 'visa', [bob]: 'visa' },
  now: '2026-02-03T00:00:00Z',
  then: async ({ setCollectMax }) => setCollectMax(1_000n),
});

const adas = () => fixture.invoiceId(ada, '2026-01');

describe('an invoice above the bound of one collection', () => {
  it('F147 is not charged and does not age, however long and with whichever card, until the operator confirms it', async () => {
    const { log, heard } = hearingLog();
    const metrics = createMetrics({ service: 'billing' });
    await fixture.close('2026-01');
    await fixture.runDue({ log, metrics });
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1001', 'b 2026-01 paid 1000']);
    expect(await metrics.registry.metrics()).toContain('tollgate_billing_held_invoices{service="billing"} 1');
    await fixture.putCard(ada, 'mastercard'); // a new card makes all that is owed due
    await fixture.reach('2026-06-01T00:00:00Z');
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1001', 'b 2026-01 paid 1000']);
    await fixture.runDue({ log });
    expect(heard('above the bound')).toMatchObject([{ total_usd: '10.01', max_usd: '10' }]); // said once
    await fixture.confirmInvoice(await adas(), byOperator);
    await fixture.confirmInvoice(await adas(), byOperator);
    await fixture.runDue();
    expect(await fixture.invoices()).toEqual(['a 2026-01 paid 1001', 'b 2026-01 paid 1000']);
    expect(await fixture.charges()).toEqual(['2026-01 1 succeeded 1001', '2026-01 1 succeeded 1000']);
    expect(await fixture.acts()).toEqual([`invoice.confirmed a test ${await adas()}`]);
  });

  it('F147 is charged once when it is confirmed while several collect', async () => {
    await fixture.reach('2026-02-03T00:00:00Z');
    const id = await adas();
    await Promise.all([
      fixture.confirmInvoice(id, byOperator),
      fixture.runDueAtOnce(),
      fixture.confirmInvoice(id, byOperator),
    ]);
    await fixture.runDue();
    expect((await fixture.charges()).filter((charge) => charge.includes('1001'))).toEqual(['2026-01 1 succeeded 1001']);
  });

  it('F147 is tried again after a declined charge without another confirmation', async () => {
    await fixture.putCard(ada, 'declined');
    await fixture.reach('2026-02-03T00:00:00Z');
    await fixture.confirmInvoice(await adas(), byOperator);
    await fixture.runDue();
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    expect((await fixture.invoices())[0]).toBe('a 2026-01 paid 1001');
  });

  it('cannot be confirmed when it is void, or was never held', async () => {
    await fixture.reach('2026-02-03T00:00:00Z');
    const notHeld = expect.objectContaining({ code: 'invoice_not_held' });
    await expect(fixture.confirmInvoice(await fixture.invoiceId(bob, '2026-01'), byOperator)).rejects.toThrow(notHeld);
    await fixture.voidInvoice(await adas(), byOperator);
    await expect(fixture.confirmInvoice(await adas(), byOperator)).rejects.toThrow(notHeld);
    await expect(fixture.confirmInvoice(xenia, byOperator)).rejects.toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });
});

describeCrashes('a collection with an invoice above the bound', {
  worker: () => fixture.worker,
  async startAnew() {
    await forgetMoney(fixture.database, [...closedTables, 'processor_attempt', 'released_line', 'held_invoice']);
    await fixture.close('2026-01');
  },
  run: collectAndConfirm,
  async goOn() {
    fixture.clock.advance(60_000);
    await collectAndConfirm();
  },
  books: async () => {
    const held = 'select limit_cents::text, confirmed_at is not null as is_confirmed from billing.held_invoice';
    return [
      await fixture.owner.query(held),
      await fixture.invoices(),
      await fixture.charges(),
      await fixture.releases(),
      await fixture.balances(),
    ];
  },
  statementsMin: 40,
  commitsMin: 6,
});

async function collectAndConfirm(database: Database = fixture.worker): Promise<void> {
  await fixture.runDue({ database });
  await fixture.build({ worker: database }).useCases.confirmInvoice(await adas(), byOperator);
  await fixture.runDue({ database });
}
