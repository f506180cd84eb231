import { redIn, type RedCheck } from './red-check.ts';

/** The defences of outgoing webhooks: each is told at least once, once while all live, and no endpoint holds up another. */
export const webhookRedChecks: readonly RedCheck[] = [
  ...redIn('services/notifier/test/delivery-faults.long.int.test.ts', [
    ['webhook-claim-for-ever', 'loses no event, whichever step was its last', /not within 5000 ms/],
    ['webhook-claims-not-counted', 'send each webhook once while all of them live', /Expected: <= 2/],
    ['webhook-share-not-kept', 'hold up no other', /not within 2000 ms/],
  ]),
  ...redIn('services/notifier/test/deliveries.int.test.ts', [
    ['webhook-settled-before-sent', 'is asked again when it is due', /not within 5000 ms/],
  ]),
  ...redIn('services/billing/test/outbox/told-changes.int.test.ts', [
    ['webhook-status-untold', 'are told one by one', /- +"invoice.paid"/],
    ['webhook-issue-untold', 'are told, each as the API shows it', /- +"invoice.issued carried"/],
    ['webhook-told-before-commit', 'are told: credits that are granted', /[+] +"left_usd": 0/],
  ]),
  ...redIn('services/billing/test/outbox/told-to-builders.int.test.ts', [
    ['webhook-reconnection-untold', 'F360 are told when it is connected', /- +"payout_account.connected"/],
    ['webhook-tool-told-before-its-price', 'F360 are told when a tool is registered', /"price": null/],
    ['webhook-failed-refund-told', 'F360 is not told where the processor refuses it', /"balance.refunded"/],
  ]),
  ...redIn('services/notifier/test/claims.int.test.ts', [
    ['claims-not-indexed', 'F384 a claim of webhooks', /Expected: < 100/],
  ]),
  ...redIn('services/notifier/test/strangers-books.long.int.test.ts', [
    ['webhook-status-untold', 'F368 a stranger with standardwebhooks', /- +"cash"/],
  ]),
  ...redIn('services/notifier/test/relay.int.test.ts', [
    ['webhook-relay-unawaited', 'loses no event without the topic', /Received: 0/],
  ]),
  ...redIn('services/auth/test/outbox/told-changes.int.test.ts', [
    ['webhook-expiry-untold', 'F329 are told of a key that expired before the sweep', /Expected length: 1/],
    ['webhook-consent-end-untold', 'are told when the owner revokes the pass', /- +"oauth.consent_revoked"/],
  ]),
  ...redIn('services/aggregator/test/outbox/told-changes.int.test.ts', [
    ['webhook-first-call-kept', 'is told by the flush that is committed', /- +"tool.first_call"/],
  ]),
  ...redIn('services/billing/test/forecast/watch-spending.int.test.ts', [
    ['forecast-told-again', 'is told once per account, month and budget', /Expected: 0/],
    ['forecast-of-two-days', 'is told nothing, whatever it spends', /Expected: 0/],
    ['anomaly-told-again', 'is told once while it lasts', /Expected: 0/],
  ]),
];
