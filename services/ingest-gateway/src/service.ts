import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { routesOf } from '@tollgate/contracts/routes';
import type { Clock } from '@tollgate/kernel/clock';
import { createCredentials } from '@tollgate/runtime/auth/credentials';
import type { EventAppender, UncountedReading } from '@tollgate/event-log/event-log';
import { createTrustedProxies } from '@tollgate/runtime/http/client-address';
import { createFront } from '@tollgate/runtime/http/front';
import { observeAnswers } from '@tollgate/runtime/http/observe-answers';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase } from '@tollgate/database/database';
import { createNotifications } from '@tollgate/database/notifications';
import { createHeldGauges } from './recording/held-gauges.ts';
import { createMemoryRateLimiter } from '@tollgate/runtime/limits/memory-rate-limiter';
import { createPgCountedEvents } from './reading/pg-counted-events.ts';
import { createPgCountedKeys } from './replies/pg-counted-keys.ts';
import { createPgDeadLetters } from './dead-letters/pg-dead-letters.ts';
import { createPgToolDirectory } from './tools/pg-tool-directory.ts';
import { createJudge } from './shared-memory/judge.ts';
import { createRedisLink } from './shared-memory/redis-link.ts';
import { createRedisRateLimiter } from './shared-memory/redis-rate-limiter.ts';
import { createRedisReplyCache } from './shared-memory/redis-reply-cache.ts';
import { createRedisRevocations, type Revocations } from './shared-memory/redis-revocations.ts';
import { withAppendMetrics } from './recording/with-append-metrics.ts';
import { createAppendEvent } from './recording/append-event.ts';
import { createAppendQueue } from './recording/append-queue.ts';
import { createAskCacheFirst } from './replies/ask-cache-first.ts';
import { createHeld } from './recording/held.ts';
import { createLookUpReply } from './replies/look-up-reply.ts';
import { createMeasuresOf } from './tools/measures-of.ts';
import type { CountedKeys, ReplyCache, ToolDirectory, UncountedTail } from './ports.ts';
import type { RateLimiter } from '@tollgate/runtime/limits/rate-limiter';
import { createRecordEvent } from './recording/record-event.ts';
import { createRecordEvents } from './recording/record-events.ts';
import { createReplayDeadLetter } from './dead-letters/replay-dead-letter.ts';
import { createRememberUncounted } from './replies/remember-uncounted.ts';
import { createReplyMemory } from './replies/reply-memory.ts';
import { createSaveReplies } from './replies/save-replies.ts';
import type { Config } from './config.ts';
import { createCountOutcome } from './recording/count-outcomes.ts';
import { createDeadLetterHandlers } from './dead-letters/dead-letter-handlers.ts';
import { createGatewayHttp } from './create-gateway-http.ts';
import { createReadingApp } from './create-reading-app.ts';
import { createLimitRate } from './limits/limit-rate.ts';
import { createReadingHandlers } from './reading/reading-handlers.ts';
import { createRecordEventBatchHandler } from './recording/record-event-batch-handler.ts';
import { createRecordEventHandler } from './recording/record-event-handler.ts';

/** What the gateway asks of the log: appending, and at its start what is not counted yet. */
export interface GatewayEventLog extends EventAppender {
  readUncounted(topic: string, reading: UncountedReading): Promise<void>;
}

