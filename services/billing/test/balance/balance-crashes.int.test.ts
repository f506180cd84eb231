import { toIso } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import { ada, bob, cora } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { describeCrashes } from '../support/describe-crashes.ts';
import { closedTables, forgetMoney } from '../support/forget-money.ts';
import { putWatermark } from '../support/put-rollup.ts';

const tables = [...closedTables, 'processor_attempt', 'released_line', 'balance_move', 'balance_credit'];

/** The balance pays all of Ada's invoice and a part of Bob's and Cora's. Bob's card pays the rest, Cora's is declined. */
const fixture = useCollection({
  uses: { [ada]: 10, [bob]: 10, [cora]: 10 },
  cards: { [bob]: 'visa', [cora]: 'declined' },
  now: '2026-02-02T00:00:00Z',
});

describeCrashes('a collection from balances', {
  worker: () => fixture.worker,
  startAnew,
  run: (database) => fixture.runDue(database && { database }),
  goOn,
  books,
  statementsMin: 40,
  commitsMin: 6,
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
