import { ada, bob } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { forgetMoney, topUpTables } from '../support/forget-money.ts';

const fixture = useCollection({ cards: { [ada]: 'visa', [bob]: 'declined' } });

/** A caller that does not hear the answer asks again with the same key. Pending orders are looked up. */
describeCrashes('F98 a top-up', {
  worker: () => fixture.worker,
  startAnew: () => forgetMoney(fixture.database, topUpTables),
  async run(on = fixture.worker) {
    await fixture.topUp(ada, 900n, { key: 'ada', on });
    await fixture.topUp(bob, 400n, { key: 'bob', on });
  },
  async goOn() {
    await fixture.topUp(ada, 900n, { key: 'ada' });
    await fixture.topUp(bob, 400n, { key: 'bob' });
    fixture.clock.advance(120_000);
    await fixture.runDue();
    await fixture.proveLedger();
  },
  async books() {
    return [await fixture.topUps(), await fixture.topUpCharges(), await fixture.balances()];
  },
  statementsMin: 20,
  commitsMin: 4,
});
