import type { RedCheck } from './red-check.ts';

const passesTest = 'services/ingest-gateway/test/passes/passes.int.test.ts';
const freedTest = 'services/aggregator/test/counting/freed-events.int.test.ts';
const timesTest = 'services/ingest-gateway/test/gate/in-between-times.int.test.ts';

/** The defences of passes, of what follows a hold into the log, and of the money that balances have. */
export const passRedChecks: readonly RedCheck[] = [
  {
    patch: 'pass-opens-everything',
    test: passesTest,
    red: [{ title: 'F92 reads itself', because: /Expected: 403\s+Received: 200/ }],
  },
  {
    patch: 'passes-counted-unlocked',
    test: passesTest,
    red: [{ title: 'refuses the eleventh', because: /Expected length: 4/ }],
  },
  {
    patch: 'passes-not-followed',
    test: passesTest,
    red: [{ title: 'is refused by the other gateway: a revoked', because: /not within 10000 ms/ }],
  },
  {
    patch: 'passes-not-followed',
    test: passesTest,
    red: [{ title: 'counts at the other gateway: the tools', because: /not within 10000 ms/ }],
  },
  {
    patch: 'budgets-not-followed',
    test: passesTest,
    red: [{ title: 'counts at the other gateway: a budget', because: /not within 10000 ms/ }],
  },
  {
    patch: 'gate-pass-of-another-builder',
    test: 'services/ingest-gateway/test/gate/passes-that-pay.int.test.ts',
    red: [{ title: 'F109 is answered 403', because: /- +"code": "pass_refused"/ }],
  },
  {
    patch: 'gate-open-without-postgres',
    test: 'services/ingest-gateway/test/gate/authorizations.int.test.ts',
    red: [{ title: 'who has a budget gets 503', because: /[+] +"status": 201/ }],
  },
  {
    patch: 'gate-open-without-postgres',
    test: 'services/ingest-gateway/test/gate/without-postgres.int.test.ts',
    red: [{ title: 'who has a cap gets 503', because: /[+] +20[01],/ }],
  },
  {
    patch: 'gate-capture-not-bound',
    test: timesTest,
    red: [{ title: 'F248 a dearer price comes', because: /[+] +"status": 201/ }],
  },
  {
    patch: 'gate-next-window-not-held',
    test: timesTest,
    red: [{ title: 'F248 the month of a budget ends', because: /- +"2026-12-01"/ }],
  },
  {
    patch: 'gate-freed-hold-captured',
    test: timesTest,
    red: [{ title: 'F249 a gateway whose clock is behind', because: /Received: "captured"/ }],
  },
  {
    patch: 'gate-freed-by-the-clock',
    test: timesTest,
    red: [{ title: 'F249 a gateway whose clock is ahead refuses', because: /Received: "held"/ }],
  },
  {
    patch: 'freed-events-counted',
    test: freedTest,
    red: [{ title: 'F104 does not count once', because: /Expected: 2\s+Received: 3/ }],
  },
  {
    patch: 'freed-by-their-own-batch',
    test: freedTest,
    red: [{ title: 'F104 counts while', because: /Expected: 2\s+Received: 1/ }],
  },
  {
    patch: 'freed-first-hides-second',
    test: freedTest,
    red: [{ title: 'F104 counts the second', because: /Expected: 1\s+Received: 0/ }],
  },
  {
    patch: 'disputed-top-up-spent',
    test: 'services/billing/test/balance/top-ups-stripe.int.test.ts',
    red: [{ title: 'is not spent while the dispute is open', because: /Expected length: 2\s+Received length: 1/ }],
  },
  {
    patch: 'automatic-top-ups-unbounded',
    test: 'services/billing/test/balance/auto-top-up.int.test.ts',
    red: [{ title: 'F100 is refused beyond its month', because: /resolved instead of rejected/ }],
  },
  {
    patch: 'grant-pays-any-call',
    test: 'services/billing/test/balance/time-of-credits.int.test.ts',
    red: [
      { title: 'pays for it, also when it has expired before the month closes', because: /[+] +"a 2026-01 paid 1000"/ },
    ],
  },
  {
    patch: 'grant-expires-before-its-calls-are-counted',
    test: 'services/billing/test/balance/time-of-credits.int.test.ts',
    red: [{ title: 'is taken back when the watermark is 24 hours past', because: /Expected: "300"\s+Received: "100"/ }],
  },
  {
    patch: 'gate-grant-ends-during-hold',
    test: 'services/ingest-gateway/test/gate/paying-before.int.test.ts',
    red: [{ title: '402 covers no call that may come after the hour', because: /[+] +"status": 201/ }],
  },
  {
    patch: 'reconcile-without-grants',
    test: 'services/billing/test/balance/planted-balances.int.test.ts',
    red: [{ title: 'calls of another time, in the books alone', because: /grants_calls/ }],
  },
  {
    patch: 'expired-credit-spendable',
    test: 'services/billing/test/balance/spending-power.int.test.ts',
    red: [{ title: 'is what an invoice could take', because: /[+] +"8000000"/ }],
  },
];
