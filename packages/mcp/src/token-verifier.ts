import { TollgateError, type Tollgate } from '@tollgate/sdk';

import { nowMs } from './clock.ts';
import { spendScope } from './scopes.ts';

/** The part of the MCP SDK's `AuthInfo` that a pass fills, or an OAuth token of one. */
export interface PassAuthInfo {
  readonly token: string;
  /** The id of the pass: a session of a client goes on with its next token. */
  readonly clientId: string;
  /** `tollgate:spend`, and the tools that the pass allows; `*` for all. */
  readonly scopes: string[];
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  /** The server for which the token was made; none for a pass. */
  readonly resource?: URL;
  /** The id and the name of the pass, and the client that has the token. */
  readonly extra: { readonly passId: string; readonly name: string; readonly clientId?: string };
}

export interface TokenVerifierOptions {
  /** The client of the builder's account. */
  readonly tollgate: Tollgate;
  /** The URL of the server, as its tools name it. Without it passes are good, and OAuth tokens are not. */
  readonly resource?: string | URL | undefined;
  /**
   * Makes the error that the MCP SDK answers with 401: `(message) => new InvalidTokenError(message)` in its first generation,
   * `(message) => new OAuthError('invalid_token', message)` in its second.
   */
  readonly invalidToken: (message: string) => Error;
}

/** A pass without an expiry is asked about again after this time. */
const trustedSeconds = 300;

/**
 * Checks bearer tokens of an MCP server over HTTP, for `requireBearerAuth`: each must be a live Tollgate pass that is not
 * paused, or an OAuth token of one for this server. Tollgate is asked each time, so a revoked pass is out within a second.
 */
export function tokenVerifier({ tollgate, resource, invalidToken }: TokenVerifierOptions) {
  return {
    async verifyAccessToken(token: string): Promise<PassAuthInfo> {
      const { token: oauth, ...pass } = await check(token);
      const ends = [pass.expires_at, oauth?.expires_at].flatMap((time) => (time ? [Date.parse(time)] : []));
      const expiresAt = Math.min(...(ends.length > 0 ? ends : [nowMs() + trustedSeconds * 1000]));
      return {
        token,
        clientId: pass.id,
        scopes: [spendScope, ...(pass.tools === '*' ? ['*'] : pass.tools)],
        expiresAt: Math.floor(expiresAt / 1000),
        ...(oauth && { resource: new URL(oauth.resource) }),
        extra: { passId: pass.id, name: pass.name, ...(oauth && { clientId: oauth.client_id }) },
      };
    },
  };

  async function check(token: string) {
    try {
      return await checkPass(tollgate, token, resource);
    } catch (error) {
      throw isRefused(error) ? invalidToken('The token is no live Tollgate pass.') : error;
    }
  }
}

/** The longest that Tollgate reads. */
const tokenLengthMax = 4_096;

/** Asks Tollgate about a bearer token. Rejects with `pass_refused` for one that is not good. */
export async function checkPass(tollgate: Tollgate, token: string, resource: string | URL | undefined) {
  if (token.length > tokenLengthMax)
    throw new TollgateError({ status: 403, code: 'pass_refused', detail: 'The token is too long.' });
  return tollgate.passes.check({ pass: token, ...(resource !== undefined && { resource: String(resource) }) });
}

/** Whether an error of `checkPass` says that the token is not good. */
export function isRefused(error: unknown): boolean {
  return error instanceof TollgateError && error.code === 'pass_refused';
}
