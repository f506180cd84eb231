import { routesOf } from '@tollgate/contracts/routes';
import { dayMs, hourMs, minuteMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import { createCredentials, type Credentials } from '@tollgate/runtime/auth/credentials';
import type { Handle } from '@tollgate/runtime/http/create-http-server';
import { createTrustedProxies } from '@tollgate/runtime/http/client-address';
import { createFront } from '@tollgate/runtime/http/front';
import { createIdempotency } from '@tollgate/runtime/http/idempotency';
import { observeAnswers } from '@tollgate/runtime/http/observe-answers';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createNotifications } from '@tollgate/database/notifications';
import { createArgon2PasswordHasher } from './accounts/argon2-password-hasher.ts';
import { createIsCommonPassword } from './accounts/common-passwords.ts';
import { every } from '@tollgate/runtime/timing/every';
import { createMemorySignInThrottle } from './accounts/memory-sign-in-throttle.ts';
import { createPgAccountStore } from './accounts/pg-account-store.ts';
import { createPgApiKeyStore } from './api-keys/pg-api-key-store.ts';
import { createPgSessionStore } from './sessions/pg-session-store.ts';
import { createPgSigningKeyStore } from './signing-keys/pg-signing-key-store.ts';
import { createPgSweepStore } from './sessions/pg-sweep-store.ts';
import { createIssueToken, type TokenTerms } from './sessions/access-token.ts';
import { createChangePassword } from './accounts/change-password.ts';
import { createCreateApiKey } from './api-keys/create-api-key.ts';
import { createKeyRing, type KeyRing } from './signing-keys/key-ring.ts';
import { createRefreshToken } from './sessions/refresh-token.ts';
import { createRegisterAccount } from './accounts/register-account.ts';
import { createSetPassword } from './accounts/set-password.ts';
import { createSignIn } from './accounts/sign-in.ts';
import { createSweepExpired } from './sessions/sweep-expired.ts';
import type { PasswordHasher } from './ports.ts';
import type { Config } from './config.ts';
import type { PasswordRules } from './accounts/password-rules.ts';
import { createSealedBox } from './signing-keys/sealed-box.ts';
import { createAuthHttp } from './edge/create-auth-http.ts';
import { createAuthenticate } from './sessions/authenticate.ts';
import { createReadRefreshToken } from './sessions/read-refresh-token.ts';
import type { UseCases } from './edge/use-cases.ts';

