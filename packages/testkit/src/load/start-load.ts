import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '@tollgate/kernel/clock';

import { eventually } from '../eventually.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { createInventEvents, type LoadAccount } from './invent-events.ts';
import type { Journal } from './journal.ts';
import { sendEvents, type Outcome } from './load-client.ts';
import type { LoadEvent } from './load-event.ts';
import { createOutcomes } from './outcomes.ts';

export interface LoadOptions {
  /** Called before each request. It waits while nothing serves; a restarted service may have a new address. */
  readonly baseUrl: () => Promise<string>;
  readonly accounts: readonly [LoadAccount, ...LoadAccount[]];
  readonly toolIds: readonly [string, ...string[]];
  readonly journal: Journal;
  readonly random: SeededRandom;
  /** How many requests are under way at the same time. */
  readonly clients: number;
  /** The limit of one request. */
  readonly batchEventsMax?: number;
  /** On average; the load catches up after a pause. If absent, clients send as fast as they are answered. */
  readonly eventsPerSecond?: number;
  /** Called after every request. */
  readonly onAnswer?: (answer: Answer) => void;
}

export interface Answer {
  /** The time of sending, by the monotonic clock. */
  readonly sentMs: number;
  /** The outcome of each of its events is known, and no event must be sent again. */
  readonly isServed: boolean;
}

export interface Load {
  /** How many requests were served. */
  answered(): number;
  /** How many acknowledgements of events arrived. */
  acknowledged(): number;
  /** Resolves when so many further events are acknowledged. */
  goesOn(acknowledgements: number): Promise<unknown>;
  /** Answers that no service may give, in words. */
  readonly contradictions: readonly string[];
  /** Sends no new events, and repeats keyed events of unknown outcome until every such outcome is known. */
  settle(options: { withinMs: number }): Promise<void>;
  /** Stops without waiting, for a test that failed. */
  stop(): void;
}

const backOffMs = 50;
const paceMs = 5;
const goesOnWithinMs = 60_000;

/**
 * Starts clients that report calls of tools at the same time. Each waits for its answer before it goes on. Their journal
 * has all that they know. They repeat keyed events of unknown outcome, as the documentation advises.
 */
export function startLoad(options: LoadOptions): Load {
  const { journal, random, accounts, batchEventsMax: retriesMax = 20 } = options;
  const outcomes = createOutcomes(journal);
  const inventEvents = createInventEvents({
    ...options,
    clock: systemClock,
    prefix: random.integer(0, 0xffffffff).toString(36),
  });
  let isSettling = false;
  let isStopped = false;
  let answered = 0;
  let acknowledged = 0;
  let invented = 0;
  const startedMs = systemClock.monotonicMs();
  const clients = Array.from({ length: options.clients }, runClient);

  async function runClient(): Promise<void> {
    while (!isSettling) {
      const account = random.pick(accounts);
      const unknown = outcomes.takeUnknown(account.consumerId, retriesMax);
      if (unknown.length > 0) await send(account, unknown);
      else if (isAhead()) await sleep(paceMs);
      else await sendNew(account);
    }
  }

  function isAhead(): boolean {
    const { eventsPerSecond = Number.POSITIVE_INFINITY } = options;
    return invented > ((systemClock.monotonicMs() - startedMs) / 1_000) * eventsPerSecond;
  }

  async function sendNew(account: LoadAccount): Promise<void> {
    const events = inventEvents(account);
    invented += events.length;
    await send(account, events);
  }

  async function send(account: LoadAccount, events: readonly LoadEvent[]): Promise<void> {
    const baseUrl = await options.baseUrl();
    if (isStopped) return;
    const attempts = await outcomes.sent(events);
    const sentMs = systemClock.monotonicMs();
    const results = await sendEvents({ baseUrl, credential: random.pick(account.credentials), events });
    await outcomes.known(attempts, results);
    acknowledged += results.filter(({ kind }) => kind === 'acknowledged').length;
    const isServed = !results.some(mustWait);
    options.onAnswer?.({ sentMs, isServed });
    if (isServed) answered += 1;
    else await sleep(backOffMs);
  }

  async function settle({ withinMs }: { withinMs: number }): Promise<void> {
    isSettling = true;
    await Promise.all(clients);
    const patience = AbortSignal.timeout(withinMs);
    for (const account of accounts) {
      for (;;) {
        const events = outcomes.takeUnknown(account.consumerId, retriesMax);
        if (events.length === 0 || isStopped) break;
        if (patience.aborted) throw new Error(`not within ${withinMs} ms: ${events.length} outcomes are still unknown`);
        await send(account, events);
      }
    }
  }

  function goesOn(acknowledgements: number): Promise<unknown> {
    const enough = acknowledged + acknowledgements;
    return eventually(() => acknowledged >= enough, { withinMs: goesOnWithinMs });
  }

  function stop(): void {
    isSettling = true;
    isStopped = true;
  }

  return {
    answered: () => answered,
    acknowledged: () => acknowledged,
    goesOn,
    contradictions: outcomes.contradictions,
    settle,
    stop,
  };
}

function mustWait(outcome: Outcome): boolean {
  return outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.mayRetry);
}
