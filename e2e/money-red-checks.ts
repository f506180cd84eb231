import type { RedCheck } from './red-check.ts';

const ledgerTest = 'services/billing/test/ledger/ledger.int.test.ts';
const chargesInPartsTest = 'services/billing/test/collection/charges-in-parts.int.test.ts';
const payoutCrashesTest = 'services/billing/test/payouts/payout-crashes.int.test.ts';
const balanceRefundsTest = 'services/billing/test/balance/balance-refunds.int.test.ts';
const ownPayoutsTest = 'services/billing/test/processor/own-payouts.int.test.ts';
const moneySimulationTest = 'services/billing/test/operate/money-simulation.int.test.ts';
const moneyWorld = 'F45 F50 F51 F52 F53 F56 F264 drift by no micro-dollar from plain sums: world 1';
const stripeSettlementTest = 'services/billing/test/processor/stripe-settlement.int.test.ts';

/** The defences of billing. */
export const moneyRedChecks: readonly RedCheck[] = [
  {
    patch: 'reconcile-forgets-unsettled',
    test: 'services/billing/test/audit/reconcile.int.test.ts',
    red: [{ title: 'F120 finds nothing', because: /spent 60000, its usage comes to 70000/ }],
  },
  {
    patch: 'usage-not-sealed',
    test: 'services/billing/test/audit/planted-differences.int.test.ts',
    red: [{ title: 'F278 name in keys and seals of usage: an event that was taken out', because: /sealed 0 calls/ }],
  },
  {
    patch: 'inbox-not-compared',
    test: 'services/billing/test/audit/planted-differences.int.test.ts',
    red: [{ title: 'F278 name in the inbox of webhooks: an inbox that was emptied', because: /Received array: +\[\]/ }],
  },
  {
    patch: 'fees-not-replayed',
    test: 'services/billing/test/audit/fee-of-each-line.int.test.ts',
    red: [{ title: 'and names both lines between which a fee was moved: released', because: /Expected length: 2/ }],
  },
  {
    patch: 'top-up-a-cent-short',
    test: moneySimulationTest,
    red: [{ title: moneyWorld, because: /cash: expected/ }],
  },
  {
    patch: 'expiry-leaves-a-cent',
    test: 'services/billing/test/balance/balance.int.test.ts',
    red: [{ title: 'that expires first is spent first', because: /[+] +"701"/ }],
  },
  {
    patch: 'settled-cents-taken-for-dollars',
    test: stripeSettlementTest,
    red: [{ title: 'collects invoices, and books', because: /[+] +"fee_cents": 108/ }],
  },
  {
    patch: 'automatic-payouts-unseen',
    test: stripeSettlementTest,
    red: [{ title: 'are a warning at the start', because: /setup_problems\{.*\} 0/ }],
  },
  {
    patch: 'open-invoice-shows-balance',
    test: 'services/billing/src/invoicing/pdf/render-pdf.test.ts',
    red: [{ title: 'F222 says which part', because: /Paid from the balance/ }],
  },
  {
    patch: 'ledger-unbalanced',
    test: ledgerTest,
    red: [
      { title: 'refuses a transaction that does not sum to zero', because: /promise resolved instead of rejected/ },
    ],
  },
  {
    patch: 'closers-not-locked',
    test: 'services/billing/test/invoicing/close-crashes.int.test.ts',
    red: [{ title: 'makes each invoice once when two and more close at once', because: /duplicate key/ }],
  },
  {
    patch: 'later-months-paid-early',
    test: 'services/billing/test/payouts/payouts.int.test.ts',
    red: [{ title: 'F269 that was passed over gives each month its row', because: /149920/ }],
  },
  {
    patch: 'disputed-charge-refunded',
    test: 'services/billing/test/refunds/disputed-charges.int.test.ts',
    red: [{ title: 'is refused at once, also in part', because: /promise resolved instead of rejected/ }],
  },
  {
    patch: 'due-work-by-one-time',
    test: 'services/billing/src/operate/run-due-work.test.ts',
    red: [{ title: 'F268 of one kind lets the others', because: /received value must be a number/ }],
  },
  {
    patch: 'closed-too-early',
    test: 'services/billing/test/invoicing/close-periods.int.test.ts',
    red: [{ title: 'waits for the watermark', because: /2026-10/ }],
  },
  {
    patch: 'order-not-looked-up',
    test: 'services/billing/test/collection/charge-attempts.int.test.ts',
    red: [{ title: 'F60 is never given blindly', because: /Received.*1[^]*unknown 1000/ }],
  },
  {
    patch: 'order-not-looked-for',
    test: 'services/billing/test/collection/restored-backup.int.test.ts',
    red: [{ title: 'F36 F91 pays nobody again whose first transfer was refused', because: /Received length:\s+2/ }],
  },
  {
    patch: 'outcome-without-its-effect',
    test: 'services/billing/test/collection/collection-crashes.int.test.ts',
    red: [{ title: 'comes to the same, whichever statement it dies at', because: /charged \d+, paid 0/ }],
  },
  {
    patch: 'transfer-not-looked-for',
    test: payoutCrashesTest,
    red: [{ title: 'looks for an unsettled attempt', because: /[+] +\d+,/ }],
  },
  {
    patch: 'transfer-index-removed',
    test: payoutCrashesTest,
    red: [{ title: 'refuses a second unsettled attempt', because: /promise resolved instead of rejected/ }],
  },
  {
    patch: 'refund-leaves-gross',
    test: 'services/billing/test/refunds/refunds.int.test.ts',
    red: [{ title: 'takes back of builder and platform', because: /platform_fees/ }],
  },
  {
    patch: 'failed-payout-not-set-aside',
    test: 'services/billing/test/payouts/failed-payouts.int.test.ts',
    red: [{ title: 'keeps its money: a later payout takes only later earnings', because: /toEqual|toMatchObject/ }],
  },
  {
    patch: 'charge-not-parted',
    test: chargesInPartsTest,
    red: [{ title: 'F213 is charged in parts', because: /amount_too_large/ }],
  },
  {
    patch: 'parts-not-stray',
    test: chargesInPartsTest,
    red: [{ title: 'F213 gives its parts', because: /part_paid/ }],
  },
  {
    patch: 'balance-refund-not-held',
    test: balanceRefundsTest,
    red: [{ title: 'whose answer is lost', because: /Expected: "500 500"\s+Received: "1300 500 800"/ }],
  },
  {
    patch: 'balance-refund-unlocked',
    test: balanceRefundsTest,
    red: [{ title: 'takes no money on which', because: /not within 5000 ms|condition|eventually/i }],
  },
  {
    patch: 'balance-refund-of-used',
    test: balanceRefundsTest,
    red: [
      { title: 'leaves what calls and invoices need', because: /Received promise resolved instead of rejected/ },
      { title: 'leaves what the gate holds', because: /Received: "1300:/ },
    ],
  },
  {
    patch: 'own-payout-swept-once',
    test: ownPayoutsTest,
    red: [{ title: 'is found by the daily sweep', because: /"bank": "10"/ }],
  },
  {
    patch: 'own-payout-old-reading',
    test: ownPayoutsTest,
    red: [{ title: 'is read again where an old reading', because: /Expected path: not "bank"/ }],
  },
  {
    patch: 'own-payout-not-named',
    test: 'services/billing/test/audit/reconcile-own-payouts.int.test.ts',
    red: [{ title: 'a payout at Stripe: a payout that is not booked', because: /it is not booked/ }],
  },
  {
    patch: 'open-dispute-not-set-aside',
    test: 'services/billing/test/operate/sandbox-disputes.int.test.ts',
    red: [{ title: 'F232 a dispute that is held open', because: /\+\s+5000/ }],
  },
  {
    patch: 'passes-share-by-the-row',
    test: 'services/billing/test/usage/usage-by-pass.int.test.ts',
    red: [{ title: 'F96 gives the cheap tiers of a month', because: /"granularity": ""/ }],
  },
];
