import type { RedCheck } from './red-check.ts';

const paymentsTest = 'services/ingest-gateway/test/gate/in-between-payments.int.test.ts';
const inBetweenTest = 'services/ingest-gateway/test/gate/in-between.int.test.ts';
const linesTest = 'services/ingest-gateway/test/gate/lines.int.test.ts';
const callsTest = 'services/ingest-gateway/test/gate/captured-calls.int.test.ts';
const moreTest = 'services/ingest-gateway/test/gate/more-is-a-new-ask.int.test.ts';
const alertsTest = 'services/ingest-gateway/test/gate/spending-alerts.int.test.ts';

/** The defences of the gate. */
export const gateRedChecks: readonly RedCheck[] = [
  {
    patch: 'gate-holds-planned-once',
    test: 'services/ingest-gateway/test/gate/growing-holds.int.test.ts',
    red: [{ title: 'never walks the tables of holds', because: /Received: 80000/ }],
  },
  {
    patch: 'gate-refused-pass-looked-up-twice',
    test: 'services/ingest-gateway/test/gate/refused-passes.int.test.ts',
    red: [{ title: 'costs one look into PostgreSQL', because: /Received: 2/ }],
  },
  {
    patch: 'gate-spent-parts-not-alerted',
    test: alertsTest,
    red: [{ title: 'is raised once a window', because: /[+] +Array \[\]|Received: \[\]|- +"percent": 50/ }],
  },
  {
    patch: 'gate-late-part-not-alerted',
    test: alertsTest,
    red: [{ title: 'is raised for the window of its calls', because: /- +"percent": 50/ }],
  },
  {
    patch: 'gate-cap-not-locked',
    test: 'services/ingest-gateway/test/gate/holds-within-caps.int.test.ts',
    red: [{ title: 'decide one after the other', because: /[+] +"unavailable"/ }],
  },
  {
    patch: 'gate-cap-not-guarded',
    test: 'services/ingest-gateway/test/gate/holds-within-caps.int.test.ts',
    red: [{ title: 'decide one after the other', because: /[+] +"held",/ }],
  },
  {
    patch: 'gate-hold-above-cap-stored',
    test: 'services/ingest-gateway/test/gate/holds-within-caps.int.test.ts',
    red: [{ title: 'refuses a hold above its cap', because: /Received: .*"held"/ }],
  },
  {
    patch: 'gate-release-in-two',
    test: 'e2e/distributed/gate.long.int.test.ts',
    red: [
      {
        title: 'F239 what is released is free once if its gateway dies while it releases',
        because: /[+] .*"held_usd": 0.01/,
      },
    ],
  },
  {
    patch: 'gate-book-not-shared',
    test: callsTest,
    red: [{ title: 'a release waits for a capture', because: /not within 1500 ms/ }],
  },
  {
    patch: 'gate-settled-call-captured',
    test: callsTest,
    red: [{ title: 'a call is settled once', because: /Received: "captured"/ }],
  },
  {
    patch: 'gate-book-known-for-ever',
    test: callsTest,
    red: [{ title: 'a book that was asked for anew', because: /Received: "captured"/ }],
  },
  {
    patch: 'gate-hold-not-locked',
    test: inBetweenTest,
    red: [{ title: 'a release waits', because: /[+] .*"held": 0n/ }],
  },
  {
    patch: 'gate-settled-in-two',
    test: 'services/ingest-gateway/test/gate/dying-settler.int.test.ts',
    red: [{ title: 'F106 a settler that dies', because: /[+] .*"held": 500000n/ }],
  },
  {
    patch: 'gate-settled-by-two',
    test: inBetweenTest,
    red: [{ title: 'writes nothing once', because: /[+] .*"spent": 250000n/ }],
  },
  {
    patch: 'gate-two-snapshots',
    test: inBetweenTest,
    red: [{ title: 'a call that is counted between', because: /[+] .*"spent": 500000n/ }],
  },
  {
    patch: 'gate-freed-by-the-clock',
    test: inBetweenTest,
    red: [{ title: 'stays held until', because: /[+] .*"held": 0n/ }],
  },
  {
    patch: 'gate-balance-read-unlocked',
    test: inBetweenTest,
    red: [{ title: 'is read after its row', because: /Received: .*true/ }],
  },
  {
    patch: 'gate-billed-counted-twice',
    test: inBetweenTest,
    red: [{ title: 'neither frees nor counts twice', because: /[+] .*"no_room"/ }],
  },
  {
    patch: 'gate-balance-of-an-old-limit',
    test: inBetweenTest,
    red: [{ title: 'begins anew when the limit', because: /Received: .*"no_room"/ }],
  },
  {
    patch: 'balance-compared-unlocked',
    test: 'services/ingest-gateway/test/gate/balance-alerts.int.test.ts',
    red: [{ title: 'F237 is raised once', because: /[+] +80,/ }],
  },
  {
    patch: 'balance-shown-without-holds',
    test: 'services/billing/test/balance/spendable.int.test.ts',
    red: [{ title: 'F238 is the room of the gate', because: /[+] +9995000n/ }],
  },
  {
    patch: 'gate-flat-part-not-bound',
    test: 'packages/pricing/src/bound-charge.test.ts',
    red: [{ title: 'is at least what the charge rises by', because: /Property failed/ }],
  },
  {
    patch: 'gate-line-bound-at-its-end',
    test: 'services/ingest-gateway/test/gate/cap-lines.test.ts',
    red: [{ title: 'F254 calls under prices that step', because: /has spent \d+ and holds/ }],
  },
  {
    patch: 'gate-pass-charged-for-others',
    test: linesTest,
    red: [{ title: 'F255 a pass is charged at most', because: /[+] .*"spent": 1000000n/ }],
  },
  {
    patch: 'gate-line-open-at-once',
    test: linesTest,
    red: [{ title: 'a call is held as if nothing were free', because: /Received: "held"/ }],
  },
  {
    patch: 'dropped-holds-unspent',
    test: inBetweenTest,
    red: [{ title: 'leave what they', because: /"unheld": 0n/ }],
  },
  {
    patch: 'gate-unheard-not-spent',
    test: 'services/ingest-gateway/test/gate/unheard-caps.int.test.ts',
    red: [
      { title: 'counts in the day of a budget: a call', because: /[+] +"spent": 0n/ },
      { title: 'counts in the cap of a pass, long after: by total', because: /[+] +"spent": 0n/ },
    ],
  },
  {
    patch: 'gate-past-due-let-in',
    test: paymentsTest,
    red: [{ title: 'has the same answer to a repeat', because: /[+] .*"held"/ }],
  },
  {
    patch: 'gate-payment-not-read',
    test: paymentsTest,
    red: [{ title: 'is free as soon as', because: /Received: .*"past_due"/ }],
  },
  {
    patch: 'gate-payment-method-not-read',
    test: paymentsTest,
    red: [{ title: 'bounds nothing once', because: /[+] .*"no_room"/ }],
  },
  {
    patch: 'gate-allowance-of-an-old-loss',
    test: paymentsTest,
    red: [{ title: 'counts all that was called before', because: /[+] .*"held"/ }],
  },
  {
    patch: 'gate-increase-outside-its-row',
    test: paymentsTest,
    red: [{ title: 'is opened by an increase', because: /[+] .*"kind": "increased"/ }],
  },
  {
    patch: 'gate-hold-joins-no-row',
    test: paymentsTest,
    red: [{ title: 'is joined by the increased hold', because: /[+] .*"kind": "increased"/ }],
  },
  {
    patch: 'gate-more-without-its-pass',
    test: moreTest,
    red: [
      { title: 'is refused once its pass is revoked, asked by the builder', because: /[+] +1000000000n/ },
      { title: 'is refused once a call with its pass may come to less', because: /[+] +1000000000n/ },
    ],
  },
  {
    patch: 'gate-archived-not-captured',
    test: moreTest,
    red: [{ title: 'is refused once the tool is archived, asked by the builder', because: /[+] +"tool_not_found"/ }],
  },
  {
    patch: 'gate-window-unheard-of',
    test: 'services/ingest-gateway/test/gate/changing-windows.int.test.ts',
    red: [{ title: 'F279 a consumer that keeps changing its windows', because: /[+] +503/ }],
  },
  {
    patch: 'gone-pass-is-its-account',
    test: moreTest,
    red: [{ title: 'is refused, and never taken for', because: /Received: 201/ }],
  },
  {
    patch: 'past-due-not-locked',
    test: 'services/billing/test/collection/past-due-accounts.int.test.ts',
    red: [{ title: 'is so no more when', because: /Received: .*"a b"/ }],
  },
];
