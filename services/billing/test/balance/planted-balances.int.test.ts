import { describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { byOperator } from '../support/by-operator.ts';
import { ada, bob } from '../support/cast.ts';
import { useCollectionOnce } from '../support/use-collection.ts';
import { findInBooks } from '../support/find-in-books.ts';
import { type PlantedRow, balancesSql, deletePostingSql, plant, postSql } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';

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

const ofAda = `where account_id = '${ada}'`;

describe('planted balances', () => {
  /** January: balance and card paid Ada's 10 USD, of which 8 were refunded. Bob's credit of 3 USD expired. */
  const fixture = useCollectionOnce({
    uses: { [ada]: 10 },
    cards: { [ada]: 'visa' },
    now: '2026-01-10T00:00:00Z',
    async last({ grant, reach, invoiceId, refundInvoice }) {
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
});

describe('F229 the ledger check and reconcile', () => {
  /** January: of Ada's 9 USD a lost dispute took 4, and she got 1 back. Bob's card was declined, then it paid 3 USD. */
  const fixture = useCollectionOnce({
    now: '2026-01-10T00:00:00Z',
    cards: { [ada]: 'visa', [bob]: 'declined' },
    async last({ topUp, putCard, disputeTopUp, refundBalance }) {
      await topUp(ada, 900n);
      await topUp(bob, 200n);
      await putCard(bob, 'visa');
      await topUp(bob, 300n);
      await disputeTopUp(ada, 400n, 'lost');
      await refundBalance(ada, 100n);
    },
  });

  const findAll = (database: Database) => findInBooks(database, fixture.processor, '2026-01');

  const rows: readonly PlantedRow[] = [
    plant('a top-up that was not posted', /the ledger has each top-up and each of its refunds: top-up:/)`
    ${deletePostingSql('top-up:%')}`,
    ['a dispute that was not posted', deletePostingSql('top-up-refund:%'), /lines_ledger: top-up-refund:/],
    plant('the amount of a top-up', /each top-up is its charge and its credit/)`
    update billing.top_up set amount_cents = amount_cents + 1 ${ofAda}`,
    plant(
      'the amount of a top-up, with its charge, its credit and its posting',
      /ledger_processor: charge .* the processor has 9 USD/,
    )`
    update billing.top_up set amount_cents = amount_cents + 1 ${ofAda};
     update billing.processor_attempt set amount_cents = amount_cents + 1 where subject_id in (select top_up_id from billing.top_up ${ofAda});
     update billing.balance_credit set amount_cents = amount_cents + 1, left_cents = left_cents + 1 ${ofAda};
     update billing.balance_move set amount_cents = amount_cents + 1 where business_key like 'top-up:%' and account_id = '${ada}';
     update billing.ledger_entry set amount_micros = amount_micros + sign(amount_micros) * 10000 where transaction_id in
       (select transaction_id from billing.ledger_transaction join billing.balance_move using (business_key)
        where business_key like 'top-up:%' and account_id = '${ada}'); ${balancesSql}`,
    plant('the owner of a top-up', /each order is of its document and of its party: charge .* top-up of b0000000/)`
    update billing.top_up set account_id = '${bob}' ${ofAda}`,
    plant(
      'a failed top-up that is said to have succeeded',
      /each top-up is its charge and its credit: top-up .* is succeeded, of 200 cents: charges failed of 200, credit of no cents/,
    )`
    update billing.top_up set status = 'succeeded', failure_code = null, succeeded_at = created_at where status = 'failed'`,
    plant('a top-up that is said to have failed', /each top-up is its charge and its credit/)`
    update billing.top_up set status = 'failed', succeeded_at = null ${ofAda}`,
    plant('a top-up that is gone', /top-up of nobody/)`
    delete from billing.top_up_refund; delete from billing.balance_refund_part; update billing.dispute set top_up_id = null, invoice_id = gen_random_uuid();
     update billing.balance_credit set top_up_id = null ${ofAda}; delete from billing.top_up ${ofAda}`,
    plant('a credit that is a grant now', /each top-up is its charge and its credit: .* credit of no cents/)`
    update billing.balance_credit set top_up_id = null ${ofAda}`,
    plant('a charge of a top-up that never was', /ledger_processor: charge .* and the processor has none/)`
    insert into billing.processor_attempt (attempt_id, kind, subject_id, number, processor, idempotency_key, amount_cents, party_id,
       payment_method_id, of_top_up, status, object_id, started_at, settled_at)
     select gen_random_uuid(), kind, subject_id, 2, processor, 'planted', amount_cents, party_id, payment_method_id, true, status, 'ch_x',
       started_at, settled_at from billing.processor_attempt where subject_id in (select top_up_id from billing.top_up ${ofAda})`,
    plant(
      'what the balance gave for a dispute',
      /refunds of top-ups are the disputes and the moves of balances that they say/,
    )`
    update billing.top_up_refund set balance_cents = balance_cents - 1 where cause = 'dispute'`,
    plant('a dispute’s refund that gives more than the top-up was', /no top-up gives back more than it was/)`
    update billing.top_up_refund set amount_cents = amount_cents * 3 where cause = 'dispute'`,
    plant('a dispute’s refund that no dispute knows', /refund .* of a top-up, of 400 cents: no dispute became it/)`
    update billing.dispute set refund_id = gen_random_uuid()`,
    plant(
      'an ordered refund that was not held',
      /the ledger has each top-up and each of its refunds: top-up-refund-held:/,
    )`
    ${deletePostingSql('top-up-refund-held:%')}`,
    plant('an ordered refund that was not freed', /lines_ledger: top-up-refund-freed:/)`
    ${deletePostingSql('top-up-refund-freed:%')}`,
    plant(
      'the amount of a refund of a balance',
      /each refund of a balance is the sum of its parts: refund .* of 101 cents: parts 100/,
    )`
    update billing.balance_refund set amount_cents = amount_cents + 1`,
    plant('the owner of a refund of a balance', /each refund of a balance is the sum of its parts/)`
    update billing.balance_refund set account_id = '${bob}'`,
    plant(
      'a part that is said to have failed',
      /each part of a balance’s refund is its order, its moves and what its top-up gave/,
    )`
    update billing.balance_refund_part set status = 'failed'`,
    plant('a part of another amount', /each part of a balance’s refund is its order/)`
    update billing.balance_refund_part set amount_cents = 99; update billing.balance_refund set amount_cents = 99`,
    plant('a part of another top-up', /refund .* of charge .*: it is of no charge of its invoice or top-up/)`
    update billing.balance_refund_part set top_up_id = (select top_up_id from billing.top_up where amount_cents = 300)`,
    plant(
      'an ordered refund that no part knows',
      /refund .* of a top-up, of 100 cents: no part of a balance’s refund is it/,
    )`
    update billing.top_up_refund set refund_id = gen_random_uuid() where cause = 'ordered'`,
    plant('a refund that the processor has and the balance lacks', /each part of a balance’s refund is its order/)`
    update billing.processor_attempt set of_top_up = false where kind = 'refund'`,
    plant('the date of an ordered refund', /same dates: top-up-refund-freed:/)`
    update billing.balance_refund_part set settled_at = settled_at + interval '1 day'`,
    plant('the charge of an ordered refund', /ledger_processor: refund .* it is of ch_x with us/)`
    update billing.processor_attempt set party_id = 'ch_x' where kind = 'refund'`,
    plant('the amount of an ordered refund’s order', /ledger_processor: refund .* the processor has 1 USD/)`
    update billing.processor_attempt set amount_cents = 101 where kind = 'refund'`,
    ['the fee of a top-up’s charge', deletePostingSql('charge-fee:%'), /lines_ledger: charge-fee:/],
    plant('a posting of no top-up', /every posting belongs to a document: top-up:/)`
    ${postSql(`'top-up:' || gen_random_uuid()`, { from: 'consumer_balance', to: 'cash', micros: 50_000 })}`,
    plant('the date of a top-up', /same dates: top-up:/)`
    update billing.top_up set succeeded_at = succeeded_at + interval '1 day' ${ofAda}`,
    plant('the party of a top-up’s charge', /ledger_processor: charge .* it is of .* with us, of .* at the processor/)`
    update billing.processor_attempt set party_id = (select party_id from billing.processor_attempt where amount_cents = 300)
     where amount_cents = 900`,
  ];

  it('find nothing in healthy books with top-ups', async () => {
    expect(await findAll(fixture.worker)).toEqual([]);
  });

  it.each(rows)('name %s', async (...[, sql, found]) => {
    expect(await planted(fixture.owner, sql, findAll)).toContainEqual(expect.stringMatching(found));
  });
});
