import { redIn, type RedCheck } from './red-check.ts';

/** The defences of outgoing webhooks: each is told at least once, once while all live, and no endpoint holds up another. */
export const webhookRedChecks: readonly RedCheck[] = [
  ...redIn('services/notifier/test/delivery-faults.int.test.ts', [
    ['webhook-claim-for-ever', 'loses no event, whichever step was its last', /not within 5000 ms/],
    ['webhook-claims-not-counted', 'send each webhook once while all of them live', /Expected: <= 2/],
    ['webhook-share-not-kept', 'hold up no other', /not within 2000 ms/],
  ]),
  ...redIn('services/notifier/test/deliveries.int.test.ts', [
    ['webhook-settled-before-sent', 'is asked again when it is due', /not within 5000 ms/],
  ]),
  ...redIn('services/billing/test/outbox/told-changes.int.test.ts', [
    ['webhook-status-untold', 'are told one by one', /- +"invoice.paid"/],
    ['webhook-told-before-commit', 'are told: credits that are granted', /[+] +"left_usd": 0/],
  ]),
];
