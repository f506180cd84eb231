import { redIn, type RedCheck } from './red-check.ts';

/** The defences of calls that the owner of a pass approves. */
export const approvalRedChecks: readonly RedCheck[] = [
  ...redIn('services/ingest-gateway/test/gate/approvals.int.test.ts', [
    ['approval-used-twice', 'is authorized once by its approval, however many ask at once', /Expected length: 1/],
    ['approval-exceeds-the-budget', 'exceeds no budget', /[-] +undefined,/],
    ['approval-not-tied-to-its-call', 'alone lets PostgreSQL take a hold beyond a cap', /Received promise resolved/],
  ]),
  ...redIn('services/auth/test/approvals/approvals.int.test.ts', [
    ['approval-of-anybody', 'is not there for another account', /[-] +"status": 404/],
    ['approval-form-not-compared', 'counts only with the token of its own page', /Expected: 403/],
  ]),
  ...redIn('packages/mcp/src/approvals/approval-states.test.ts', [
    [
      'approval-state-of-any-call',
      'F349 opens for the same payer and the same call',
      /Expected: undefined|Received: +{/,
    ],
  ]),
  ...redIn('e2e/clients/strange-clients.long.int.test.ts', [
    ['approval-link-untold', 'F357 pays to its cap, beyond it by an approval', /Expected pattern: +.*approvals/],
  ]),
];
