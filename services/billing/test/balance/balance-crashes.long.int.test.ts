import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { ada, bob, cora } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { closedTables, forgetMoney, topUpTables } from '../support/forget-money.ts';
import { putWatermark } from '../support/put-rollup.ts';
import { describe } from '@jest/globals';

const tables = [...closedTables, 'processor_attempt', 'released_line', 'balance_move', 'balance_credit'];

describe('balance crashes', () => {
  /** The balance pays all of Ada's invoice and a part of Bob's and Cora's. Bob's card pays the rest, Cora's is declined. */
  const fixture = useCollection({
    uses: { [ada]: 10, [bob]: 10, [cora]: 10 },
    cards: { [bob]: 'visa', [cora]: 'declined' },
    now: '2026-02-02T00:00:00Z',
  });

  /** One of the credits begins after the calls, and has expired for good. The clock goes on from where the last run left it. */
  async function startAnew(): Promise<void> {
    await forgetMoney(fixture.database, tables);
    await fixture.grant(ada, 1_200n, { key: 'ada' });
    await fixture.grant(bob, 400n, { key: 'bob' });
    const nowMs = fixture.clock.now();
    await fixture.grant(bob, 900n, { key: 'expires', from: toIso(nowMs), expires: toIso(nowMs + hourMs) });
    await fixture.grant(cora, 100n, { key: 'cora' });
    fixture.clock.advance(hourMs);
    await fixture.close('2026-01');
    await putWatermark(fixture.owner, toIso(fixture.clock.now() + 26 * hourMs));
    fixture.clock.advance(60_000);
  }

  /** Another process, a minute later: what the first left unknown is looked up. */
  async function goOn(): Promise<void> {
    fixture.clock.advance(60_000);
    await fixture.runDue();
    await fixture.proveLedger();
  }

  async function books(): Promise<unknown> {
    const texts = [
      `select business_key, kind, owner_id, amount_micros::text from billing.ledger_transaction
     join billing.ledger_entry using (transaction_id) join billing.ledger_account using (ledger_account_id) order by 1, 2, 3, 4`,
      `select business_key, credit_id, amount_cents::text from billing.balance_move order by 1, 2`,
      `select credit_id, left_cents::text from billing.balance_credit order by 1`,
      `select attempt_id, amount_cents::text, status from sandbox.movement order by 1`,
    ];
    const rows = await Promise.all(texts.map((text) => fixture.owner.query(text)));
    const invoices = fixture.invoices().then((lines) => lines.map((line) => line.replace(/ again at .*/, '')));
    const views = [invoices, fixture.charges(), fixture.releases(), fixture.balances()];
    return [...rows, ...(await Promise.all<unknown>(views))];
  }

  describeCrashes('a collection from balances', {
    worker: () => fixture.worker,
    startAnew,
    run: (database) => fixture.runDue(database && { database }),
    goOn,
    books,
    statementsMin: 40,
    commitsMin: 6,
  });
});

describe('balance refund crashes', () => {
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
});

describe('top up crashes', () => {
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
});
