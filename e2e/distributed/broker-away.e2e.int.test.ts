import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import type { LoadAccount } from '@tollgate/testkit/load/invent-events';
import { startFlood, type Flood, type FloodAnswered } from '@tollgate/testkit/load/start-flood';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { expectCountedOnce } from './expect-counted-once.ts';
import { watchGateway, type GatewayFigures } from './gateway-figures.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();

/** What a small machine takes in, with all that it has to do besides. */
const calmRate = 2_000;
/** Once nothing is taken: all send again, or as many as a machine bears that has other work besides. */
const stormRate = 5_000;
/** Through which it must be taking events again, though more are asked than this machine can take. */
const takenAgain = 1_000;
/** With 20 keys each: enough that nobody meets the limit of 100 a second. */
const consumers = 12;
const keysOfEach = 20;
const warmUpMs = 10_000;
/** In the long form 300. */
const awayMs = Number(process.env['AWAY_SECONDS'] ?? 60) * 1_000;
const watchedMs = 5_000;
const deadlineMs = 5_000;
/** Of nearly all, and of the last one: on a machine that generates the load itself, and may have other work besides. */
const [lateMs, lateMsMax] = [2_000, 10_000];
const calmLagMs = 150;
/** As in a small container: what is held beyond the bounds ends the process. */
const small = {
  NODE_OPTIONS: '--max-old-space-size=72 --max-semi-space-size=2',
  HELD_BYTES_MAX: '4194304',
  REPLIES_REMEMBERED_MAX: '20000',
  HTTP_CONNECTIONS_MAX: '2000',
  MALLOC_ARENA_MAX: '1',
};
const rssMegabytesMax = 200;
const flatMegabytes = 20;
/** 4 MiB, of 10,000 bytes and a body each. */
const heldEventsMax = 420;

describeOfMinutes('a broker that is away for a minute', () => {
  describeKafka('from a gateway that is asked thousands of times a second', () => {
    let database: TestDatabase;
    let kafka: KafkaBroker;
    let shape: KafkaShape;
    let gateway: ServiceProcess;
    let flood: Flood;
    const answers: FloodAnswered[] = [];
    let isProven = false;

    beforeAll(async () => {
      database = await testDatabase();
      kafka = await startKafka();
      const { urlFor, ownerUrl } = database;
      shape = await openKafkaShape({ name: 'broker-away', urlFor, ownerUrl, partitions: 4, kafka, settings: small });
      const services = ['ingest-gateway', 'auth', 'billing', 'aggregator'] as const;
      [gateway] = (await Promise.all(services.map((name) => shape.deployment.add(name)))) as [ServiceProcess];
      flood = await shape.startCalls(consumers, async ({ cast, ...by }) => {
        const [first, ...others] = cast.consumers;
        return startFlood({
          ...by,
          baseUrl: gateway.url,
          accounts: [await withKeys(first), ...(await Promise.all(others.map(withKeys)))],
          toolIds: cast.toolIds,
          requestsPerSecond: calmRate,
          onAnswer: (answer) => void answers.push(answer),
        });
      });
    }, 180_000);
    afterAll(async () => {
      await (shape === undefined ? kafka?.destroy() : shape.destroy(isProven));
      await database?.drop();
    });

    it(
      'F83 answers 503 in time, holds no more than it may, and takes events again by itself',
      async () => {
        await sleep(warmUpMs);
        const before = await watchGateway(gateway, watchedMs);
        await kafka.kill();
        flood.setRate(stormRate);
        const killedMs = systemClock.monotonicMs();
        const early = await watchGateway(gateway, awayMs / 2);
        const late = await watchGateway(gateway, awayMs / 2);
        const startedMs = systemClock.monotonicMs();
        const rate = ratePerSecond(killedMs, startedMs);
        await kafka.start();
        await eventually(() => sharesTaken(stormRate, takenAgain / stormRate), { withinMs: 30_000, everyMs: 100 });
        const backMs = Math.round(systemClock.monotonicMs() - startedMs);
        flood.setRate(calmRate);
        await eventually(() => sharesTaken(calmRate, 0.95), { withinMs: 30_000, everyMs: 100 });
        const after = await eventually(() => calmAgain(before), { withinMs: 30_000, everyMs: 1_000 });
        await flood.settle();
        const quiet = await watchGateway(gateway, 0);

        const asked = answers.filter(({ sentMs }) => sentMs > killedMs && sentMs < startedMs - deadlineMs);
        const tookMs = tookOf(asked);
        await expectCountedOnce(shape, 'broker away', { rate, tookMs, backMs, before, early, late, after, quiet });
        expect(asked.filter(isOdd).slice(0, 5)).toEqual([]);
        expect(tookMs.p99).toBeLessThan(deadlineMs + lateMs);
        expect(tookMs.max).toBeLessThan(deadlineMs + lateMsMax);
        expect(rate).toBeGreaterThan(stormRate / 4);
        expect(late.heldEvents).toBeLessThan(heldEventsMax);
        expect(late.rssMegabytes).toBeLessThan(early.rssMegabytes + flatMegabytes);
        expect(late.rssMegabytes).toBeLessThan(rssMegabytesMax);
        expect(quiet).toMatchObject({ heldEvents: 0, heldMegabytes: 0 });
        isProven = true;
      },
      180_000 + awayMs,
    );

    /** For a second the event loop and the queue were as they had been at worst, under the same load. */
    async function calmAgain(before: GatewayFigures): Promise<GatewayFigures | undefined> {
      const now = await watchGateway(gateway, 0);
      const isCalm =
        now.eventLoopLagMs <= Math.max(before.eventLoopLagMs, calmLagMs) &&
        now.heldEvents <= Math.max(before.heldEvents, calmRate / 10);
      return isCalm ? now : undefined;
    }

    /** With as many keys as an account may have. */
    async function withKeys(account: LoadAccount): Promise<LoadAccount> {
      const [token] = account.credentials;
      const made: string[] = [];
      for (let at = 1; at < keysOfEach; at += 1) {
        const body = { name: `key ${at}` };
        made.push((await shape.client<{ key: string }>('POST', '/v1/api-keys', { token, body })).body.key);
      }
      return { ...account, credentials: [...account.credentials, ...made] };
    }

    /** Of answers. */
    function ratePerSecond(sinceMs: number, untilMs: number): number {
      const answered = answers.filter(({ sentMs, tookMs }) => sentMs + tookMs > sinceMs && sentMs + tookMs < untilMs);
      return Math.round((answered.length * 1_000) / (untilMs - sinceMs));
    }

    /** Of a second's answers so many tell of an event that was taken. */
    function sharesTaken(ofLast: number, share: number): boolean {
      return answers.slice(-ofLast).filter(({ status }) => status === 201).length >= ofLast * share;
    }
  });
});

/** In time, with the time to come again, and no event taken; a repeat of one that was is told so. */
function isOdd({ status, retryAfter, isReplay }: FloodAnswered): boolean {
  return isReplay ? status !== 201 : status !== 503 || retryAfter !== '1';
}

function tookOf(answers: readonly FloodAnswered[]): { p99: number; max: number } {
  const tookMs = answers.map((answer) => Math.round(answer.tookMs)).toSorted((a, b) => a - b);
  return { p99: tookMs[Math.floor(tookMs.length * 0.99)] ?? 0, max: tookMs.at(-1) ?? 0 };
}
