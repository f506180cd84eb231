import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import type { SeededRandom } from '../seeded-random.ts';
import { openFloodConnection, type FloodAnswer, type FloodConnection } from './flood-connection.ts';
import { createInventEvents, type LoadAccount } from './invent-events.ts';
import type { Journal } from './journal.ts';
import type { Outcome } from './load-client.ts';
import { toEventBody } from './load-event.ts';
import { createOutcomes, type Attempt } from './outcomes.ts';

export interface FloodOptions {
  readonly baseUrl: string;
  readonly accounts: readonly [LoadAccount, ...LoadAccount[]];
  readonly toolIds: readonly [string, ...string[]];
  readonly journal: Journal;
  readonly random: SeededRandom;
  readonly requestsPerSecond: number;
  /** Told of every request that was answered, or broken off. */
  readonly onAnswer: (answer: FloodAnswered) => void;
}

export interface FloodAnswered {
  /** By the monotonic clock. */
  readonly sentMs: number;
  readonly tookMs: number;
  /** Undefined: none, the connection broke. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** It tells what an earlier request of the same key was told. */
  readonly isReplay: boolean;
}

export interface Flood {
  /** Requests that have left. */
  sent(): number;
  /** Answers that no service may give. */
  readonly contradictions: readonly string[];
  /** Sends nothing more, and waits for the answers to what was sent. */
  stop(): Promise<void>;
}

const turnMs = 5;
/** Of the files that a process may have open; who comes then waits. */
const connectionsMax = 8_000;

/**
 * So many requests a second, an event each, whether earlier ones are answered or not: what many independent clients do
 * to a service that has become slow. They wait for nobody, and nobody sends again. The journal has all of it.
 */
export function startFlood(options: FloodOptions): Flood {
  const { baseUrl, accounts, journal, random, requestsPerSecond, onAnswer } = options;
  const outcomes = createOutcomes(journal);
  const prefix = random.integer(0, 0xffffffff).toString(36);
  const inventEvents = createInventEvents({ ...options, clock: systemClock, prefix });
  const { contradictions } = outcomes;
  const idle: FloodConnection[] = []; // as many as were ever needed at once
  const waiting: ((connection: FloodConnection) => void)[] = [];
  let opened = 0;
  const open = new Set<Promise<void>>();
  const startedMs = systemClock.monotonicMs();
  let isRunning = true;
  let due = 0;
  let sent = 0;
  const running = run();

  async function run(): Promise<void> {
    while (isRunning) {
      const dueNow = Math.floor(((systemClock.monotonicMs() - startedMs) / 1_000) * requestsPerSecond);
      while (due < dueNow) track(sendSome());
      await sleep(turnMs);
    }
  }

  function track(work: Promise<void>): void {
    open.add(work);
    work.then(
      () => open.delete(work),
      (error: unknown) => contradictions.push(String(error)),
    );
  }

  /** A request for each of the events that one account's programs have at the moment. */
  async function sendSome(): Promise<void> {
    const account = random.pick(accounts);
    const events = inventEvents(account);
    due += events.length;
    const attempts = await outcomes.sent(events);
    await Promise.all(attempts.map((attempt) => ask(account, attempt)));
  }

  async function ask({ credentials }: LoadAccount, attempt: Attempt): Promise<void> {
    const connection = await takeConnection();
    sent += 1;
    const sentMs = systemClock.monotonicMs();
    const answer = await connection.send(toRequest(random.pick(credentials), attempt));
    const tookMs = systemClock.monotonicMs() - sentMs;
    giveBack(connection);
    const retryAfter = answer?.headers.get('retry-after');
    onAnswer({
      sentMs,
      tookMs,
      status: answer?.status,
      retryAfter,
      isReplay: answer !== undefined && isReplay(answer),
    });
    await outcomes.known([attempt], [toOutcome(answer)]);
  }

  function takeConnection(): FloodConnection | Promise<FloodConnection> {
    for (let kept = idle.pop(); kept !== undefined; kept = idle.pop()) {
      if (kept.isOpen()) return kept;
      opened -= 1; // the server closes what nobody has used for a minute
    }
    if (opened === connectionsMax) return new Promise((resolve) => waiting.push(resolve));
    opened += 1;
    return openFloodConnection(baseUrl);
  }

  /** To who waits for one; in place of one that broke, a new one. */
  function giveBack(connection: FloodConnection): void {
    if (!connection.isOpen()) opened -= 1;
    const next = waiting.shift();
    if (next !== undefined && connection.isOpen()) next(connection);
    else if (next !== undefined) track(Promise.resolve(takeConnection()).then(next));
    else if (connection.isOpen()) idle.push(connection);
  }

  return {
    sent: () => sent,
    contradictions,
    async stop() {
      isRunning = false;
      await running;
      await Promise.all(open);
      for (const connection of idle) connection.close();
    },
  };
}

function toRequest(credential: string, { event }: Attempt): string {
  const body = JSON.stringify(toEventBody(event));
  const head = `POST /v1/events HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${credential}`;
  return `${head}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`; // of ASCII
}

function toOutcome(answer: FloodAnswer | undefined): Outcome {
  if (answer === undefined) return { kind: 'unknown', reason: 'broken off' };
  const { status, body } = answer;
  if (status >= 500) return { kind: 'unknown', reason: String(status) };
  if (status !== 201) return { kind: 'refused', reason: String(status), mayRetry: status === 429 };
  const { event_id: eventId, timestamp } = JSON.parse(body) as { event_id: string; timestamp: string };
  return { kind: 'acknowledged', eventId, timestamp, isReplay: isReplay(answer) };
}

function isReplay({ headers }: FloodAnswer): boolean {
  return headers.get('idempotent-replayed') === 'true';
}
