import { describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { ada, bob, cora } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { closedTables, forgetMoney } from '../support/forget-money.ts';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { describeCrashes } from '../support/describe-crashes.ts';

/** A write-off that its payment restored: whether it comes first is a matter of who of several is there first. */
const withoutUndone = `where not (t.business_key ~ '^(written-off|restored):' and exists (
  select from billing.ledger_transaction where business_key = 'restored:' || split_part(t.business_key, ':', 2)))`;

/** All is due at once: each is past due, then written off; then Ada is charged and pays, Bob is declined, Cora has no card. */
const fixture = useCollection({
  uses: { [ada]: 990, [bob]: 1_010, [cora]: 1_030 },
  usesOfMaps: { [ada]: 1_200, [bob]: 1_200, [cora]: 1_200 },
  cards: { [ada]: 'visa', [bob]: 'declined' },
  now: '2026-06-01T00:00:00Z',
  last: ({ close }) => close('2026-01'),
});

describeCrashes('a collection', {
  worker: () => fixture.worker,
  startAnew,
  run: (database) => fixture.runDue(database && { database }),
  goOn,
  books,
  statementsMin: 40,
  commitsMin: 8,
});

describe('F45 collections at once', () => {
  it('charges once when several collect at once', async () => {
    const undisturbed = await booksAfter('standing');
    for (let round = 0; round < 5; round += 1) {
      await startAnew();
      await fixture.runDueAtOnce();
      expect(await books('standing')).toEqual(undisturbed);
      await fixture.proveLedger();
    }
  }, 120_000);

  it('charges an invoice that was locked while all were aged, and does not write it off', async () => {
    const undisturbed = await booksAfter('standing');
    await startAnew();
    const adas = await fixture.invoiceId(ada, '2026-01');
    let running: Promise<void> | undefined;
    await fixture.owner.transaction(async (tx) => {
      await tx.query('select from billing.invoice where invoice_id = $1 for update', [adas]);
      running = fixture.runDue();
      await eventually(() => isLockAwaited(fixture.owner), { withinMs: 5_000 });
    });
    await running;
    const entries = 'select from billing.ledger_transaction where business_key = $1';
    expect(await fixture.owner.query(entries, [`written-off:${adas}`])).toEqual([]);
    expect(await books('standing')).toEqual(undisturbed);
  });

  it('charges no invoice again that another process charged after the look', async () => {
    const undisturbed = await booksAfter('all');
    await startAnew();
    await fixture.runDue({ database: overtaken() });
    expect(await books()).toEqual(undisturbed);
  });

  /** Between its look for what is due and what it does about it another does all of it. */
  function overtaken(): Database {
    const { worker } = fixture;
    let isOvertaken = false;
    return {
      ...worker,
      async query<Row extends object>(...[statement, values]: Parameters<Database['query']>) {
        const rows = await worker.query<Row>(statement, values);
        const isLook = typeof statement === 'string' && statement.includes('i.collect_at <= $1');
        if (isLook && !isOvertaken) {
          isOvertaken = true;
          await fixture.runDue();
        }
        return rows;
      },
    };
  }
});

/** Another process, a minute later: what the first left unknown is looked up. */
async function goOn(): Promise<void> {
  fixture.clock.advance(60_000);
  await fixture.runDue();
  await fixture.proveLedger();
}

/** Everything that collection writes, in one comparable value; times and the numbers of transactions are not part of it. */
async function books(which: 'all' | 'standing' = 'all'): Promise<unknown> {
  const texts = {
    entries: `select business_key, kind, owner_id, amount_micros::text from billing.ledger_transaction t
      join billing.ledger_entry using (transaction_id) join billing.ledger_account using (ledger_account_id)
      ${which === 'standing' ? withoutUndone : ''} order by 1, 2, 3, 4`,
    gross: 'select builder_id, gross_key, gross_micros from billing.builder_gross order by 1, 2',
    atProcessor: `select attempt_id, amount_cents::text, status from sandbox.movement order by 1`,
  };
  const tables = await Promise.all(Object.values(texts).map((text) => fixture.owner.query(text)));
  const views = [fixture.invoices(), fixture.charges(), fixture.releases(), fixture.balances()];
  return [...tables, ...(await Promise.all<unknown>(views))];
}

/** After a run that nothing disturbs. */
async function booksAfter(which: 'all' | 'standing'): Promise<unknown> {
  await fixture.runDue();
  return books(which);
}

/** As after the close. */
async function startAnew(): Promise<void> {
  await forgetMoney(fixture.database, [...closedTables, 'processor_attempt', 'released_line']);
  await fixture.close('2026-01');
}
