import { describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { byOperator } from '../support/by-operator.ts';
import { ada, bob } from '../support/cast.ts';
import { useCollectionOnce } from '../support/use-collection.ts';
import { findInBooks } from '../support/find-in-books.ts';
import { balancesSql, deletePostingSql, plant, type PlantedRow, postSql } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';

/** January: balance and card paid Ada's 10 USD, of which 8 were refunded. Bob's credit of 3 USD expired. */
const fixture = useCollectionOnce({
  uses: { [ada]: 10 },
  cards: { [ada]: 'visa' },
  now: '2026-01-10T00:00:00Z',
  async then({ grant, reach, invoiceId, refundInvoice }) {
    await grant(ada, 400n);
    await grant(bob, 300n, { expires: '2026-01-20T00:00:00Z' });
    await reach('2026-01-21T00:00:00Z');
    await reach('2026-02-02T00:00:00Z');
    const refund = { invoiceId: await invoiceId(ada, '2026-01'), amountCents: 800n, idempotencyKey: undefined };
    await refundInvoice({ ...refund, by: byOperator });
  },
});

const findAll = (database: Database) => findInBooks(database, fixture.processor, '2026-01');

const rows: readonly PlantedRow[] = [
  plant('what a credit has left', /each credit has left the sum of its moves/)`
    update billing.balance_credit set left_cents = left_cents + 1 where account_id = '${ada}'`,
  plant('what a credit has left, with a move of it', /the ledger has each move of a balance: credit-expired/)`
    insert into billing.balance_move (business_key, credit_id, account_id, amount_cents, moved_at)
     select 'credit-expired:' || credit_id || ':9', credit_id, account_id, -1, now() from billing.balance_credit where account_id = '${ada}'`,
  plant('the amount of a credit', /each credit has left the sum of its moves/)`
    update billing.balance_credit set amount_cents = amount_cents + 1 where account_id = '${ada}'`,
  plant('the owner of a credit', /each credit has left the sum of its moves/)`
    update billing.balance_credit set account_id = '${bob}' where account_id = '${ada}'`,
  plant('a balance below zero', /no balance is below zero/)`
    update billing.ledger_account set balance_micros = 5 where kind = 'consumer_balance' and owner_id = '${bob}'`,
  ['a grant that was not posted', deletePostingSql('credit:%'), /the ledger has each move of a balance: credit:/],
  ['a payment that was not posted', deletePostingSql('balance-paid:%'), /lines_ledger: balance-paid:/],
  plant('an expiry without its move', /every posting belongs to a document: credit-expired/)`
    delete from billing.balance_move where business_key like 'credit-expired:%'`,
  plant('a payment for another invoice', /the balance pays at most what an invoice bills/)`
    update billing.balance_move set invoice_id = gen_random_uuid() where business_key like 'balance-paid:%'`,
  plant('a payment without its move', /the ledger has each payment with its released lines/)`
    delete from billing.balance_move where business_key like 'balance-paid:%'`,
  plant('the amount of a payment', /each successful charge paid its invoice or is a stray/)`
    update billing.balance_move set amount_cents = amount_cents - 1 where business_key like 'balance-paid:%'`,
  plant('the balance’s part of a refund', /refunds give back to balances what they say/)`
    update billing.refund set balance_cents = balance_cents + 1`,
  plant('the balance’s part of a refund and its move', /each refund that the operator ordered is its order/)`
    update billing.refund set balance_cents = balance_cents + 1;
     update billing.balance_move set amount_cents = amount_cents + 1 where business_key like 'refund:%'`,
  plant('a posting that gives a balance more', /the balances are what their credits have left/)`
    update billing.ledger_entry set amount_micros = amount_micros * 2 where transaction_id in
       (select transaction_id from billing.ledger_transaction where business_key like 'credit:%'); ${balancesSql}`,
  plant('a posting of nothing that was granted', /every posting belongs to a document: credit:/)`
    ${postSql(`'credit:' || gen_random_uuid()`, { from: 'consumer_balance', to: 'promotions', micros: 5 })}`,
  plant('the date of a grant', /moves of balances and their postings have the same dates/)`
    update billing.balance_credit set created_at = created_at - interval '1 day'`,
  plant('a credit that was taken back too early', /the credit expires at/)`
    update billing.balance_credit set expires_at = expires_at + interval '9 days' where expires_at is not null`,
];

const rowsOfGrants: readonly PlantedRow[] = [
  plant(
    'a grant that begins after the calls that it paid for',
    /grants pay for calls of their time.*when it was not valid/,
  )`
    update billing.balance_credit set effective_from = '2026-01-05T01:00:00Z' where account_id = '${ada}'`,
  plant('what a grant paid for', /grants pay for calls of their time.*paid 400 cents, for calls of 399 cents/)`
    update billing.laid_part set cents = cents - 1`,
  plant('a part that is not stored', /grants pay for calls of their time.*for calls of 0 cents/)`
    delete from billing.laid_part`,
  plant(
    'calls of another time, in the books alone',
    /grants_calls: credit .* paid 400 cents of invoice 1, its calls come to 0/,
  )`
    update billing.laid_part set from_at = '2026-01-08T00:00:00Z', to_at = '2026-01-08T01:00:00Z';
     update billing.balance_credit set effective_from = '2026-01-07T00:00:00Z' where account_id = '${ada}'`,
];

describe('F267 the ledger check and reconcile', () => {
  it.each(rowsOfGrants)('%s, are named', async (...[, sql, found]) => {
    expect(await planted(fixture.owner, sql, findAll)).toContainEqual(expect.stringMatching(found));
  });
});

describe('F229 the ledger check and reconcile', () => {
  it('find nothing in healthy books', async () => {
    expect(await findAll(fixture.worker)).toEqual([]);
  });

  it.each(rows)('name %s', async (...[, sql, found]) => {
    expect(await planted(fixture.owner, sql, findAll)).toContainEqual(expect.stringMatching(found));
  });
});
