import { redIn, type RedCheck } from './red-check.ts';

/** The defences of the console. */
export const consoleRedChecks: readonly RedCheck[] = [
  ...redIn('services/auth/test/embeds/embeds.int.test.ts', [
    ['embed-opens-all', 'F340 opens no route', /[+] +"status": 200/],
    ['embed-without-end', 'F340 ends after its', /Expected: false\s+Received: true/],
  ]),
  ...redIn('services/auth/test/oauth/own-consents.int.test.ts', [
    ['consent-of-another', 'F374 are nobody else', /Received: 204|[+] +"status": 204/],
  ]),
  ...redIn('services/billing/src/console/serve-console.test.ts', [
    ['console-framed', 'F340 lets nobody frame', /Received: "'self'"/],
    ['console-nonce-kept', 'F341 has a nonce for each answer', /Expected: not "/],
  ]),
  ...redIn('packages/console/src/session/sign-in-search.test.ts', [
    ['console-sends-anywhere', 'F342 goes on to no address', /[+] +"next": "https:\/\/elsewhere\.example/],
  ]),
  ...redIn('packages/console/src/usage/usage-csv.test.ts', [
    ['console-csv-runs', 'F364 writes the tag', /[+] .*=HYPERLINK|Received: .*"=HYPERLINK/],
  ]),
  ...redIn('e2e/console/builder.long.int.test.ts', [
    ['console-lines-without-a-tool', 'F365 has lines for an MCP server', /the condition never held/],
  ]),
  ...redIn('e2e/console/operator.long.int.test.ts', [
    ['console-looks-once', 'F366 refunds only', /Timeout .* exceeded/],
  ]),
  ...redIn('e2e/console/console.e2e.int.test.ts', [
    ['console-key-for-each-try', 'F343 makes one pass', /Expected: 1\s+Received: 2/],
  ]),
];
