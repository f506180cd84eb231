import { afterEach, beforeEach } from '@jest/globals';
import { createCollectionFixture, type CollectionFixture } from '../support/collection-fixture.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { forgetMoney, topUpTables } from '../support/forget-money.ts';

const ada = 'a0000000-0000-4000-8000-000000000000';
const bob = 'b0000000-0000-4000-8000-000000000000';

let fixture: CollectionFixture;

beforeEach(async () => {
  fixture = await createCollectionFixture();
  await fixture.putCard(ada, 'visa');
  await fixture.putCard(bob, 'declined');
});

afterEach(() => fixture.drop());

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
