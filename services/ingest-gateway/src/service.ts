import { routesOf } from '@tollgate/contracts/routes/routes';
import { createDatabase } from '@tollgate/database/database';
import { createNotifications, type Notifications } from '@tollgate/database/notifications';
import type { EventAppender } from '@tollgate/event-log/event-log';
import type { Clock } from '@tollgate/kernel/clock';
import type { Checks, Service } from '@tollgate/kernel/service';
import { createCredentials } from '@tollgate/runtime/auth/credentials';
import { issuerOf } from '@tollgate/runtime/auth/issuer-of';
import { createTrustedProxies } from '@tollgate/runtime/http/requests/client-address';
import { createAllowOrigins } from '@tollgate/runtime/http/serving/cross-origin';
import { createFront } from '@tollgate/runtime/http/serving/front';
import { observeAnswers } from '@tollgate/runtime/metrics/observe-answers';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import { createOwnAddress } from '@tollgate/runtime/http/requests/own-address';
import { createRouteLimits } from '@tollgate/runtime/http/requests/route-limits';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { Config } from './config.ts';
import { wireDeadLetters } from './dead-letters/wire.ts';
import { createGatewayHttp } from './edge/create-gateway-http.ts';
import { createReadingApp } from './edge/create-reading-app.ts';
import { createLimitRate } from './edge/limit-rate.ts';
import { createRecordLine } from './edge/record-line.ts';
import { createCheckPassHandler } from './passes/check-pass-handler.ts';
import { wirePasses } from './passes/wire.ts';
import { creditRulesOf } from './gate/deciding/credit-rules.ts';
import { wireGate } from './gate/wire.ts';
import { wireReading } from './reading/wire.ts';
import { wireRecording } from './recording/wire.ts';
import { createKeys } from './keys/keys.ts';
import type { UncountedReader } from './keys/remember-uncounted.ts';
import { wireSharedMemory } from './shared-memory/wire.ts';
import { createEventIds } from './submissions/event-ids.ts';
import { createToolDirectory } from './tools/tool-directory.ts';

export interface GatewayDeps {
  /** The caller starts it before this service and stops it afterwards. */
  readonly eventLog: EventAppender & UncountedReader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Default: a connection of the service's own. */
  readonly notifications?: Notifications | undefined;
}

export type IngestGateway = Service & Required<Pick<Service, 'handle' | 'readiness'>>;

/** Interface, section 8: recording requests per API key. */
const rateRules = { limit: 100, windowMs: 1_000 };

/** Accepts events: authenticates, limits, validates, recognises repeats, appends to the log, answers. */
export function createIngestGateway(config: Config, deps: GatewayDeps): IngestGateway {
  const { eventLog, clock, log, metrics } = deps;
  const { api, worker, notifications } = openDatabases(config, deps);
  const shared = wireSharedMemory(config.REDIS_URL, { rules: rateRules, clock, log, metrics });
  const clockCheck = createClockCheck({ database: worker, skewMaxMs: config.CLOCK_SKEW_MAX_MS, log });
  const passesMax = config.PASSES_PER_ACCOUNT_MAX;
  const passes = wirePasses({ api, worker, notifications, clock, log, clockCheck, passesMax });
  const credentials = createCredentials({
    database: worker,
    notifications,
    clock,
    log,
    config: tokenRulesOf(config),
    findPass: passes.findPass,
    onKeyRevoked: shared.revocations?.publish,
  });
  shared.revocations?.onRevoked(credentials.forgetKey);
  const tools = createToolDirectory({
    database: worker,
    notifications,
    clock,
    log,
    toolsMax: config.TOOLS_REMEMBERED_MAX,
  });
  const eventIds = createEventIds(worker);
  const keys = createKeys(config, { worker, eventLog, cache: shared.replies, clock, log });
  const { passOf } = passes;
  const { isSuspended } = credentials;
  const namePass = passes.namePassBy(credentials, issuerOf(config.PUBLIC_URL));
  const gateDeps = { worker, notifications, tools, passOf, namePass, isSuspended, rules: creditRulesOf(config) };
  const gate = wireGate({ ...gateDeps, ownAddressOf: createOwnAddress(config.PUBLIC_URL), clock, log });
  const { admitEvent, isUncapped } = gate;
  const recordingDeps = { eventLog, tools, keys, eventIds, passOf, admitEvent, isUncapped, clock, log, metrics };
  const recording = wireRecording(config, recordingDeps);
  const app = createReadingApp({
    ...wireReading({ api, worker, tools, eventIds }),
    ...wireDeadLetters({ worker, eventLog, clock, log }),
    ...passes.handlers(tools),
    checkPass: createCheckPassHandler({ api, namePass, isSuspended, clock }),
    ...gate.handlers,
  });
  const ways = { limitRate: createLimitRate(shared.limiter), recording: recording.handlers, asking: gate.asking, app };
  const handle = createFront({
    routes: routesOf('ingest-gateway'),
    log,
    clock,
    handle: createGatewayHttp({ credentials, clockCheck, ...ways }),
    trustedProxies: createTrustedProxies(config.TRUSTED_PROXIES),
    allowOrigins: createAllowOrigins(config.CORS_ORIGINS),
    limits: createRouteLimits(config, clock),
    onAnswered: observeAnswers(metrics),
    line: createRecordLine(config, { ...recording.forLine, credentials, limiter: shared.limiter, clockCheck, clock }),
  });

  const knowledge = combine('gateway-knowledge', [
    clockCheck,
    credentials,
    tools,
    passes.directory,
    eventIds,
    ...keys.knowledge,
    ...gate.knowledge,
    ...shared.services,
  ]);
  const work = [passes.forgetReplies, ...gate.services, ...recording.services, ...keys.services];
  const parts = [api, worker, notifications, knowledge, ...work];
  // Readiness leaves the databases out: without PostgreSQL the gateway still takes events of the accounts that it knows.
  const readiness = (): Checks => ({ ...knowledge.readiness?.(), ...recording.readiness() });
  return { ...combine('ingest-gateway', parts), handle, readiness };
}

function tokenRulesOf(config: Config) {
  return {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    publicUrl: config.PUBLIC_URL,
    operatorToken: config.OPERATOR_TOKEN,
    wrongOperatorTokensPerMinute: config.WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE,
  };
}

function openDatabases(config: Config, { log, notifications }: GatewayDeps) {
  const { DATABASE_API_URL: apiUrl, DATABASE_WORKER_URL: url } = config;
  const maxConnections = config.DATABASE_CONNECTIONS_MAX;
  return {
    api: createDatabase({ url: apiUrl, name: 'gateway-api', maxConnections, log }),
    worker: createDatabase({ url, name: 'gateway-worker', maxConnections: 4, isPipelined: true, log }),
    notifications: notifications ?? createNotifications({ url, log }),
  };
}
