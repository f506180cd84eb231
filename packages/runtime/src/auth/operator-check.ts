import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@tollgate/kernel/clock';
import type { OperatorRows, OperatorToken } from './operator-rows.ts';
import type { OperatorPrincipal } from '../http/requests/principal.ts';
import { DeadOperatorToken, invalidToken } from './token-refusals.ts';

/** Stored tokens begin so, which spares access tokens the hash. */
export const operatorTokenPrefix = 'operator_';
/** The name of OPERATOR_TOKEN, and of what replaced it. */
export const defaultOperatorToken = 'default';

export interface OperatorCheck {
  /** Whether anybody can be the operator, or could. */
  hasOperator(): boolean;
  /** Whether the token is compared with those of the operator at all. */
  isCandidate(token: string): boolean;
  /**
   * Undefined: this can be none of the operator's tokens. Throws, or rejects with, `unauthorized` for one that is revoked,
   * replaced, expired or unknown. A stored token that memory does not know is looked up; rejects with `unavailable` if it
   * cannot be.
   */
  operatorOf(token: string): OperatorPrincipal | Promise<OperatorPrincipal> | undefined;
}

interface Deps {
  /** OPERATOR_TOKEN. It counts while no row has the name `default`. */
  readonly configured: string | undefined;
  readonly directory: Pick<OperatorRows, 'operatorTokens' | 'refresh'>;
  /** Real time: who moves the sandbox clock must neither end nor lengthen the life of a token. */
  readonly realTime: Pick<Clock, 'now'>;
}

/** Compares in constant time. The length of the configured token is compared first, which reveals no secret. */
export function createOperatorCheck({ configured, directory, realTime }: Deps): OperatorCheck {
  const configuredHash = configured === undefined ? undefined : sha256(configured);

  function isCandidate(token: string): boolean {
    return token.startsWith(operatorTokenPrefix) || token.length === configured?.length;
  }

  function ofSettings(): OperatorPrincipal {
    const row = directory.operatorTokens().find(({ name }) => name === defaultOperatorToken);
    if (row) throw new DeadOperatorToken(row.name, row.isRevoked ? 'revoked' : 'replaced');
    return { kind: 'operator', name: defaultOperatorToken };
  }

  function living({ name, isRevoked, expiresAt }: OperatorToken): OperatorPrincipal {
    if (isRevoked) throw new DeadOperatorToken(name, 'revoked');
    if (expiresAt !== undefined && expiresAt <= realTime.now()) throw new DeadOperatorToken(name, 'expired');
    return { kind: 'operator', name };
  }

  function find(token: string): OperatorPrincipal | undefined {
    const tokenHash = sha256(token);
    const known = directory.operatorTokens().find((row) => timingSafeEqual(row.hash, tokenHash));
    if (known) return living(known);
    return configuredHash && timingSafeEqual(configuredHash, tokenHash) ? ofSettings() : undefined;
  }

  async function lookUp(token: string): Promise<OperatorPrincipal> {
    await directory.refresh();
    const found = find(token);
    if (!found) throw invalidToken('unknown operator token');
    return found;
  }

  return {
    hasOperator: () => configuredHash !== undefined || directory.operatorTokens().length > 0,
    isCandidate,
    operatorOf(token) {
      if (!isCandidate(token)) return undefined;
      return find(token) ?? (token.startsWith(operatorTokenPrefix) ? lookUp(token) : undefined);
    },
  };
}

function sha256(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
