import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import type { HttpClient } from '@tollgate/testkit/http-client';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { startKafka } from '@tollgate/testkit/kafka/start-kafka';
import type { LoadAccount } from '@tollgate/testkit/load/invent-events';
import { startFlood, type FloodAnswered } from '@tollgate/testkit/load/start-flood';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { smallContainer } from '@tollgate/testkit/small-container';
import { itWith } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { watchGateway } from './gateway-figures.ts';
import { openKafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();
const services = ['ingest-gateway', 'auth', 'billing', 'aggregator'] as const;

/** Requests per second that a small machine takes in beside its other work. */
const calmRate = 2_000;
/** Requests per second while nothing is taken: every client sends again, as far as a machine with other work can send. */
const stormRate = 5_000;
/** Events per second that must be taken again under `stormRate`, which is more than this machine can take. */
const takenAgain = 1_000;
/** Each consumer has 20 keys: enough that none meets the limit of 100 requests per second. */
const consumers = 12;
const keysOfEach = 20;
const warmUpMs = 10_000;
/** The long form has 300 s. */
const awayMs = Number(process.env['AWAY_SECONDS'] ?? 60) * 1_000;
const watchedMs = 5_000;
const deadlineMs = 5_000;
/**
 * How late the 99th percentile and the last answer may be, on a machine that also generates the load and may be busy with
 * other work. Without the deadline, requests wait for the broker: for most of a minute.
 */
const [lateMs, lateMsMax] = [10_000, awayMs / 2];
const calmLagMs = 150;
const patience = { withinMs: 30_000, everyMs: 100 };
const rssMegabytesMax = 200;
const flatMegabytes = 20;
/** 4 MiB of events, each 10,000 bytes and its body. */
const heldEventsMax = 420;

describeInTurn(describeKafka)(
  'a broker that is away for a minute from a gateway with thousands of requests per second',
  () => {
    const it = itWith(async (undo) => {
      const kafka = await startKafka();
      // A gateway that holds more than its bounds runs out of memory.
      const options = { name: 'broker-away', partitions: 4, kafka, settings: smallContainer, services };
      const shape = await openKafkaShape(options, undo);
      const gateway = shape.deployment.first('ingest-gateway');
      const answers: FloodAnswered[] = [];
      const flood = await shape.startCalls(consumers, async ({ cast, ...by }) => {
        const [first, ...others] = await Promise.all(cast.consumers.map((account) => withKeys(shape.client, account)));
        if (first === undefined) throw new Error('a cast has a consumer');
        return startFlood({
          ...by,
          baseUrl: gateway.url,
          accounts: [first, ...others],
          toolIds: cast.toolIds,
          requestsPerSecond: calmRate,
          onAnswer: (answer) => void answers.push(answer),
        });
      });
      return { kafka, shape, gateway, flood, answers };
    });

    it(
      'F83 answers 503 in time, holds no more than it may, and takes events again by itself',
      async ({ kafka, shape, gateway, flood, answers }) => {
        const areTaken = (ofLast: number, share: number) => () =>
          answers.slice(-ofLast).filter(({ status }) => status === 201).length >= ofLast * share;
        await sleep(warmUpMs);
        const before = await watchGateway(gateway, watchedMs);
        await kafka.kill();
        flood.setRate(stormRate);
        const killedMs = systemClock.monotonicMs();
        const early = await watchGateway(gateway, awayMs / 2);
        const late = await watchGateway(gateway, awayMs / 2);
        const startedMs = systemClock.monotonicMs();
        const rate = answersPerSecond(answers, killedMs, startedMs);
        await kafka.start();
        await eventually(areTaken(stormRate, takenAgain / stormRate), patience);
        const backMs = Math.round(systemClock.monotonicMs() - startedMs);
        flood.setRate(calmRate);
        await eventually(areTaken(calmRate, 0.95), patience);
        const calmAgain = async () => {
          const now = await watchGateway(gateway, 0);
          const isQuick = now.eventLoopLagMs <= Math.max(before.eventLoopLagMs, calmLagMs);
          return isQuick && now.heldEvents <= Math.max(before.heldEvents, calmRate / 10) ? now : undefined;
        };
        const after = await eventually(calmAgain, { withinMs: 30_000, everyMs: 1_000 });
        await flood.settle();
        const quiet = await watchGateway(gateway, 0);

        const asked = answers.filter(({ sentMs }) => sentMs > killedMs && sentMs < startedMs - deadlineMs);
        const tookMs = tookOf(asked);
        await expectCountedOnce(shape, 'broker away', { rate, tookMs, backMs, before, early, late, after, quiet });
        expect(asked.filter(isOdd).slice(0, 5)).toEqual([]);
        expect(tookMs.p99).toBeLessThan(deadlineMs + lateMs);
        expect(tookMs.max).toBeLessThan(deadlineMs + lateMsMax);
        expect(rate).toBeGreaterThan(stormRate / 10);
        expect(late.heldEvents).toBeLessThan(heldEventsMax);
        expect(late.rssMegabytes).toBeLessThan(early.rssMegabytes + flatMegabytes);
        expect(late.rssMegabytes).toBeLessThan(rssMegabytesMax);
        expect(quiet).toMatchObject({ heldEvents: 0, heldMegabytes: 0 });
      },
      180_000 + awayMs,
    );
  },
);

/** Gives an account as many keys as it may have. */
async function withKeys(client: HttpClient, account: LoadAccount): Promise<LoadAccount> {
  const [token] = account.credentials;
  const keys: string[] = [];
  for (let at = 1; at < keysOfEach; at += 1) {
    const body = { name: `key ${at}` };
    keys.push((await client<{ key: string }>('POST', '/v1/api-keys', { token, body })).body.key);
  }
  return { ...account, credentials: [...account.credentials, ...keys] };
}

function answersPerSecond(answers: readonly FloodAnswered[], sinceMs: number, untilMs: number): number {
  const answered = answers.filter(({ sentMs, tookMs }) => sentMs + tookMs > sinceMs && sentMs + tookMs < untilMs);
  return Math.round((answered.length * 1_000) / (untilMs - sinceMs));
}

/** An expected answer is 503 with Retry-After; the repeat of a recorded event is 201. */
function isOdd({ status, retryAfter, isReplay }: FloodAnswered): boolean {
  return isReplay ? status !== 201 : status !== 503 || retryAfter !== '1';
}

function tookOf(answers: readonly FloodAnswered[]): { p99: number; max: number } {
  const tookMs = answers.map((answer) => Math.round(answer.tookMs)).toSorted((a, b) => a - b);
  return { p99: tookMs[Math.floor(tookMs.length * 0.99)] ?? 0, max: tookMs.at(-1) ?? 0 };
}