export interface AuthDeps {
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** A service that answers requests. */
export type AuthService = Service & { readonly handle: Handle };

export function createAuth(config: Config, { clock, log, metrics }: AuthDeps): AuthService {
  const { api, worker } = createDatabases(config, log);
  const notifications = createNotifications({ url: config.DATABASE_WORKER_URL, log });
  const keyRing = createKeyRingOf(config, { worker, clock, log });
  notifications.on('auth_changed', (table) => {
    if (table === 'signing_key' || table === '') void keyRing.reload().catch(() => undefined); // the job reads again
  });
  const credentials = createCredentials({
    database: worker,
    notifications,
    clock,
    log,
    config: { issuer: config.TOKEN_ISSUER, audience: config.TOKEN_AUDIENCE },
  });
  const http = createAuthHttp(createUseCases(config, { api, worker, keyRing, credentials, clock }));
  const jobs = createJobs(config, { worker, keyRing, clock, log });
  const handle = createFront({
    routes: routesOf('auth'),
    log,
    clock,
    handle: http.handle,
    trustedProxies: createTrustedProxies(config.TRUSTED_PROXIES),
    ...(metrics && { onAnswered: observeAnswers(metrics) }),
  });
  return { ...combine('auth', [api, worker, notifications, keyRing, credentials, ...jobs, http]), handle };
}

/** For the operator: a new password for whoever forgot theirs. All sessions of the account end. */
export async function setPassword(
  config: Config,
  deps: AuthDeps,
  credentials: { email: string; password: string },
): Promise<void> {
  const { api, worker } = createDatabases(config, deps.log);
  const run = createSetPassword({
    accounts: createPgAccountStore({ api, worker }),
    hasher: createHasher(config),
    clock: deps.clock,
    passwordRules: createPasswordRules(config),
  });
  try {
    await run(credentials);
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

/** For the operator: a new signing key, at once. Nobody is signed out. Returns its id. */
export async function rotateSigningKey(config: Config, { clock, log }: AuthDeps): Promise<string> {
  const { api, worker } = createDatabases(config, log);
  try {
    return await createKeyRingOf(config, { worker, clock, log }).rotate();
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

interface UseCaseDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly keyRing: KeyRing;
  readonly credentials: Credentials;
  readonly clock: Clock;
}

function createUseCases(config: Config, { api, worker, keyRing, credentials, clock }: UseCaseDeps): UseCases {
  const terms: TokenTerms = {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    ttlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
  };
  const issueToken = createIssueToken(terms, { keyRing, clock });
  const accounts = createPgAccountStore({ api, worker });
  const sessions = createPgSessionStore(api);
  const apiKeys = createPgApiKeyStore(api);
  const hasher = createHasher(config);
  const passwordRules = createPasswordRules(config);
  const box = createSealedBox({ secret: config.AUTH_KEY_ENCRYPTION_SECRET, purpose: 'token-rotation' });
  const refreshToken = createRefreshToken({ sessions, issueToken, box, clock });
  const changePassword = createChangePassword({ accounts, hasher, clock, passwordRules });
  // This process knows of what it ended before it answers. If it cannot read now, it hears of it as the others do.
  const told = (): Promise<void> => credentials.changed().catch(() => undefined);
  return {
    authenticate: createAuthenticate({ credentials, keyRing, terms }),
    readRefreshToken: createReadRefreshToken({ credentials, keyRing, terms, clock }),
    throttle: createThrottle(config, clock),
    registerAccount: createRegisterAccount({ accounts, hasher, issueToken, clock, passwordRules }),
    signIn: createSignIn({ accounts, sessions, hasher, issueToken, clock }),
    refreshToken,
    endSession: (session) => sessions.end({ ...session, endedAt: clock.now(), because: 'logout' }).then(told),
    changePassword: (request) => changePassword(request).then(told),
    readAccount: accounts.read,
    createApiKey: createCreateApiKey({ apiKeys, clock }),
    listApiKeys: apiKeys.list,
    revokeApiKey: async (key) => {
      const isRevoked = await apiKeys.revoke({ ...key, revokedAt: clock.now() });
      if (isRevoked) await told();
      return isRevoked;
    },
    idempotency: createIdempotency({ schema: 'auth', clock }),
    accountDatabase: api,
    publishedKeys: keyRing.published,
  };
}

function createDatabases(config: Config, log: Logger): { readonly api: Database; readonly worker: Database } {
  return {
    api: createDatabase({ url: config.DATABASE_API_URL, name: 'auth-api', maxConnections: 10, log }),
    worker: createDatabase({ url: config.DATABASE_WORKER_URL, name: 'auth-worker', log }),
  };
}

function createKeyRingOf(
  config: Config,
  { worker, clock, log }: { worker: Database; clock: Clock; log: Logger },
): KeyRing {
  const box = createSealedBox({ secret: config.AUTH_KEY_ENCRYPTION_SECRET, purpose: 'signing-key' });
  return createKeyRing({ store: createPgSigningKeyStore(worker), box, clock, log });
}

function createHasher(config: Config): PasswordHasher {
  return createArgon2PasswordHasher({
    concurrentMax: config.PASSWORD_HASHES_CONCURRENT_MAX,
    waitingMax: config.PASSWORD_HASHES_WAITING_MAX,
  });
}

function createPasswordRules(config: Config): PasswordRules {
  return { codePointsMin: config.PASSWORD_MIN_LENGTH, isCommon: createIsCommonPassword() };
}

interface JobDeps {
  readonly worker: Database;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly log: Logger;
}

function createJobs(config: Config, { worker, keyRing, clock, log }: JobDeps): Service[] {
  const accessTokenTtlMs = config.ACCESS_TOKEN_TTL_SECONDS * 1_000;
  const sweepExpired = createSweepExpired({ store: createPgSweepStore(worker), clock, accessTokenTtlMs });
  const idempotency = createIdempotency({ schema: 'auth', clock });
  const tendKeys = async (): Promise<void> => {
    await keyRing.reload(); // another process may have rotated
    await keyRing.rotateIfOlderThan(config.SIGNING_KEY_ROTATION_DAYS * dayMs);
  };
  const sweep = async (): Promise<void> => {
    const replies = await idempotency.forget(worker);
    log.info({ ...(await sweepExpired()), replies }, 'swept what has expired');
  };
  return [
    every({ name: 'auth-tend-keys', everyMs: minuteMs, run: tendKeys, log }),
    every({ name: 'auth-sweep', everyMs: hourMs, run: sweep, log }),
  ];
}

function createThrottle(config: Config, clock: Clock) {
  const limits = {
    loginsPerAccountAndAddress: config.LOGINS_PER_ACCOUNT_AND_ADDRESS_PER_MINUTE,
    loginsPerAddress: config.LOGINS_PER_ADDRESS_PER_MINUTE,
    registrationsPerAddress: config.REGISTRATIONS_PER_ADDRESS_PER_MINUTE,
  };
  return createMemorySignInThrottle(limits, clock);
}
