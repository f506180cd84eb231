import { redIn, type RedCheck } from './red-check.ts';

/** The defences of the gate. */
export const gateRedChecks: readonly RedCheck[] = [
  ...redIn('services/ingest-gateway/test/gate/growing-holds.int.test.ts', [
    ['gate-holds-planned-once', 'never walks the tables of holds', /Received: 80000/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/asked-passes.int.test.ts', [
    ['gate-refused-pass-looked-up-twice', 'costs one look into PostgreSQL', /Received: 2/],
    [
      'gate-more-without-its-pass',
      'is refused once its pass is revoked, asked by the builder',
      /[+] +1000000000n/,
      'is refused once a call with its pass may come to less',
      /[+] +1000000000n/,
    ],
    [
      'gate-archived-not-captured',
      'is refused once the tool is archived, asked by the builder',
      /[+] +"tool_not_found"/,
    ],
    ['gone-pass-is-its-account', 'is refused, and never taken for', /Received: 201/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/alerts.int.test.ts', [
    ['gate-spent-parts-not-alerted', 'is raised once a window', /[+] +Array \[\]|Received: \[\]|- +"percent": 50/],
    ['gate-late-part-not-alerted', 'is raised for the window of its calls', /- +"percent": 50/],
    ['balance-compared-unlocked', 'F237 is raised once', /[+] +80,/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/caps.int.test.ts', [
    ['gate-cap-not-locked', 'decide one after the other', /[+] +"unavailable"/],
    ['gate-cap-not-guarded', 'decide one after the other', /[+] +"held",/],
    ['gate-hold-above-cap-stored', 'refuses a hold above its cap', /Received: .*"held"/],
    ['gate-pass-charged-for-others', 'F255 a pass is charged at most', /[+] .*"spent": 1000000n/],
    ['gate-line-open-at-once', 'a call is held as if nothing were free', /Received: "held"/],
    [
      'gate-unheard-not-spent',
      'counts in the day of a budget: a call',
      /[+] +"spent": 0n/,
      'counts in the cap of a pass, long after: by total',
      /[+] +"spent": 0n/,
    ],
    ['gate-window-unheard-of', 'F279 a consumer that keeps changing its windows', /[+] +503/],
  ]),
  ...redIn('e2e/distributed/gate.long.int.test.ts', [
    [
      'gate-release-in-two',
      'F239 what is released is free once if its gateway dies while it releases',
      /[+] .*"held_usd": 0.01/,
    ],
  ]),
  ...redIn('services/ingest-gateway/test/gate/captured-calls.int.test.ts', [
    ['gate-book-not-shared', 'a release waits for a capture', /not within 1500 ms/],
    ['gate-settled-call-captured', 'a call is settled once', /Received: "captured"/],
    ['gate-book-known-for-ever', 'a book that was asked for anew', /Received: "captured"/],
    ['gate-settled-in-two', 'F106 a settler that dies', /[+] .*"held": 500000n/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/in-between.int.test.ts', [
    ['gate-hold-not-locked', 'a release waits', /[+] .*"held": 0n/],
    ['gate-settled-by-two', 'writes nothing once', /[+] .*"spent": 250000n/],
    ['gate-two-snapshots', 'a call that is counted between', /[+] .*"spent": 500000n/],
    ['gate-freed-by-the-clock', 'stays held until', /[+] .*"held": 0n/],
    ['gate-balance-read-unlocked', 'is read after its row', /Received: .*true/],
    ['gate-billed-counted-twice', 'neither frees nor counts twice', /[+] .*"no_room"/],
    ['gate-balance-of-an-old-limit', 'begins anew when the limit', /Received: .*"no_room"/],
    ['dropped-holds-unspent', 'leave what they', /"unheld": 0n/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/extended-holds.int.test.ts', [
    ['gate-longer-costs-nothing', 'is refused to an account that is past due', /[+] .*"increased"/],
    ['gate-longer-joins-for-nothing', 'is refused by a day that has no room', /cannot hold 500000/],
    ['gate-extended-book-expires', 'keeps its captured calls held', /[+] .*"held": 0n/],
    ['gate-slow-clock-extends', 'gets no more time once the watermark', /[+] .*"increased"/],
    ['gate-line-ends-in-an-hour', 'pays no other call of its line', /Received: "held"/],
  ]),
  ...redIn('services/billing/test/balance/balance.int.test.ts', [
    ['balance-shown-without-holds', 'F238 is the room of the gate', /[+] +9995000n/],
  ]),
  ...redIn('packages/pricing/src/bound-charge.test.ts', [
    ['gate-flat-part-not-bound', 'is at least what the charge rises by', /Property failed/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/cap-lines.test.ts', [
    ['gate-line-bound-at-its-end', 'F254 calls under prices that step', /has spent \d+ and holds/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/in-between-payments.int.test.ts', [
    ['gate-past-due-let-in', 'has the same answer to a repeat', /[+] .*"held"/],
    ['gate-payment-not-read', 'is free as soon as', /Received: .*"past_due"/],
    ['gate-payment-method-not-read', 'bounds nothing once', /[+] .*"no_room"/],
    ['gate-allowance-of-an-old-loss', 'counts all that was called before', /[+] .*"held"/],
    ['gate-increase-outside-its-row', 'is opened by an increase', /[+] .*"kind": "increased"/],
    ['gate-hold-joins-no-row', 'is joined by the increased hold', /[+] .*"kind": "increased"/],
  ]),
  ...redIn('services/billing/test/collection/collection.int.test.ts', [
    ['past-due-not-locked', 'is so no more when', /Received: .*"a b"/],
  ]),
];
