import { redIn, type RedCheck } from './red-check.ts';

const moneyWorld = 'F45 F50 F51 F52 F53 F56 F264 drift by no micro-dollar from plain sums: world 1';

/** The defences of billing. */
export const moneyRedChecks: readonly RedCheck[] = [
  ...redIn('services/billing/test/audit/reconcile.int.test.ts', [
    ['reconcile-forgets-unsettled', 'F120 finds nothing', /spent 60000, its usage comes to 70000/],
  ]),
  ...redIn('services/billing/test/audit/planted-differences.int.test.ts', [
    ['usage-not-sealed', 'F278 name in keys and seals of usage: an event that was taken out', /sealed 0 calls/],
    ['inbox-not-compared', 'F278 name in the inbox of webhooks: an inbox that was emptied', /Received array: +\[\]/],
  ]),
  ...redIn('services/billing/test/fees/fees.int.test.ts', [
    ['money-path-forgets-fees', 'F376 bear it on', /the money of 2024-02 does not add up: 0, 720000/],
  ]),
  ...redIn('services/billing/test/audit/fee-of-each-line.int.test.ts', [
    ['fees-not-replayed', 'and names both lines between which a fee was moved: released', /Expected length: 2/],
  ]),
  ...redIn('services/billing/test/operate/money-simulation.int.test.ts', [
    ['top-up-a-cent-short', moneyWorld, /cash: expected/],
  ]),
  ...redIn('services/billing/test/balance/balance.int.test.ts', [
    ['expiry-leaves-a-cent', 'that expires first is spent first', /[+] +"701"/],
  ]),
  ...redIn('services/billing/test/processor/own-payouts.int.test.ts', [
    ['settled-cents-taken-for-dollars', 'collects invoices, and books', /[+] +"fee_cents": 108/],
    ['automatic-payouts-unseen', 'are a warning at the start', /setup_problems\{.*\} 0/],
    ['own-payout-swept-once', 'is found by the daily sweep', /"bank": "10"/],
    ['own-payout-old-reading', 'is read again where an old reading', /Expected path: not "bank"/],
    ['own-payout-not-named', 'a payout at Stripe: a payout that is not booked', /it is not booked/],
  ]),
  ...redIn('services/billing/src/invoicing/pdf/render-pdf.test.ts', [
    ['open-invoice-shows-balance', 'F222 says which part', /Paid from the balance/],
  ]),
  ...redIn('services/billing/test/ledger/ledger.int.test.ts', [
    ['ledger-unbalanced', 'refuses a transaction that does not sum to zero', /promise resolved instead of rejected/],
  ]),
  ...redIn('services/billing/test/invoicing/close-failures.int.test.ts', [
    ['closers-not-locked', 'makes each invoice once when two and more close at once', /duplicate key/],
  ]),
  ...redIn('services/billing/test/payouts/payouts.int.test.ts', [
    ['later-months-paid-early', 'F269 that was passed over gives each month its row', /149920/],
  ]),
  ...redIn('services/billing/test/refunds/disputes.int.test.ts', [
    ['disputed-charge-refunded', 'is refused at once, also in part', /promise resolved instead of rejected/],
  ]),
  ...redIn('services/billing/src/operate/run-due-work.test.ts', [
    ['due-work-by-one-time', 'F268 of one kind lets the others', /received value must be a number/],
  ]),
  ...redIn('services/billing/test/invoicing/close-periods.int.test.ts', [
    ['closed-too-early', 'waits for the watermark', /2026-10/],
  ]),
  ...redIn('services/billing/test/collection/charge-attempts.int.test.ts', [
    ['order-not-looked-up', 'F60 is never given blindly', /Received.*1[^]*unknown 1000/],
  ]),
  ...redIn('services/billing/test/collection/restored-backup.int.test.ts', [
    ['order-not-looked-for', 'F36 F91 pays nobody again whose first transfer was refused', /Received length:\s+2/],
  ]),
  ...redIn('services/billing/test/collection/collection-crashes.long.int.test.ts', [
    ['outcome-without-its-effect', 'comes to the same, whichever statement it dies at', /charged \d+, paid 0/],
  ]),
  ...redIn('services/billing/test/payouts/failed-payouts.int.test.ts', [
    ['transfer-not-looked-for', 'looks for an unsettled attempt', /[+] +\d+,/],
    ['transfer-index-removed', 'refuses a second unsettled attempt', /promise resolved instead of rejected/],
    [
      'failed-payout-not-set-aside',
      'keeps its money: a later payout takes only later earnings',
      /toEqual|toMatchObject/,
    ],
  ]),
  ...redIn('services/billing/test/refunds/refunds.int.test.ts', [
    ['refund-leaves-gross', 'takes back of builder and platform', /platform_fees/],
  ]),
  ...redIn('services/billing/test/collection/charges-in-parts.int.test.ts', [
    ['charge-not-parted', 'F213 is charged in parts', /amount_too_large/],
    ['parts-not-stray', 'F213 gives its parts', /part_paid/],
  ]),
  ...redIn('services/billing/test/balance/balance-refunds.int.test.ts', [
    ['balance-refund-not-held', 'whose answer is lost', /Expected: "500 500"\s+Received: "1300 500 800"/],
    ['balance-refund-unlocked', 'takes no money on which', /not within 5000 ms|condition|eventually/i],
    [
      'balance-refund-of-used',
      'leaves what calls and invoices need',
      /Received promise resolved instead of rejected/,
      'leaves what the gate holds',
      /Received: "1300:/,
    ],
  ]),
  ...redIn('services/billing/test/operate/sandbox.int.test.ts', [
    ['open-dispute-not-set-aside', 'F232 a dispute that is held open', /\+\s+5000/],
  ]),
  ...redIn('services/billing/test/usage/get-usage.int.test.ts', [
    ['passes-share-by-the-row', 'F96 gives the cheap tiers of a month', /"granularity": ""/],
  ]),
  ...redIn('services/billing/test/usage/read-each-rollup-once.int.test.ts', [
    ['usage-sent-by-the-hour', 'F377 sends one row', /Expected: < 104/],
  ]),
];
