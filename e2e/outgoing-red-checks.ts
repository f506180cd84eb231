import { redIn, type RedCheck } from './red-check.ts';

/** The defences of calls to addresses that strangers name. */
export const outgoingRedChecks: readonly RedCheck[] = [
  ...redIn('packages/runtime/src/outgoing/judge-address.test.ts', [
    ['outgoing-unicast-alone', 'F310 [4000::1] leads to elsewhere', /[+] +"public"/],
  ]),
  ...redIn('packages/runtime/test/outgoing/outgoing-fetch.int.test.ts', [
    ['outgoing-loopback-called', 'F311 calls nobody at localhost', /did not answer \(EPROTO\)/],
    [
      'outgoing-one-good-address',
      'F311 calls nobody if one of the addresses is private',
      /resolved instead of rejected/,
    ],
    ['outgoing-resolved-again', 'F311 connects to the judged address', /ENOTFOUND|EAI_AGAIN/],
    ['outgoing-tls-by-environment', 'F313 refuses an authority', /Received: "called 200"/],
    ['outgoing-answer-unbounded', 'F312 reads no more than it may', /resolved instead of rejected/],
  ]),
];
