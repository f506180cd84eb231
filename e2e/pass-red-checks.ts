import { redIn, type RedCheck } from './red-check.ts';

/** The defences of passes, of what follows a hold into the log, and of the money that balances have. */
export const passRedChecks: readonly RedCheck[] = [
  ...redIn('services/ingest-gateway/test/passes/passes.int.test.ts', [
    ['pass-opens-everything', 'F92 reads itself', /Expected: 403\s+Received: 200/],
    ['passes-counted-unlocked', 'refuses the eleventh', /Expected length: 4/],
    ['passes-not-followed', 'is refused by the other gateway: a revoked', /not within 10000 ms/],
    ['passes-not-followed', 'counts at the other gateway: the tools', /not within 10000 ms/],
    ['budgets-not-followed', 'counts at the other gateway: a budget', /not within 10000 ms/],
  ]),
  ...redIn('services/ingest-gateway/test/passes/child-passes.int.test.ts', [
    ['pass-outlives-its-parent', 'a revoked pass leaves no live pass below it', /Expected: 404\s+Received: 200/],
    ['pass-not-bounded-from-above', 'paused', /Expected: "pass_refused"\s+Received: 201/],
    ['pass-made-while-revoked', 'a child that is made at this moment ends with it', /not within 10000 ms/],
    ['children-counted-unlocked', 'of 100 live children', /- +"too_many_passes"/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/pass-trees.int.test.ts', [
    ['pass-under-its-parent-alone', 'of four levels', /Expected length: 500/],
    ['pass-parts-not-held', 'has spent what they have spent before', /[+] +"held": 10000n/],
    ['pass-parts-not-spent', 'has spent what they have spent before', /[+] +"spent": 10000n/],
    ['pass-parts-unheard', 'pays for a call of a part', /[+] +"spent": 0n/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/passes-that-pay.int.test.ts', [
    ['gate-pass-of-another-builder', 'F109 is answered 403', /- +"code": "pass_refused"/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/authorizations.int.test.ts', [
    ['gate-open-without-postgres', 'who has a budget gets 503', /[+] +"status": 201/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/outages.int.test.ts', [
    ['gate-open-without-postgres', 'who has a cap gets 503', /[+] +20[01],/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/in-between-payments.int.test.ts', [
    ['gate-capture-not-bound', 'F248 a dearer price comes', /[+] +"status": 201/],
    ['gate-next-window-not-held', 'F248 the month of a budget ends', /- +"2026-12-01"/],
    ['gate-freed-hold-captured', 'F249 a gateway whose clock is behind', /Received: "captured"/],
    ['gate-freed-by-the-clock', 'F249 a gateway whose clock is ahead refuses', /Received: "held"/],
  ]),
  ...redIn('services/aggregator/test/counting/freed-events.int.test.ts', [
    ['freed-events-counted', 'F104 does not count once', /Expected: 2\s+Received: 3/],
    ['freed-by-their-own-batch', 'F104 counts while', /Expected: 2\s+Received: 1/],
    ['freed-first-hides-second', 'F104 counts the second', /Expected: 1\s+Received: 0/],
  ]),
  ...redIn('services/billing/test/balance/top-ups.int.test.ts', [
    ['disputed-top-up-spent', 'is not spent while the dispute is open', /Expected length: 2\s+Received length: 1/],
    ['automatic-top-ups-unbounded', 'F100 is refused beyond its month', /resolved instead of rejected/],
  ]),
  ...redIn('services/billing/test/balance/time-of-credits.int.test.ts', [
    [
      'grant-pays-any-call',
      'pays for it, also when it has expired before the month closes',
      /[+] +"a 2026-01 paid 1000"/,
    ],
    [
      'grant-expires-before-its-calls-are-counted',
      'is taken back when the watermark is 24 hours past',
      /Expected: "300"\s+Received: "100"/,
    ],
  ]),
  ...redIn('services/ingest-gateway/test/gate/paying.int.test.ts', [
    ['gate-grant-ends-during-hold', '402 covers no call that may come after the hour', /[+] +"status": 201/],
  ]),
  ...redIn('services/billing/test/balance/planted-balances.int.test.ts', [
    ['reconcile-without-grants', 'calls of another time, in the books alone', /grants_calls/],
  ]),
  ...redIn('services/billing/test/balance/balance.int.test.ts', [
    ['expired-credit-spendable', 'is what an invoice could take', /[+] +"8000000"/],
  ]),
];
