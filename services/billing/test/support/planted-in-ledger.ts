import { balancesSql, deletePostingSql, plant, type PlantedRow, postSql } from './plant-sql.ts';
import { otherBuilder } from './reconciled-month.ts';

const asOf = (period: string) =>
  `update billing.ledger_transaction set period = ${period} where business_key like 'close:%';
   update billing.invoice set period = ${period}`;
const aPayout = '(select payout_id from billing.payout)';

/** Differences in postings, and in the money of builders. */
export const postingRows: readonly PlantedRow[] = [
  plant('balanced postings under a key of no known kind', /every posting belongs to a document: correction:1/)`
    ${postSql(`'correction:1'`, { from: 'cash', to: 'rounding', micros: 5_000_000 })}`,
  plant('balanced postings of builders under such a key', /every posting belongs to a document: bonus/)`
    ${postSql(`'bonus'`, { from: 'platform_fees', to: 'rounding', micros: 7 })}`,
  plant('a posting for a document that is not there', /every posting belongs to a document: refund:/)`
    ${postSql(`'refund:' || gen_random_uuid()`, { from: 'builder_payable', to: 'cash', micros: 100 })}`,
  plant('a payout’s posting in other accounts', /every posting uses only the accounts of its kind: payout:/)`
    ${postSql(`'payout:' || ${aPayout} || ':reversed:1'`, { from: 'platform_fees', to: 'rounding', micros: 100 })}`,
  plant('a posting too many for a payout', /lines_ledger: payout:/)`
    ${postSql(`'payout:' || ${aPayout} || ':reversed:1'`, { from: 'cash', to: 'in_transit', micros: 100 })}`,
  plant('an entry that does not balance', /each ledger transaction sums to zero/)`
    update billing.ledger_entry set amount_micros = amount_micros + 1 where place = 1; ${balancesSql}`,
  plant('two entries that balance', /ledger has the processor’s fee on each charge/)`
    update billing.ledger_entry e set amount_micros = amount_micros * 2 from billing.ledger_transaction t
     where t.transaction_id = e.transaction_id and business_key like 'charge-fee:%'; ${balancesSql}`,
  plant('an entry of another account', /uses only the accounts of its kind/)`
    update billing.ledger_entry set ledger_account_id = (select ledger_account_id from billing.ledger_account where kind = 'processor_fees')
     where ledger_account_id = (select ledger_account_id from billing.ledger_account where kind = 'builder_payable'); ${balancesSql}`,
  ['a posting that was removed', deletePostingSql('paid:%'), /lines_ledger: paid:/],
  ['a fee that was removed', deletePostingSql('charge-fee:%'), /ledger has the processor’s fee on each charge/],
  ['a refund’s posting that was removed', deletePostingSql('refund:%'), /ledger has each refund with its lines/],
  plant('the date of a posting', /same dates: refund:/)`
    update billing.ledger_transaction set occurred_at = occurred_at + interval '1 day' where business_key like 'refund:%'`,
  plant(
    'a posting and all that it says',
    /chain of hashes over postings is whole: transaction \d+ at place \d+: it or its seal was changed/,
  )`
    update billing.ledger_transaction set occurred_at = occurred_at - interval '1 hour' where business_key like 'payout:%:scheduled:1';
     update billing.payout set created_at = created_at - interval '1 hour'`,
  plant(
    'a removed posting that was sealed',
    /chain of hashes over postings is whole: transaction \d+ at place \d+: it was removed/,
  )`
    ${deletePostingSql('charge-fee:%')}`,
  plant(
    'the month of a posting',
    /each posting is of the month to which it belongs: refund:.*: it is of 2024-01, not of 2024-02/,
  )`
    update billing.ledger_transaction set period = '2024-01' where business_key like 'refund:%'`,
  plant(
    'a month later than its own, of a posting whose month is open',
    /each posting is of the month to which it belongs: refund:.*: it is of 2024-03, not of 2024-02/,
  )`
    update billing.ledger_transaction set period = '2024-03' where business_key like 'refund:%'`,
  plant(
    'the month of a close, with that of its invoice',
    /chain of hashes over postings is whole: transaction \d+ at place \d+: it or its seal was changed/,
  )`
    ${asOf("'2023-12'")}; update billing.closed_period set period = '2023-12'`,
  plant(
    'a posting in a closed month',
    /closed periods take no more postings: period 2024-01 was closed with 2 postings, and has 3/,
  )`
    insert into billing.ledger_transaction (business_key, occurred_at, period) values ('close:late', '2024-01-31Z', '2024-01')`,
  ['a removed seal', `delete from billing.seal where chain = 'ledger' and place = 2`, /from place 2, were removed/],
  plant('a balance', /each balance is the sum of its entries/)`
    update billing.ledger_account set balance_micros = balance_micros - 1 where kind = 'cash'`,
  plant('the key of a posting', /every posting belongs to a document: charge-fee:/)`
    update billing.ledger_transaction set business_key = business_key || ':1' where business_key like 'charge-fee:%'`,
];

export const builderRows: readonly PlantedRow[] = [
  ['the builder of a released line', `update billing.released_line set builder_id = '${otherBuilder}'`, /released by/],
  plant('the fee on a released line', /lines_ledger: paid:/)`
    update billing.released_line set earning_micros = earning_micros - 7, fee_micros = fee_micros + 7`,
  ['a released line that was removed', 'delete from billing.released_line', /a paid invoice releases its lines/],
  plant('the builder of a refunded line', /each to its builder/)`
    update billing.refunded_line set builder_id = '${otherBuilder}'`,
  plant('the amount of a refunded line', /ledger has each refund with its lines/)`
    update billing.refunded_line set charge_micros = charge_micros + 10, earning_micros = earning_micros + 10`,
  plant('the gross of a builder', /gross is its released less its refunded/)`
    update billing.builder_gross set gross_micros = gross_micros + 1000`,
  plant('the amount of a payout', /each payout is the sum of its lines/)`
    update billing.payout set net_cents = net_cents + 1`,
  plant('the builder of a payout', /agrees with the status and transfers of each payout/)`
    update billing.payout set builder_id = '${otherBuilder}'`,
  plant('the status of a payout', /agrees with the status and transfers/)`
    update billing.payout set status = 'failed', paid_at = null, due_at = created_at`,
  plant('the date of a payout', /same dates: payout .*: paid at/)`
    update billing.payout set paid_at = paid_at - interval '1 day'`,
  ['a payout that was removed', 'delete from billing.payout', /every posting belongs to a document: payout:/],
  plant(
    'the month of a payout, with its payout day',
    /each payout is of the month that its id is made of: payout .* is labelled 2023-12/,
  )`
    update billing.payout set period = '2023-12'; update billing.payout_day set period = '2023-12'`,
  plant(
    'the last payout day that was removed',
    /each payout is of a payout day: payout .* of 2024-01: its payout day has no row/,
  )`
    delete from billing.payout_day where period = (select max(period) from billing.payout_day)`,
  plant('a payout day before its month’s end', /payout day of 2024-01 was at/)`
    update billing.payout_day set done_at = '2024-01-05Z'`,
];
