import { gateRedChecks } from './gate-red-checks.ts';
import type { RedCheck } from './red-check.ts';

const backUpTest = 'packages/database/test/back-up.int.test.ts';
const standaloneBackupTest = 'services/standalone/test/backup.int.test.ts';
const killTest = 'e2e/kill/kill.e2e.int.test.ts';
const countingTest = 'services/aggregator/test/counting/counting.int.test.ts';
const archivedKeysTest = 'services/aggregator/test/counting/archived-keys.int.test.ts';
const simulatedTest = 'services/aggregator/test/counting/counting-simulation.test.ts';
const simulatedOnPostgresTest = 'services/aggregator/test/counting/counting-simulation.int.test.ts';
const matrixTest = 'e2e/isolation/matrix.e2e.int.test.ts';
const ledgerTest = 'services/billing/test/ledger/ledger.int.test.ts';
const appendLaneTest = 'packages/event-log/test/kafka/append-lane.int.test.ts';
const subscribeTest = 'packages/event-log/test/kafka/subscribe.int.test.ts';
const groupMemberTest = 'packages/event-log/src/kafka/group-member.test.ts';
const chargesInPartsTest = 'services/billing/test/collection/charges-in-parts.int.test.ts';
const payoutCrashesTest = 'services/billing/test/payouts/payout-crashes.int.test.ts';
const newsTest = 'packages/runtime/test/auth/news-in-time.int.test.ts';
const breachedTest = 'services/auth/src/accounts/breached-passwords.test.ts';
const balanceRefundsTest = 'services/billing/test/balance/balance-refunds.int.test.ts';
const deviceLoginTest = 'services/auth/test/device-login/device-login.int.test.ts';
const ownPayoutsTest = 'services/billing/test/processor/own-payouts.int.test.ts';
const moneySimulationTest = 'services/billing/test/operate/money-simulation.int.test.ts';
const moneyWorld = 'F45 F50 F51 F52 F53 F56 drift by no micro-dollar from plain sums: world 1';
const stripeSettlementTest = 'services/billing/test/processor/stripe-settlement.int.test.ts';
const meterTest = 'packages/sdk/test/meter.int.test.ts';
const killed = 'F01 F12 F34';
const sameRows = 'F12 F13 F14 F27 F35 PostgreSQL and the model';