export interface GatewayDeps {
  /** Started before this service and stopped after it, by whoever hosts both. */
  readonly eventLog: GatewayEventLog;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export type IngestGateway = Service & Required<Pick<Service, 'handle' | 'readiness'>>;

/** Interface, section 8: requests that record, by API key. */
const rateRules = { limit: 100, windowMs: 1_000 };

/** Accepts events: authenticates, limits, validates, recognises repeats, appends to the log, answers. */
export function createIngestGateway(config: Config, deps: GatewayDeps): IngestGateway {
  const { clock, log, metrics } = deps;
  const api = createDatabase({
    url: config.DATABASE_API_URL,
    name: 'gateway-api',
    maxConnections: config.DATABASE_CONNECTIONS_MAX,
    log,
  });
  const worker = createDatabase({ url: config.DATABASE_WORKER_URL, name: 'gateway-worker', maxConnections: 4, log });
  const notifications = createNotifications({ url: config.DATABASE_WORKER_URL, log });
  const issuer = {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    operatorToken: config.OPERATOR_TOKEN,
  };
  const { limiter, replies, link, revocations } = createSharedMemory(config, deps);
  const onKeyRevoked = revocations?.tell;
  const credentials = createCredentials({ database: worker, notifications, clock, log, config: issuer, onKeyRevoked });
  revocations?.onTold(credentials.forgetKey);
  const tools = createPgToolDirectory({ database: worker, notifications, clock, log });
  const recording = createRecording(config, { ...deps, tools, keys: createPgCountedKeys(worker), replies });
  const events = createPgCountedEvents({ api, worker });
  const deadLetters = createPgDeadLetters(worker);
  const replayDeadLetter = createReplayDeadLetter({ deadLetters, eventLog: deps.eventLog, clock, log });

  const recordHandlers = { ...recording.deps, countOutcome: createCountOutcome(metrics) };
  const handle = createFront({
    routes: routesOf('ingest-gateway'),
    log,
    clock,
    handle: createGatewayHttp({
      credentials,
      limitRate: createLimitRate(limiter),
      recording: {
        recordEvent: createRecordEventHandler(recordHandlers),
        recordEvents: createRecordEventBatchHandler(recordHandlers),
      },
      reading: createReadingApp({
        ...createReadingHandlers({ events, measuresOf: createMeasuresOf(tools) }),
        ...createDeadLetterHandlers({ deadLetters, replayDeadLetter }),
      }),
    }),
    trustedProxies: createTrustedProxies(config.TRUSTED_PROXIES),
    onAnswered: observeAnswers(metrics),
  });

  const shared = link && revocations ? [link, revocations] : [];
  const parts = [api, worker, notifications, credentials, tools, ...shared, ...recording.services];
  // Not the databases: without PostgreSQL it goes on taking events of those whom it knows.
  const readiness = async () => ({
    ...(await credentials.readiness?.()),
    ...(await tools.readiness?.()),
    ...(await link?.readiness?.()),
  });
  return { ...combine('ingest-gateway', parts), handle, readiness };
}

interface SharedMemory {
  readonly limiter: RateLimiter;
  readonly replies: ReplyCache | undefined;
  readonly link: Service | undefined;
  readonly revocations: Revocations | undefined;
}

/** What the gateways know together, with Redis; without, each limits by itself and looks repeats up in the key table. */
function createSharedMemory({ REDIS_URL: url }: Config, { clock, log, metrics }: GatewayDeps): SharedMemory {
  const local = createMemoryRateLimiter(rateRules, clock);
  if (url === undefined) return { limiter: local, replies: undefined, link: undefined, revocations: undefined };
  const link = createRedisLink({ url, clock, log, metrics });
  const judge = createJudge({ link, rules: rateRules });
  return {
    limiter: createRedisRateLimiter({ link, judge, local, clock }),
    replies: createRedisReplyCache({ link, judge, clock }),
    link,
    revocations: createRedisRevocations({ url, link, log }),
  };
}

interface RecordingDeps extends GatewayDeps {
  readonly tools: ToolDirectory;
  readonly keys: CountedKeys;
  readonly replies: ReplyCache | undefined;
}

/** The way of an event: what is known of its key, its tool, the decision, the queue into the log. */
function createRecording(config: Config, deps: RecordingDeps) {
  const { eventLog, clock, log, metrics, tools, replies } = deps;
  const topic = usageEventsTopic;
  const memory = createReplyMemory(config.REPLIES_REMEMBERED_MAX);
  const lookUps = createLookUpReply({ keys: deps.keys, log, timeoutMs: config.REPLY_LOOKUP_TIMEOUT_MS });
  const queue = createAppendQueue({ topic, eventLog: withAppendMetrics(eventLog, metrics, clock), clock, log });
  const appendEvent = createAppendEvent({ tools, queue });
  const recordEvent = createRecordEvent({
    memory,
    lookUpReply: replies ? createAskCacheFirst(replies, lookUps.add) : lookUps.add,
    appendEvent: replies ? createSaveReplies(replies, appendEvent) : appendEvent,
  });
  const held = createHeld({
    eventsMax: config.HELD_EVENTS_MAX,
    bytesMax: config.HELD_BYTES_MAX,
    onChange: createHeldGauges(metrics),
  });
  const { APPEND_DEADLINE_MS: appendDeadlineMs } = config;
  const recordEvents = createRecordEvents({ appendDeadlineMs, recordEvent, held, clock });
  const tail: UncountedTail = { read: (reading) => eventLog.readUncounted(topic, reading) };
  const drain: Service = {
    name: 'recording',
    start: async () => undefined,
    stop: async () => {
      await lookUps.idle();
      await queue.idle();
      await replies?.idle();
    },
  };
  return { deps: { recordEvents, held }, services: [createRememberUncounted({ tail, memory, log }), drain] };
}
