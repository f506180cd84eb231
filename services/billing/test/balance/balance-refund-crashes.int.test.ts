import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { forgetMoney, topUpTables } from '../support/forget-money.ts';

const fixture = useCollection({ cards: { [ada]: 'visa' } });

/**
 * A caller that does not hear the answer asks again with the same key. Pending parts are looked up. One part is
 * refused.
 */
describeCrashes('F101 a refund of a balance', {
  worker: () => fixture.worker,
  async startAnew() {
    await forgetMoney(fixture.database, topUpTables);
    await fixture.failures.clear();
    await fixture.topUp(ada, 900n);
    fixture.clock.advance(60_000);
    await fixture.topUp(ada, 400n);
    const text = 'select top_up_id as id from billing.top_up where amount_cents = 900';
    const [older] = await fixture.owner.query<{ id: string }>(text);
    await fixture.failures.add({ on: 'refund', failure: 'decline', times: 1, subjectId: older?.id });
  },
  async run(on = fixture.worker) {
    await fixture.refundBalance(ada, 1_000n, { key: 'ada', on });
  },
  async goOn() {
    await fixture.refundBalance(ada, 1_000n, { key: 'ada' });
    fixture.clock.advance(120_000);
    await fixture.runDue();
    await fixture.proveLedger();
  },
  async books() {
    return [await fixture.balanceRefunds(), await fixture.refundsAtSandbox(), await fixture.balances()];
  },
  statementsMin: 30,
  commitsMin: 3,
});
