import { balancesSql, plant, type PlantedRow, strayMovementSql } from './plant-sql.ts';
import { builder, consumer, otherBuilder, otherConsumer } from './reconciled-month.ts';

const ofOrder = (kind: string, change: string) =>
  `update billing.processor_attempt set ${change} where kind = '${kind}'`;
const atSandbox = (kind: string, change: string) => `update sandbox.movement set ${change} where kind = '${kind}'`;
const accountOf = (owner: string) => `(select account_id from sandbox.account where reference = '${owner}')`;
const customerOf = (owner: string) => `(select customer_id from sandbox.customer where reference = '${owner}')`;
const lost = `status = 'lost'`;
const cashRow = /cash_balance: the processor holds .* USD that billing moved, the ledger’s cash is /;

/** Differences between orders and the processor, and in disputes and refunds. */
export const orderRows: readonly PlantedRow[] = [
  ['the amount of a charge', ofOrder('charge', 'amount_cents = amount_cents - 1'), /the processor has 4\.5 USD/],
  plant('the party of a charge', /it is of cus_.* with us, of cus_.* at the processor/)`
    ${ofOrder('charge', `party_id = ${customerOf(otherConsumer)}`)}`,
  plant('the party of a transfer', /it is of acct_.* with us, of acct_.* at the processor/)`
    ${ofOrder('transfer', `party_id = ${accountOf(otherBuilder)}`)}`,
  ['the charge of a refund', ofOrder('refund', `party_id = 'ch_another'`), /it is of ch_another with us/],
  plant('swapped object ids', /it is re_.* with us, ch_.* at the processor/)`
    drop index billing.attempt_of_object; update billing.processor_attempt a set object_id = case kind when 'charge' then (select object_id from sandbox.movement where kind = 'refund')
     else (select object_id from sandbox.movement where kind = 'charge') end where kind in ('charge', 'refund')`,
  plant('the fee of a charge', /its fee is 0\.42 USD, at the processor 0\.43 USD/)`
    ${ofOrder('charge', 'fee_cents = fee_cents - 1')}`,
  plant('the fee of a charge with its posting', /its fee is 0\.3 USD, at the processor 0\.43 USD/)`
    ${ofOrder('charge', 'fee_cents = 30')}; update billing.ledger_entry e set amount_micros = sign(amount_micros) * 300000
     from billing.ledger_transaction t where t.transaction_id = e.transaction_id and business_key like 'charge-fee:%'; ${balancesSql}`,
  ['the outcome of a transfer', ofOrder('transfer', `status = 'failed'`), /failed with us, succeeded at the processor/],
  plant('the outcome of a refund', /failed with us, succeeded at the processor/)`
    ${ofOrder('refund', `status = 'failed'`)}; update billing.refund set status = 'failed', succeeded_at = null where cause = 'operator'`,
  plant('the date of an order', /the processor made it at/)`
    ${ofOrder('charge', `started_at = started_at - interval '9 days', settled_at = settled_at - interval '9 days'`)}`,
  plant('an order that was removed', /transfer tr_.*: we never ordered it, or have lost the order/)`
    delete from billing.processor_attempt where kind = 'transfer'`,
  plant('an order of no document', /each order is of its document/)`
    insert into billing.processor_attempt select gen_random_uuid(), kind, gen_random_uuid(), 1, processor, 'another', amount_cents,
     party_id, payment_method_id, status, 'ch_another', null, 0, started_at, begun_at, null, settled_at from billing.processor_attempt where kind = 'charge'`,
  plant('a customer that the processor does not have', /customer cus_.*: the processor has none/)`
    update billing.processor_customer set processor_customer_id = processor_customer_id || 'x' where account_id = '${consumer}'`,
  plant('a swapped customer', /customer cus_.* of 1000000a.*: at the processor it is of 1000000b/)`
    delete from billing.processor_customer where account_id = '${otherConsumer}'; update billing.processor_customer set processor_customer_id = ${customerOf(otherConsumer)} where account_id = '${consumer}'`,
  plant('a replaced payout account', /payout account acct_evil of .*: the processor has none/)`
    update billing.connected_account set processor_account_id = 'acct_evil' where account_id = '${builder}'`,
  plant(
    'a payout account of another builder',
    /payout account acct_.* of 0000000b.*: at the processor it is of 0000000c/,
  )`
    delete from billing.connected_account where account_id = '${otherBuilder}'; update billing.connected_account set processor_account_id = ${accountOf(otherBuilder)} where account_id = '${builder}'`,
];

