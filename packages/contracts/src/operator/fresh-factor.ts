import type { Route } from '../routes/route.ts';

/**
 * The changes of the operator that move money, or give or take a right. A person who makes one has shown a code of the second
 * factor within the last minutes. A test says that each change of the operator stands here or below.
 */
const fresh: ReadonlySet<string> = new Set([
  'grantCredit',
  'setCreditLimit',
  'refundInvoice',
  'returnStrayMoney',
  'voidInvoice',
  'confirmInvoice',
  'payOutToBank',
  'suspendAccount',
  'resumeAccount',
  'endSessionsOfAccount',
  'revokeApiKeysOfAccount',
  'createOperatorToken',
  'revokeOperatorToken',
  'createOperatorCode',
  'createOperatorWebhookEndpoint',
  'updateOperatorWebhookEndpoint',
  'rotateOperatorWebhookSecret',
  'deleteOperatorWebhookEndpoint',
]);

/** The changes of the operator for which the code of the sign-in is enough. */
export const withoutFreshFactor: ReadonlySet<string> = new Set([
  'moveClock',
  'scriptFailure',
  'clearFailures',
  'openDispute',
  'decideDispute',
  'replayDeadLetter',
  'testOperatorWebhookEndpoint',
]);

export function needsFreshFactor({ operationId }: Pick<Route, 'operationId'>): boolean {
  return fresh.has(operationId);
}
