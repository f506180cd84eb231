import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@tollgate/kernel/clock';
import type { SeededRandom } from '../seeded-random.ts';
import { createInventEvents, type LoadAccount } from './invent-events.ts';
import type { Journal } from './journal.ts';
import { replayedHeader, toOutcome } from './load-client.ts';
import { toEventBody } from './load-event.ts';
import { createOutcomes, type Attempt } from './outcomes.ts';

export interface FloodOptions {
  readonly baseUrl: string;
  readonly accounts: readonly [LoadAccount, ...LoadAccount[]];
  readonly toolIds: readonly [string, ...string[]];
  readonly journal: Journal;
  readonly random: SeededRandom;
  /** The rate at the start. */
  readonly requestsPerSecond: number;
  /** Called for every request that was answered or broke off. */
  readonly onAnswer: (answer: FloodAnswered) => void;
}

export interface FloodAnswered {
  /** The time of sending, by the monotonic clock. */
  readonly sentMs: number;
  readonly tookMs: number;
  /** Undefined if the connection broke. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  /** The answer repeats that of an earlier request with the same key. */
  readonly isReplay: boolean;
}

export interface Flood {
  /** Changes the rate from now on. */
  setRate(requestsPerSecond: number): void;
  /** Answers that no service may give, in words. */
  readonly contradictions: readonly string[];
  /** Sends nothing more and waits for the open answers. */
  settle(): Promise<void>;
  /** Stops without waiting, for a test that failed. */
  stop(): void;
}

const turnMs = 5;
/** Open requests at most, each on a connection. Further ones are not sent: they would drown a slow machine. */
const openMax = 1_800;

/**
 * Sends requests at a fixed rate, each with one event, without waiting for answers, as many independent clients do to a
 * service that has become slow. No request is sent again. The journal has all of them.
 */
export function startFlood(options: FloodOptions): Flood {
  const { baseUrl, accounts, journal, random, onAnswer } = options;
  const outcomes = createOutcomes(journal);
  const prefix = random.integer(0, 0xffffffff).toString(36);
  const inventEvents = createInventEvents({ ...options, clock: systemClock, prefix });
  const { contradictions } = outcomes;
  const agent = new Agent({ keepAlive: true });
  const open = new Set<Promise<void>>();
  let rate = { perSecond: options.requestsPerSecond, sinceMs: systemClock.monotonicMs() };
  let isRunning = true;
  /** Requests due at this rate. */
  let due = 0;
  let asking = 0;
  const running = run();

  async function run(): Promise<void> {
    while (isRunning) {
      const dueNow = Math.floor(((systemClock.monotonicMs() - rate.sinceMs) / 1_000) * rate.perSecond);
      while (due < dueNow && asking < openMax) track(sendSome());
      due = Math.max(due, dueNow);
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

  /** Sends the next events of one account, a request for each. */
  async function sendSome(): Promise<void> {
    const account = random.pick(accounts);
    const events = inventEvents(account);
    due += events.length;
    asking += events.length;
    const attempts = await outcomes.sent(events);
    await Promise.all(attempts.map((attempt) => ask(account, attempt)));
  }

  async function ask({ credentials }: LoadAccount, attempt: Attempt): Promise<void> {
    const sentMs = systemClock.monotonicMs();
    const answer = await post(random.pick(credentials), JSON.stringify(toEventBody(attempt.event)));
    asking -= 1;
    const { status, headers = {} } = answer ?? {};
    onAnswer({
      sentMs,
      tookMs: systemClock.monotonicMs() - sentMs,
      status,
      retryAfter: headers['retry-after'],
      isReplay: headers[replayedHeader] === 'true',
    });
    await outcomes.known([attempt], [answer === undefined ? brokenOff : outcomeOf(answer)]);
  }

  /** Undefined: the connection broke. */
  function post(credential: string, body: string): Promise<FloodAnswer | undefined> {
    const headers = {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve) => {
      const asked = request(`${baseUrl}/v1/events`, { agent, method: 'POST', headers }, (response) => {
        const { statusCode: status = 0, headers: answered } = response;
        text(response).then(
          (read) => resolve({ status, headers: answered, body: read }),
          () => resolve(undefined),
        );
      });
      asked.on('error', () => resolve(undefined)).end(body);
    });
  }

  function stop(): void {
    isRunning = false;
    agent.destroy();
  }

  return {
    setRate(perSecond) {
      rate = { perSecond, sinceMs: systemClock.monotonicMs() };
      due = 0;
    },
    contradictions,
    async settle() {
      isRunning = false;
      await running;
      await Promise.all(open);
      stop();
    },
    stop,
  };
}

interface FloodAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const brokenOff = { kind: 'unknown', reason: 'broken off' } as const;

function outcomeOf({ status, headers, body }: FloodAnswer) {
  return toOutcome(
    { status, replayed: String(headers[replayedHeader]) },
    status === 201 ? JSON.parse(body) : undefined,
  );
}
