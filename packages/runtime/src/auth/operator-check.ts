import { hash, timingSafeEqual } from 'node:crypto';

/** Rotated tokens begin so, which spares access tokens the hash. */
export const operatorTokenPrefix = 'operator_';

export interface OperatorCheck {
  /** Whether anybody can be the operator. */
  hasOperator(): boolean;
  isOperator(token: string): boolean;
}

/**
 * Compares in constant time. The stored hash counts once the token was rotated, and OPERATOR_TOKEN before. The length is
 * compared first, which reveals no secret.
 */
export function createOperatorCheck(
  operatorToken: string | undefined,
  storedHash: () => Uint8Array | undefined,
): OperatorCheck {
  const configured = operatorToken === undefined ? undefined : hash('sha256', operatorToken, 'buffer');
  return {
    hasOperator: () => (storedHash() ?? configured) !== undefined,
    isOperator(token) {
      const stored = storedHash();
      const isCandidate = stored ? token.startsWith(operatorTokenPrefix) : token.length === operatorToken?.length;
      const expected = stored ?? configured;
      return isCandidate && expected !== undefined && timingSafeEqual(hash('sha256', token, 'buffer'), expected);
    },
  };
}
