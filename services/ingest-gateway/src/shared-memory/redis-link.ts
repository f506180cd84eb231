/**
 * The connection to Redis, with a bound on waiting: no request waits longer than 50 ms for an answer.
 *
 *   up ──an answer is late, or an error──▶ away ──a small write, tried four times per second, succeeds in time──▶ up
 *
 * While Redis is away no request waits for it at all. Any server with Redis's protocol will do.
 */
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { every } from '@tollgate/runtime/timing/every';
import { within } from '@tollgate/runtime/timing/within';
import type { Clock } from '@tollgate/kernel/clock';
import { createClient, type ScriptedRedis } from './create-client.ts';

export interface RedisLinkDeps {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** The longest wait for an answer; 50 if not given. */
  readonly patienceMs?: number;
}

export interface RedisLink extends Service {
  isUp(): boolean;
  /** Called each time Redis answers again, and when it first does. */
  onBack(listener: () => void): void;
  /**
   * Resolves with Redis's answer if it comes within the link's patience, counted from `sinceMs` (monotonic; now if not
   * given). Undefined: Redis is away; it may have acted on the request all the same. Never rejects.
   */
  ask<Answer>(request: (redis: ScriptedRedis) => Promise<Answer>, sinceMs?: number): Promise<Answer | undefined>;
}

const pingEveryMs = 250;
const restWhileUpMs = 1_000; // a request to Redis finds out that it is away; then the pings begin after this rest

export function createRedisLink({ url, clock, log, metrics, patienceMs = 50 }: RedisLinkDeps): RedisLink {
  const seconds = metrics.histogram('tollgate_gateway_redis_seconds', 'From asking Redis to its answer.', {
    labels: ['outcome'],
  });
  const up = metrics.gauge(
    'tollgate_gateway_redis_up',
    '1 while Redis answers in time; 0 while each gateway limits on its own.',
  );
  const redis = createClient(url);
  const connectionLog = createConnectionLog(log);
  redis.on('error', connectionLog.warn);
  let isUp = false;
  const backListeners: (() => void)[] = [];
  const pinging = every({ name: 'redis-ping', everyMs: () => (isUp ? restWhileUpMs : pingEveryMs), log, run: ping });

  async function ask<Answer>(
    request: (redis: ScriptedRedis) => Promise<Answer>,
    sinceMs = clock.monotonicMs(),
  ): Promise<Answer | undefined> {
    const startedMs = clock.monotonicMs();
    const observe = (outcome: string): void => seconds.observe({ outcome }, (clock.monotonicMs() - startedMs) / 1_000);
    try {
      const answer = await within(request(redis), patienceMs - (startedMs - sinceMs), giveUpAfter(patienceMs));
      observe('answered');
      return answer;
    } catch (error) {
      observe(error instanceof Late ? 'late' : 'failed');
      setUp(false, error);
      return undefined;
    }
  }

  function setUp(next: boolean, error?: unknown): void {
    const wasUp = isUp;
    isUp = next;
    up.set(next ? 1 : 0);
    if (!next && wasUp)
      log.warn({ reason: wordsOf(error) }, 'Redis does not answer in time; this gateway applies limits on its own');
    if (!next || wasUp) return;
    log.info({}, 'Redis answers again; all gateways share limits and replies');
    connectionLog.forget();
    for (const listener of backListeners) listener();
  }

  /** Writes a key: a full server or a replica would still answer a PING. */
  async function ping(): Promise<void> {
    if (!isUp && (await ask((client) => client.set('tollgate:ping', '1', 'PX', pingEveryMs))) !== undefined)
      setUp(true);
  }

  return {
    name: 'redis',
    /** Starts without Redis as well. */
    async start() {
      await redis.connect().catch(() => undefined); // the error event reports it
      await ping();
      setUp(isUp);
      await pinging.start();
    },
    async stop() {
      const pinged = pinging.stop();
      redis.disconnect(); // ends the ping that is under way
      await pinged;
    },
    readiness: () => ({ redis: isUp ? 'ok' : 'degraded: away, limits and replies are of this gateway alone' }),
    isUp: () => isUp,
    onBack: (listener) => void backListeners.push(listener),
    ask,
  };
}

/** Logs each reason once: a connection is tried four times per second. */
function createConnectionLog(log: Logger) {
  let logged = '';
  return {
    warn(error: unknown): void {
      const reason = wordsOf(error);
      if (reason !== logged) log.warn({ reason }, 'cannot connect to Redis; trying again');
      logged = reason;
    },
    forget: () => void (logged = ''),
  };
}

class Late extends Error {}

function giveUpAfter(patienceMs: number): () => never {
  return () => {
    throw new Late(`no answer in ${patienceMs} ms`);
  };
}

/** The error's message alone: ioredis attaches the command, and the command of a refused sign-in holds the password. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
