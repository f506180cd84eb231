/**
 * The way to Redis, which nobody may have to wait for: what it does not answer within 50 ms it is not asked.
 *
 *   up ──an answer is late, or an error──▶ away ──a small write, tried four times a second, is answered in time──▶ up
 *
 * While it is away nobody is kept waiting, not even 50 ms. `Redis` here is any server that speaks its protocol.
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
  /** How long an answer is waited for; 50 if not given. */
  readonly patienceMs?: number;
}

export interface RedisLink extends Service {
  isUp(): boolean;
  /** Called each time Redis answers again, and when it first does. */
  onBack(listener: () => void): void;
  /**
   * What Redis answers within the link's patience, from `sinceMs` on (monotonic; now if not given); undefined: it is away.
   * It may act on the request all the same. Never rejects.
   */
  ask<Answer>(request: (redis: ScriptedRedis) => Promise<Answer>, sinceMs?: number): Promise<Answer | undefined>;
}

const pingEveryMs = 250;

export function createRedisLink({ url, clock, log, metrics, patienceMs = 50 }: RedisLinkDeps): RedisLink {
  const seconds = metrics.histogram('tollgate_gateway_redis_seconds', 'From asking Redis to its answer.', {
    labels: ['outcome'],
  });
  const up = metrics.gauge(
    'tollgate_gateway_redis_up',
    '1 while Redis answers in time; 0 while limits are each gateway’s own.',
  );
  const redis = createClient(url);
  const troubles = createTroubles(log);
  redis.on('error', troubles.tell);
  let isUp = false;
  const backListeners: (() => void)[] = [];
  const pinging = every({ name: 'redis-ping', everyMs: pingEveryMs, log, run: ping });

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
      log.warn({ reason: wordsOf(error) }, 'Redis does not answer in time, going on with limits of our own');
    if (!next || wasUp) return;
    log.info({}, 'Redis answers: limits and replies are shared by all gateways');
    troubles.forget();
    for (const listener of backListeners) listener();
  }

  /** A write: a full server, or one that has become a replica, would answer a PING. */
  async function ping(): Promise<void> {
    if (!isUp && (await ask((client) => client.set('tollgate:ping', '1', 'PX', pingEveryMs))) !== undefined)
      setUp(true);
  }

  return {
    name: 'redis',
    /** It is no reason not to start that Redis is not there. */
    async start() {
      await redis.connect().catch(() => undefined); // told by its event
      await ping();
      setUp(isUp);
      await pinging.start();
    },
    async stop() {
      const pinged = pinging.stop();
      redis.disconnect(); // ends the ping that is on its way
      await pinged;
    },
    readiness: async () => ({ redis: isUp ? 'ok' : 'degraded: away, limits and replies are of this gateway alone' }),
    isUp: () => isUp,
    onBack: (listener) => void backListeners.push(listener),
    ask,
  };
}

/** Tells each reason once: a connection is tried four times a second. */
function createTroubles(log: Logger) {
  let told = '';
  return {
    tell(error: unknown): void {
      const reason = wordsOf(error);
      if (reason !== told) log.warn({ reason }, 'no connection to Redis, trying on');
      told = reason;
    },
    forget: () => void (told = ''),
  };
}

class Late extends Error {}

function giveUpAfter(patienceMs: number): () => never {
  return () => {
    throw new Late(`no answer in ${patienceMs} ms`);
  };
}

/** Of an error only the words: ioredis hangs the command on it, and that of a refused sign-in holds the password. */
function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