export const redChecks: readonly RedCheck[] = [
  ...gateRedChecks,
  {
    patch: 'device-token-given-again',
    test: deviceLoginTest,
    red: [{ title: 'F241 gives one token to many', because: /[+] +200,/ }],
  },
  {
    patch: 'device-token-of-ended-session',
    test: deviceLoginTest,
    red: [{ title: 'F241 ends with what ends sessions', because: /[+] .*"status": 200/ }],
  },
  {
    patch: 'device-code-guessed-freely',
    test: deviceLoginTest,
    red: [{ title: 'F242 are guessed no faster', because: /[-] +429,\s+[+] +404,/ }],
  },
  {
    patch: 'reconcile-forgets-unsettled',
    test: 'services/billing/test/audit/reconcile.int.test.ts',
    red: [{ title: 'F120 finds nothing', because: /spent 60000, its usage comes to 70000/ }],
  },
  {
    patch: 'archived-tool-not-forgotten',
    test: 'services/ingest-gateway/test/tools/archived-tool.int.test.ts',
    red: [{ title: 'F159 forgets an archived tool', because: /not within 1000 ms: the condition never held/ }],
  },
  {
    patch: 'top-up-a-cent-short',
    test: moneySimulationTest,
    red: [{ title: moneyWorld, because: /cash: expected/ }],
  },
  {
    patch: 'expiry-leaves-a-cent',
    test: moneySimulationTest,
    red: [{ title: moneyWorld, because: /has expired and has 1 cents left/ }],
  },
  {
    patch: 'pass-sum-overwritten',
    test: countingTest,
    red: [{ title: 'F95 counts the events', because: /[+] .*t 1 5 / }],
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
  { patch: 'key-table-removed', test: killTest, red: [{ title: killed, because: /doubled: .* is counted again/ }] },
  {
    patch: 'old-ids-forgotten',
    test: 'services/aggregator/test/counting/two-ids.int.test.ts',
    red: [{ title: 'F191 counts once when its repeat', because: /Expected|Received/ }],
  },
  {
    patch: 'new-archives-not-known',
    test: archivedKeysTest,
    red: [{ title: 'F173 counts once after its archive', because: /[-] +41,\s+[+] +81,/ }],
  },
  {
    patch: 'keys-removed-too-early',
    test: archivedKeysTest,
    red: [{ title: 'F173 that is killed at any statement', because: /[-] +41,\s+[+] +81,/ }],
  },
  { patch: 'answer-before-append', test: killTest, red: [{ title: killed, because: /lost: .* is not counted/ }] },
  {
    patch: 'cursor-not-compared',
    test: countingTest,
    red: [{ title: 'F13 F14', because: /Received promise resolved instead of rejected/ }],
  },
  {
    patch: 'cursor-not-compared',
    test: simulatedOnPostgresTest,
    red: [{ title: sameRows, because: /a flush from \d+ was counted at cursor \d+/ }],
  },
  {
    patch: 'key-table-removed',
    test: simulatedOnPostgresTest,
    red: [{ title: sameRows, because: /"repeats"?.* instead of / }],
  },
  {
    patch: 'inserts-unordered',
    test: countingTest,
    red: [{ title: 'F37 four writers', because: /deadlock detected/ }],
  },
  {
    patch: 'nest-failed-batch-swallowed',
    test: 'services/aggregator/test/counting/usage-consumer.int.test.ts',
    red: [{ title: 'F33 hands a batch out again', because: /[-] .*"firstOffset": 0n[^]*[+] .*"firstOffset": \d+n/ }],
  },
  {
    patch: 'flood-read-first',
    test: 'services/ingest-gateway/test/recording/weather.int.test.ts',
    red: [{ title: 'F83 refuses before it reads', because: /Received.*0/ }],
  },
  {
    patch: 'revocation-not-heard',
    test: 'services/ingest-gateway/test/shared-memory/redis.int.test.ts',
    red: [{ title: 'F69 no longer lets a revoked key in', because: /not within 5000 ms/ }],
  },
  {
    patch: 'news-polled-late',
    test: newsTest,
    red: [{ title: 'a revoked key is known within', because: /no run took less than 1000 ms: 2/ }],
  },
  {
    patch: 'news-connection-not-asked',
    test: newsTest,
    red: [{ title: 'delays the news of a revoked key', because: /no run took less than 1000 ms: [1-5]/ }],
  },
  {
    patch: 'news-not-announced',
    test: newsTest,
    red: [{ title: 'a revoked key is known before', because: /no run took less than 250 ms: [45]/ }],
  },
  {
    patch: 'redis-waited-for',
    test: 'services/ingest-gateway/test/shared-memory/redis.int.test.ts',
    red: [{ title: 'F08 is decided by the gateway', because: /no run took less than 60 ms: (1\d|2\d)\d\d,/ }],
  },
  {
    patch: 'breach-filter-unread',
    test: breachedTest,
    red: [{ title: 'is refused if it is of 10 to', because: /[+] +"is": false/ }],
  },
  {
    patch: 'breach-list-unchecked',
    test: breachedTest,
    red: [{ title: 'has another byte', because: /Received promise resolved/ }],
  },
  {
    patch: 'decoy-cheaper',
    test: 'services/auth/test/accounts/enumeration.int.test.ts',
    red: [{ title: 'F71 takes the same time', because: /Expected: .*< .*0\.1[^]*Received: .*0\.[1-9]/ }],
  },
  {
    patch: 'sign-in-not-locked',
    test: 'services/auth/test/accounts/password.int.test.ts',
    red: [{ title: 'lets no sign-in with the old', because: /\+ +"status": 200/ }],
  },
  {
    patch: 'silent-connections-kept',
    test: 'packages/database/test/database.int.test.ts',
    red: [{ title: 'costs one time-out, not one for each', because: /cannot reach its storage/ }],
  },
  {
    patch: 'kafka-answer-before-append',
    test: appendLaneTest,
    red: [{ title: 'F17 rejects what it cannot know', because: /Received promise resolved instead of rejected/ }],
  },
  {
    patch: 'kafka-leader-alone',
    test: appendLaneTest,
    red: [{ title: 'F19 asks for the word of all', because: /[-] +-1,\s+[+] +1,/ }],
  },
  {
    patch: 'kafka-old-generation-read',
    test: groupMemberTest,
    red: [{ title: 'is not handed out once the group', because: /[+] +"1–2"/ }],
  },
  {
    patch: 'kafka-two-handlers',
    test: groupMemberTest,
    red: [{ title: 'is not read while a handler', because: /[+] +"0–2"/ }],
  },
  {
    patch: 'kafka-cursor-not-sought',
    test: subscribeTest,
    red: [{ title: 'F13 goes by its own cursor', because: /[-] +"b",\s+[-] +"c",/ }],
  },
  {
    patch: 'kafka-gap-not-refused',
    test: subscribeTest,
    red: [
      { title: 'F23 does not begin where some', because: /handed out c/ },
      {
        title: 'F23 stops when records are deleted before they are counted, and the log goes',
        because: /handed out c/,
      },
    ],
  },
  {
    patch: 'kafka-gap-not-refused',
    test: 'packages/event-log/src/kafka/log-ends.test.ts',
    red: [{ title: 'F23 has lost records where it begins', because: /Received function did not throw/ }],
  },
  {
    patch: 'kafka-failed-batch-swallowed',
    test: 'packages/event-log/test/event-log.kafka.int.test.ts',
    red: [{ title: 'hands out a batch again', because: /- +"[0-9a-f-]{36}",?\s+\+ +"[0-9a-f-]{36}"/ }],
  },
  {
    patch: 'watermark-without-deadline',
    test: simulatedTest,
    red: [{ title: 'F05 F12 F13', because: /the watermark is at \d+.*(is not counted|without it)/ }],
  },
  {
    patch: 'late-append-acknowledged',
    test: 'services/ingest-gateway/src/recording/record-events.test.ts',
    red: [
      { title: 'F16 never tells a success after the deadline', because: /recorded/ },
      { title: 'F49 never tells a success after the clock was moved', because: /recorded/ },
    ],
  },
  {
    patch: 'dropped-uncounted',
    test: 'services/aggregator/test/retention/watermark-and-retention.int.test.ts',
    red: [
      { title: 'F44 drops a day only once the watermark', because: /event_20260813/ },
      { title: 'F44 keeps a segment of the log', because: /record_batch_20261101/ },
    ],
  },
  {
    patch: 'ended-session-let-in',
    test: matrixTest,
    red: [{ title: 'F69 refuses the tokens of a session', because: /Expected: .*401/ }],
  },
  {
    patch: 'policy-opened',
    test: matrixTest,
    red: [{ title: 'F75 O5 lets billing_api see no row', because: /"name": "usage\.rollup"/ }],
  },
  {
    patch: 'builder-sees-metadata',
    test: matrixTest,
    red: [{ title: 'F72 O5 shows a builder who called', because: /Expected substring: not .*canary/ }],
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
    patch: 'backup-log-not-kept',
    test: backUpTest,
    red: [{ title: 'F192 is whole although', because: /ENOENT|could not|already been removed/ }],
  },
  {
    patch: 'backup-log-not-copied',
    test: backUpTest,
    red: [{ title: 'F192 is whole although', because: /PostgreSQL|could not|checkpoint/ }],
  },
  {
    patch: 'backup-not-compared',
    test: backUpTest,
    red: [{ title: 'F192 that is damaged', because: /did not throw/ }],
  },
  {
    patch: 'hot-copy-started',
    test: standaloneBackupTest,
    red: [{ title: 'F194 is refused', because: /Exceeded timeout|Expected|ready/ }],
  },
  {
    patch: 'restored-sessions-kept',
    test: standaloneBackupTest,
    red: [{ title: 'F192 F193', because: /Expected: 401[^]*Received: 200/ }],
  },
  {
    patch: 'revoked-keys-revived',
    test: standaloneBackupTest,
    red: [{ title: 'F192 F193', because: /1 API keys are revoked/ }],
  },
  {
    patch: 'spool-not-flushed',
    test: 'packages/sdk/test/meter-disks.int.test.ts',
    red: [{ title: 'F145 has every event', because: /[-] Expected +- 10\d/ }],
  },
  {
    patch: 'spool-not-fenced',
    test: meterTest,
    red: [{ title: 'F205 an event whose segment was taken', because: /Expected length:\s+2/ }],
  },
  {
    patch: 'spool-key-made-anew',
    test: meterTest,
    red: [{ title: 'F206 events whose answer was lost', because: /within/ }],
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
    patch: 'spool-torn-tail-kept',
    test: 'packages/sdk/test/spool-corpus.int.test.ts',
    red: [{ title: 'F200 is read as its expected.json says: torn-tail', because: /damaged_line/ }],
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
    red: [{ title: 'at Stripe: a payout that is not booked', because: /it is not booked/ }],
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
