import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { Config } from '../config.ts';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import type { SigningKey } from '../signing-keys/signing-key.ts';
import { createIssueToken, type TokenTerms } from './access-token.ts';
import { createAuthenticate } from './authenticate.ts';
import { createEndSession } from './end-session.ts';
import { createListSessions } from './list-sessions.ts';
import { createPrepareSession } from './prepare-session.ts';
import { createReadRefreshToken } from './read-refresh-token.ts';
import { createRefreshToken } from './refresh-token.ts';
import { sessionController } from './session.controller.ts';
import { createVerifyToken } from './verify-token.ts';

interface Deps {
  readonly api: Database;
  readonly clock: Clock;
  readonly realTime: Pick<Clock, 'now'>;
  readonly credentials: Credentials;
  readonly currentSigningKey: () => SigningKey;
}

export function wireSessions(config: Config, { api, clock, realTime, credentials, currentSigningKey }: Deps) {
  const terms: TokenTerms = {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    ttlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
  };
  const issueToken = createIssueToken(terms, { currentSigningKey, clock });
  const box = createSealedBox({ secret: config.AUTH_KEY_ENCRYPTION_SECRET, purpose: 'token-rotation' });
  const verifyToken = createVerifyToken({ credentials, terms });
  // This process reads a change of its own before it answers. If that fails, it follows the change as other services do.
  const credentialsChanged = (): Promise<void> => credentials.changed().catch(() => undefined);
  const useCases = {
    authenticate: createAuthenticate({ credentials, verifyToken }),
    readRefreshToken: createReadRefreshToken({ credentials, verifyToken, terms, clock }),
    refreshToken: createRefreshToken({ api, issueToken, box, clock }),
    listSessions: createListSessions({ api, clock, realTime }),
    endSession: createEndSession({ api, clock, credentialsChanged }),
    prepareSession: createPrepareSession({ issueToken, clock }),
    issueToken,
    isSuspended: credentials.isSuspended,
    refuseSuspended: credentials.refuseSuspended,
    credentialsChanged,
  };
  return { useCases, controllers: [sessionController(useCases)], parts: [] };
}
