import { TollgateError, type Tollgate } from '@tollgate/sdk';

import { nowMs } from './clock.ts';

/** The part of the MCP SDK's `AuthInfo` that a pass fills. */
export interface PassAuthInfo {
  readonly token: string;
  readonly clientId: string;
  readonly scopes: string[];
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly extra: { readonly name: string };
}

export interface TokenVerifierOptions {
  readonly tollgate: Tollgate;
  /**
   * Makes the error that the MCP SDK answers with 401: `(message) => new InvalidTokenError(message)` in its first generation,
   * `(message) => new OAuthError('invalid_token', message)` in its second.
   */
  readonly invalidToken: (message: string) => Error;
}

/** A pass without an expiry is asked about again after this time. */
const trustedSeconds = 300;

/** Checks bearer tokens of an MCP server over HTTP: each must be a live Tollgate pass, and not paused. For `requireBearerAuth`. */
export function tokenVerifier({ tollgate, invalidToken }: TokenVerifierOptions) {
  return {
    async verifyAccessToken(token: string): Promise<PassAuthInfo> {
      const pass = await readPass(token);
      if (pass.paused) throw invalidToken('The Tollgate pass is paused.');
      const expiresAt = pass.expires_at === null ? nowMs() + trustedSeconds * 1000 : Date.parse(pass.expires_at);
      return {
        token,
        clientId: pass.id,
        scopes: pass.tools === '*' ? ['*'] : [...pass.tools],
        expiresAt: Math.floor(expiresAt / 1000),
        extra: { name: pass.name },
      };
    },
  };

  async function readPass(token: string) {
    try {
      return await tollgate.with({ apiKey: token }).passes.self();
    } catch (error) {
      const isRefused = error instanceof TollgateError && (error.status === 401 || error.status === 403);
      throw isRefused ? invalidToken('The token is no live Tollgate pass.') : error;
    }
  }
}