export const processorRows: readonly PlantedRow[] = [
  plant('a transfer to another account', /of acct_.* with us, of acct_.* at the processor/)`
    ${atSandbox('transfer', `party_id = ${accountOf(otherBuilder)}`)}`,
  plant('a transfer to another account, with us too', /transfer .* is of 0000000b.*, but acct_.* is of 0000000c/)`
    ${atSandbox('transfer', `party_id = ${accountOf(otherBuilder)}`)}; ${ofOrder('transfer', `party_id = ${accountOf(otherBuilder)}`)}`,
  plant(
    'a transfer to an account of nobody, with us too',
    /transfer .* is of 0000000b.*, but acct_evil is no account or customer that it ever had/,
  )`
    ${atSandbox('transfer', `party_id = 'acct_evil'`)}; ${ofOrder('transfer', `party_id = 'acct_evil'`)}`,
  plant(
    'a charge of a customer of nobody, with us too',
    /charge .* is of 1000000a.*, but cus_evil is no account or customer that it ever had/,
  )`
    ${atSandbox('charge', `party_id = 'cus_evil'`)}; ${ofOrder('charge', `party_id = 'cus_evil'`)}`,
  plant(
    'another card than we show',
    /customer cus_.* of 1000000a.*: its card is .*visa 4242.* with us, .*mastercard 4444.* at the processor/,
  )`
    update sandbox.customer set brand = 'mastercard', last4 = '4444' where reference = '${consumer}'`,
  plant('a charge of another customer', /of cus_.* with us, of cus_.* at the processor/)`
    ${atSandbox('charge', `party_id = ${customerOf(otherConsumer)}`)}`,
  ['a refund of another charge', atSandbox('refund', `party_id = 'ch_another'`), /of ch_another at the processor/],
  ['an amount', atSandbox('transfer', 'amount_cents = amount_cents + 1'), /the processor has 3\.51 USD/],
  ['a fee', atSandbox('charge', 'fee_cents = fee_cents + 1'), /its fee is 0\.43 USD, at the processor 0\.44 USD/],
  ['a date', atSandbox('charge', `created_at = created_at + interval '3 days'`), /the processor made it at/],
  ['a state', atSandbox('transfer', 'reverses_at = created_at'), /succeeded with us, reversed at the processor/],
  ['a mark', atSandbox('refund', 'attempt_id = gen_random_uuid()::text'), /which the processor made for/],
  plant('a movement that was removed', /refund .*: succeeded with us, and the processor has none/)`
    delete from sandbox.movement where kind = 'refund'`,
  plant('an unknown transfer', /transfer stray of 0\.77 USD: we never ordered it/)`
    ${strayMovementSql('transfer', '2024-02-09Z')}`,
  plant('an unknown transfer on the last day of the next month', /transfer stray of 0\.77 USD: we never ordered it/)`
    ${strayMovementSql('transfer', '2024-02-29T23:59:59Z')}`,
  plant('an unknown charge on the first day of the month', /charge stray of 0\.77 USD: we never ordered it/)`
    ${strayMovementSql('charge', '2024-01-01Z')}`,
  ['an unknown transfer of the year before', strayMovementSql('transfer', '2023-01-01Z'), cashRow],
  ['an unknown charge of a year later', strayMovementSql('charge', '2025-03-01Z'), cashRow],
  plant('a refund that we lack', /refund stray of 0\.77 USD: we never ordered it/)`
    ${strayMovementSql('refund', '2024-02-05Z')}`,
  plant('a dispute that we lack', /dispute dp_stray of 0\.07 USD .*: we do not have it/)`
    insert into sandbox.dispute select 'dp_stray', charge_id, 7, 'lost', created_at from sandbox.dispute where ${lost}`,
  plant('an amount of a dispute', /dispute dp_.*: it is of 0\.4 USD and lost with us, of 0\.45 USD and lost/)`
    update sandbox.dispute set amount_cents = amount_cents + 5 where ${lost}`,
  plant('the charge of a dispute', /dispute dp_.*: it is of ch_.* with us, re_.* at the processor/)`
    update sandbox.dispute set charge_id = (select object_id from sandbox.movement where kind = 'refund') where ${lost}`,
  ['a dispute that was removed', `delete from sandbox.dispute where ${lost}`, /dispute dp_.*: the processor has none/],
];

