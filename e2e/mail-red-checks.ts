import { redIn, type RedCheck } from './red-check.ts';

/** The defences of mail: one that comes twice is recognised, no account holds up another or is taken for bounced, and a link is good once. */
export const mailRedChecks: readonly RedCheck[] = [
  ...redIn('services/notifier/test/mail-faults.long.int.test.ts', [
    ['mail-id-of-the-try', 'loses no mail, and the second one has the Message-ID of the first', /toEqual/],
    ['mail-accounts-not-parted', 'holds up no other account when it answers: hang', /not within 5000 ms/],
    ['mail-bounce-of-policy', 'is noted for no account where the server refuses us', /- +null/],
  ]),
  ...redIn('services/notifier/test/mail-claims.int.test.ts', [
    ['mail-claims-not-indexed', 'F387 a claim of mails', /Expected: < 2000/],
  ]),
  ...redIn('services/auth/test/mail-links/password-reset.int.test.ts', [
    ['reset-link-kept', 'F334 is replaced once by one link', /[+] +200,/],
    ['reset-links-of-before-kept', 'F334 is replaced once by one link', /Expected: 404/],
    ['reset-by-host', 'F335 has its link at PUBLIC_URL', /evil[.]example/],
  ]),
];
