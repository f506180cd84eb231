import { setTimeout as sleep } from 'node:timers/promises';

import { systemClock } from '@tollgate/kernel/clock';

import type { SeededRandom } from '../seeded-random.ts';
import { createInventEvents, type LoadAccount } from './invent-events.ts';
import type { Journal } from './journal.ts';
import { sendEvents, type Outcome } from './load-client.ts';
import type { LoadEvent } from './load-event.ts';
import { createOutcomes } from './outcomes.ts';

export interface LoadOptions {
  /** Asked before each request: waits while nothing serves, and a restarted service may be elsewhere. */
  readonly baseUrl: () => Promise<string>;
  readonly accounts: readonly [LoadAccount, ...LoadAccount[]];
  readonly toolIds: readonly [string, ...string[]];
  readonly journal: Journal;
  readonly random: SeededRandom;
  /** How many requests are under way at once. */
  readonly clients: number;
}

export interface Load {
  /** Requests that were answered, whatever the answer. */
  answered(): number;
  /** Answers that no service may give, whatever was done to it. */
  readonly contradictions: readonly string[];
  /** Sends no new events; sends again what has a key and an unknown outcome, until every such outcome is known. */
  settle(options: { withinMs: number }): Promise<void>;
  /** No further request leaves; for a test that has failed. */
  stop(): void;
}

const backOffMs = 50;
const retriesMax = 20;

/**
 * Programs that call tools and report it, all at once, each waiting for its answer before it goes on. What they know
 * is in the journal. Unknown outcomes are sent again by their key, as the documentation tells clients to.
 */
export function startLoad(options: LoadOptions): Load {
  const { journal, random, accounts } = options;
  const outcomes = createOutcomes(journal);
  const inventEvents = createInventEvents({
    ...options,
    clock: systemClock,
    prefix: random.integer(0, 0xffffffff).toString(36),
  });
  let isSettling = false;
  let isStopped = false;
  let answered = 0;
  const clients = Array.from({ length: options.clients }, runClient);

  async function runClient(): Promise<void> {
    while (!isSettling) {
      const account = random.pick(accounts);
      const unknown = outcomes.takeUnknown(account.consumerId, retriesMax);
      await send(account, unknown.length > 0 ? unknown : inventEvents(account));
    }
  }

  async function send(account: LoadAccount, events: readonly LoadEvent[]): Promise<void> {
    const baseUrl = await options.baseUrl();
    if (isStopped) return;
    const attempts = await outcomes.sent(events);
    const results = await sendEvents({ baseUrl, credential: random.pick(account.credentials), events });
    await outcomes.known(attempts, results);
    if (results.some(mustWait)) await sleep(backOffMs);
    else answered += 1;
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

  function stop(): void {
    isSettling = true;
    isStopped = true;
  }

  return { answered: () => answered, contradictions: outcomes.contradictions, settle, stop };
}

function mustWait(outcome: Outcome): boolean {
  return outcome.kind === 'unknown' || (outcome.kind === 'refused' && outcome.mayRetry);
}