export const disputeRows: readonly PlantedRow[] = [
  plant('a dispute booked short', /dispute dp_.*: it is of 0\.3 USD and lost with us/)`
    update billing.dispute set amount_cents = amount_cents - 10 where ${lost}`,
  plant('a dispute and its refund booked short', /dispute dp_.*: it took 0\.3 USD with us, 0\.4 USD at the processor/)`
    update billing.dispute set amount_cents = 30 where ${lost}; update billing.refund set amount_cents = 30 where cause = 'dispute'`,
  plant('a dispute set back', /open with us, of 0\.4 USD and lost at the processor/)`
    update billing.dispute set status = 'open', closed_at = null, refund_id = null where ${lost}`,
  plant('a won dispute set back', /of 0\.2 USD and open with us/)`
    update billing.dispute set status = 'open', closed_at = null where status = 'won'`,
  ['a dispute that we lost', `delete from billing.dispute where ${lost}`, /dispute dp_.*: we do not have it/],
  plant('the date of a dispute', /it was opened at/)`
    update billing.dispute set opened_at = opened_at - interval '1 day' where ${lost}`,
  plant('a fee of a dispute', /ledger has the processor’s fee on each dispute/)`
    update billing.dispute set fee_cents = 15, fee_postings = 1 where ${lost}`,
  plant('a refund booked short', /refund .* of 0\.5 USD: the processor has 1 USD/)`
    update billing.refund set amount_cents = 50 where cause = 'operator'; update billing.processor_attempt set amount_cents = 50 where kind = 'refund'`,
  plant('a refund set back', /every posting belongs to a document: refund:/)`
    update billing.refund set status = 'pending', succeeded_at = null where cause = 'operator'`,
  plant('the invoice of a refund', /it is of no charge of its invoice/)`
    update billing.refund set invoice_id = (select invoice_id from billing.invoice where consumer_id = '${otherConsumer}') where cause = 'operator'`,
  plant('a refund that was invented', /no dispute became it/)`
    insert into billing.refund (refund_id, invoice_id, amount_cents, cause, status, created_at, succeeded_at)
     select gen_random_uuid(), invoice_id, 5, 'dispute', 'succeeded', created_at, succeeded_at from billing.refund where cause = 'operator'`,
];

/** Differences between the inbox of webhooks and the processor's own list of events. */
export const inboxRows: readonly PlantedRow[] = [
  plant(
    'an inbox that was emptied',
    /inbox_events: event evt_.* \(charge\.succeeded\) of 2024-02-.*: its webhook is not in our inbox/,
  )`
    delete from billing.webhook_event`,
  plant(
    'a webhook that was taken out',
    /inbox_events: event evt_.* \(transfer\.succeeded\) of 2024-02-.*: its webhook is not in our inbox/,
  )`
    delete from billing.webhook_event where type = 'transfer.succeeded'`,
  plant(
    'a webhook that was invented',
    /inbox_events: event evt_invented \(refund\.failed\) of 2024-02-09T00:00:00\.000Z: it is in our inbox, and the processor has none/,
  )`
    insert into billing.webhook_event (processor, event_id, type, object_kind, object_id, received_at, created_at)
     values ('sandbox', 'evt_invented', 'refund.failed', 'refund', 're_1', '2024-02-09Z', '2024-02-09Z')`,
  plant(
    'an event that the processor lost',
    /inbox_events: event evt_.* \(transfer\.succeeded\) .*: it is in our inbox, and the processor has none/,
  )`
    delete from sandbox.event where type = 'transfer.succeeded'`,
];
