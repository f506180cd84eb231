import { systemClock, type Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createNotifications, type Notifications } from '@tollgate/database/notifications';
import { createCredentials } from '@tollgate/runtime/auth/credentials';
import type { Handle } from '@tollgate/runtime/http/serving/create-http-server';
import { createIdempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { outgoingOptionsOf } from '@tollgate/runtime/config/outgoing-settings';
import { createOutgoingFetch, type OutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import { createClockCheck } from '@tollgate/runtime/timing/clock-check';
import { wireAccounts, wireThrottle } from './accounts/wire.ts';
import { wireApiKeys } from './api-keys/wire.ts';
import { wireApprovals } from './approvals/wire.ts';
import { wireAudit } from './audit/wire.ts';
import type { Config } from './config.ts';
import { createAuthHttp } from './create-auth-http.ts';
import { createDatabases } from './create-databases.ts';
import { wireBrowserSessions } from './browser-sessions/wire.ts';
import { wireCutOff } from './cut-off/wire.ts';
import { wireOperatorTokens } from './operator-tokens/wire.ts';
import { wireDeviceLogin } from './device-login/wire.ts';
import { wireEmbeds } from './embeds/wire.ts';
import { wireErasure } from './erasure/wire.ts';
import { createLetters } from './letters/letters.ts';
import { wireMailLinks } from './mail-links/wire.ts';
import { wireOAuth } from './oauth/wire.ts';
import { createUseSecondFactor } from './second-factor/use-second-factor.ts';
import { wireSecondFactor } from './second-factor/wire.ts';
import { wireSessions } from './sessions/wire.ts';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { wireSigningKeys } from './signing-keys/wire.ts';
import { wireSweep } from './sweep/wire.ts';

export interface AuthDeps {
  readonly clock: Clock;
  /**
   * The clock of authenticator apps and operator tokens. Default: the clock of the machine, which no operator moves.
   */
  readonly realTime?: Pick<Clock, 'now'> | undefined;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  /** Fetches what strangers name. Default: by the guard of outgoing calls. */
  readonly outgoingFetch?: OutgoingFetch | undefined;
  /** Default: a connection of the service's own. */
  readonly notifications?: Notifications | undefined;
}

/** A service that answers requests. */
export type AuthService = Service & { readonly handle: Handle };

export function createAuth(config: Config, deps: AuthDeps): AuthService {
  const { clock, realTime = systemClock, log, metrics } = deps;
  const { api, worker } = createDatabases(config, log);
  const notifications = deps.notifications ?? createNotifications({ url: config.DATABASE_WORKER_URL, log });
  const issued = {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    publicUrl: config.PUBLIC_URL,
    operatorToken: config.OPERATOR_TOKEN,
    wrongOperatorTokensPerMinute: config.WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE,
  };
  const credentials = createCredentials({ database: worker, notifications, clock, realTime, log, config: issued });
  const idempotency = createIdempotency({ schema: 'auth', clock });

  const signingKeys = wireSigningKeys(config, { worker, notifications, clock, log });
  const sessions = wireSessions(config, { api, clock, realTime, credentials, ...signingKeys.useCases });
  const throttle = wireThrottle(config, clock);
  const box = createSealedBox({ secret: config.AUTH_KEY_ENCRYPTION_SECRET, purpose: 'totp' });
  const useSecondFactor = createUseSecondFactor({ box, throttle, clock, realTime });
  const letters = createLetters({ secret: config.MAIL_SECRET, publicUrl: config.PUBLIC_URL, realTime });
  const accountDeps = { api, worker, clock, throttle, letters, useSecondFactor, ...sessions.useCases };
  const accounts = wireAccounts(config, accountDeps);
  const mailLinks = wireMailLinks({ ...accountDeps, realTime, ...accounts.useCases });
  const { credentialsChanged } = sessions.useCases;
  const factorDeps = { api, worker, box, clock, realTime, useSecondFactor, credentialsChanged };
  const secondFactor = wireSecondFactor({ ...factorDeps, ...accounts.useCases });
  const browserDeps = { api, useSecondFactor, realTime, ...sessions.useCases, ...accounts.useCases };
  const browserSessions = wireBrowserSessions(config, { ...browserDeps, sessionOfCookie: credentials.sessionOfCookie });
  const deviceLogin = wireDeviceLogin(config, { worker, realTime, ...sessions.useCases, ...accounts.useCases });
  const { outgoingFetch = createOutgoingFetch(outgoingOptionsOf(config)) } = deps;
  const oauthDeps = { api, worker, clock, realTime, log, outgoingFetch, ...signingKeys.useCases };
  const oauth = wireOAuth(config, { ...oauthDeps, ...sessions.useCases, ...accounts.useCases });
  const approvals = wireApprovals(config, { api, worker, clock, realTime, ...sessions.useCases, ...accounts.useCases });
  const keysMax = config.API_KEYS_PER_ACCOUNT_MAX;
  const embeds = wireEmbeds(config, { api, clock, realTime });
  const cutOff = wireCutOff({ api, worker, clock, ...sessions.useCases });
  const operatorTokens = wireOperatorTokens(config, { worker, realTime, credentialsChanged });
  const audit = wireAudit({ api, worker });
  const clockCheck = createClockCheck({ database: worker, skewMaxMs: config.CLOCK_SKEW_MAX_MS, log });
  const apiKeys = wireApiKeys({ api, worker, clock, clockCheck, idempotency, keysMax, log, ...sessions.useCases });
  const erasure = wireErasure(config, { ...factorDeps, ...accounts.useCases, letters, throttle, clockCheck, log });
  const sweep = wireSweep(config, { worker, idempotency, clock, realTime, clockCheck, log });

  const modules = [signingKeys, sessions, accounts, browserSessions, secondFactor, mailLinks, deviceLogin, oauth];
  const others = [approvals, apiKeys, embeds, cutOff, operatorTokens, audit, erasure];
  const http = createAuthHttp(config, {
    worker,
    controllers: [...modules, ...others].flatMap<NestController>((part) => part.controllers),
    oauth: oauth.serve,
    credentials,
    authenticate: sessions.useCases.authenticate,
    clock,
    log,
    metrics,
  });
  const needed = [...accounts.parts, ...signingKeys.parts, credentials];
  const ofModules = [...apiKeys.parts, ...erasure.parts, ...sweep.parts];
  const parts = [api, worker, clockCheck, notifications, ...needed, ...ofModules, http];
  return { ...combine('auth', parts), handle: http.handle };
}
