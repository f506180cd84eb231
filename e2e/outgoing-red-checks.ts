import { redIn, type RedCheck } from './red-check.ts';

/** The defences of calls to addresses that strangers name, and of what the servers there open. */
export const outgoingRedChecks: readonly RedCheck[] = [
  ...redIn('packages/runtime/src/outgoing/judge-address.test.ts', [
    ['outgoing-unicast-alone', 'F310 holds addresses outside of 2000::/3', /[+] +"public"/],
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
  ...redIn('packages/runtime/test/outgoing/through-proxy.int.test.ts', [
    ['outgoing-proxy-told-the-name', 'F288 asks it for the judged address', /no connection \(404\)/],
    ['outgoing-proxy-passed-by', 'F288 goes nowhere without its proxy', /ECONNREFUSED/],
  ]),
  ...redIn('services/billing/test/catalogue/tool-resource.int.test.ts', [
    ['resource-not-asked', 'F314 is refused with what is missing: no JSON', /[+] +200/],
    ['resource-of-any-issuer', 'F314 is refused with what is missing: our issuer with a slash', /[+] +200/],
  ]),
  ...redIn('packages/runtime/src/auth/spending-token-check.test.ts', [
    ['token-key-not-asked', 'F315 is refused once it has expired', /resolved instead of rejected/],
  ]),
  ...redIn('services/ingest-gateway/test/gate/tokens-that-pay.int.test.ts', [
    ['token-opens-other-resources', 'F315 opens no other tool', /[+] +"status": 201/],
    ['token-beside-any-key', 'F315 opens no other tool', /[+] +"code": "pass_refused"|[+] +"status": 201/],
    ['token-of-another-account', 'F315 is refused for the pass of another account', /[+] +"status": 201/],
    ['check-of-any-server', 'F316 refuses a token for another server', /[+] +"status": 200/],
  ]),
];
