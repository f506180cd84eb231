import { describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { ada, bob } from '../support/cast.ts';
import { useCollectionOnce } from '../support/use-collection.ts';
import { findInBooks } from '../support/find-in-books.ts';
import { balancesSql, deletePostingSql, plant, type PlantedRow, postSql } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';

/** January: of Ada's 9 USD a lost dispute took 4, and she got 1 back. Bob's card was declined, then it paid 3 USD. */
const fixture = useCollectionOnce({
  now: '2026-01-10T00:00:00Z',
  cards: { [ada]: 'visa', [bob]: 'declined' },
  async then({ topUp, putCard, disputeTopUp, refundBalance }) {
    await topUp(ada, 900n);
    await topUp(bob, 200n);
    await putCard(bob, 'visa');
    await topUp(bob, 300n);
    await disputeTopUp(ada, 400n, 'lost');
    await refundBalance(ada, 100n);
  },
});

const findAll = (database: Database) => findInBooks(database, fixture.processor, '2026-01');

const ofAda = `where account_id = '${ada}'`;

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

describe('F229 the ledger check and reconcile', () => {
  it('find nothing in healthy books with top-ups', async () => {
    expect(await findAll(fixture.worker)).toEqual([]);
  });

  it.each(rows)('name %s', async (...[, sql, found]) => {
    expect(await planted(fixture.owner, sql, findAll)).toContainEqual(expect.stringMatching(found));
  });
});
