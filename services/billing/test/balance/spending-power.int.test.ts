import { describe, expect, it } from '@jest/globals';
import { createDatabase } from '@tollgate/database/database';
import { ada, bob } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';
import { silentLog as log } from '../support/silent-log.ts';

/** Ada owes 10 USD and less than a cent for January, which is due on February 2nd. */
const fixture = useCollection({ price: '1.0005', uses: { [ada]: 10 }, now: '2026-01-10T00:00:00Z' });

/** As the gateway asks: per account balance, owed, credit limit, all in micro-dollars, and the two facts. */
async function ask(...accounts: string[]): Promise<unknown[]> {
  const gateway = createDatabase({ url: fixture.database.urlFor('ingest_gateway_worker'), name: 'test-gateway', log });
  const text = `select left(consumer_id::text, 1) as id, balance_micros::text, owed_micros::text, credit_limit_micros::text,
    is_past_due, has_payment_method from billing.spending_power_v1($1, $2, array_fill($2::timestamptz, array[cardinality($1::uuid[])]))`;
  const rows = await gateway.query(text, [accounts, new Date(fixture.clock.now()).toISOString()]);
  await gateway.stop();
  return rows.map((row): unknown[] => Object.values(row));
}

describe('F102 what the gate reads of the money of accounts', () => {
  it('is nothing of accounts that have none', async () => {
    expect(await ask(ada, bob)).toEqual([
      ['a', '0', '0', null, false, false],
      ['b', '0', '0', null, false, false],
    ]);
  });

  it('is what an invoice could take at this time: no expired credit, no disputed top-up', async () => {
    await fixture.putCard(ada, 'visa');
    await fixture.topUp(ada, 500n);
    await fixture.grant(ada, 300n, { expires: '2026-01-11T00:00:00Z' });
    expect(await ask(ada)).toEqual([['a', '8000000', '0', null, false, true]]);
    fixture.clock.set(Date.parse('2026-01-11T00:00:00Z'));
    expect(await ask(ada)).toEqual([['a', '5000000', '0', null, false, true]]);
    await fixture.owner.query(
      `insert into billing.dispute (dispute_id, processor, processor_dispute_id, top_up_id, amount_cents, status, opened_at)
       select gen_random_uuid(), 'sandbox', 'dp', top_up_id, 100, 'open', now() from billing.top_up`,
    );
    expect(await ask(ada)).toEqual([['a', '0', '0', null, false, true]]);
  });

  it('is owed from the close until something pays it, with what is carried on', async () => {
    await fixture.grant(ada, 400n);
    await fixture.reach('2026-02-02T00:00:00Z'); // the balance pays 4 of 10.005 USD
    expect(await fixture.invoices()).toEqual(['a 2026-01 open 1000']);
    expect(await ask(ada)).toEqual([['a', '0', '6005000', null, false, false]]);
    await fixture.reach('2026-02-17T00:00:00Z');
    expect(await ask(ada)).toEqual([['a', '0', '6005000', null, true, false]]);
    await fixture.putCard(ada, 'visa');
    await fixture.runDue();
    expect(await ask(ada)).toEqual([['a', '0', '5000', null, false, true]]);
  });
});
