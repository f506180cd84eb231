import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { every } from '@tollgate/runtime/timing/every';
import { within } from '@tollgate/runtime/timing/within';
import { planOutcome } from './plan-outcome.ts';
import type { SendWebhook } from './send-webhook.ts';
import { claimDeliveries, type Claimed } from './sql-claim-deliveries.ts';
import { disableEndpoint, releaseDelivery, settleDelivery } from './sql-settle-delivery.ts';

export interface DeliverWebhooksDeps {
  readonly worker: Database;
  readonly send: SendWebhook;
  readonly clock: Pick<Clock, 'now'>;
  /** Retries and claims go by real time: receivers live in it. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

export interface DeliverWebhooks extends Service {
  /** Looks at once for what is due. */
  announce(): void;
}

const sendingMax = 256;
/** Endpoints whose last answer was no success share this part, so that they hold up none of the others. */
const untrustedMax = 64;
const perEndpointMax = 2;
/** Much longer than a call may take: only a process that has died lets it pass. */
const claimedForMs = 60_000;
const everyMs = 1_000;
/** A stop waits so long for answers; then it ends the calls, and others send them again. */
const stopAfterMs = 5_000;

/**
 * Sends what is due. A delivery is claimed, sent, and settled by the answer, each in a transaction of its own. Whoever dies
 * between two of them leaves a claim that ends by itself: the webhook is sent again, and never lost.
 */
export function createDeliverWebhooks(deps: DeliverWebhooksDeps): DeliverWebhooks {
  const { worker, send, clock, realTime, log, metrics } = deps;
  const running = new Map<Promise<void>, Claimed>();
  const stopping = new AbortController();
  const attempts = metrics?.counter('tollgate_webhook_attempts_total', 'Attempts to send a webhook.', ['outcome']);
  const pump = every({ name: 'deliver-webhooks', run: claimAndBegin, everyMs, first: 'at once', log });

  async function claimAndBegin(): Promise<void> {
    const free = sendingMax - running.size;
    if (free <= 0) return;
    const untrusted = [...running.values()].filter(({ isTrusted }) => !isTrusted).length;
    const nowMs = realTime.now();
    const times = { nowMs, untilMs: nowMs + claimedForMs };
    const bounds = { perEndpointMax, free, freeUntrusted: Math.max(0, untrustedMax - untrusted) };
    for (const claimed of await claimDeliveries(worker, { ...times, ...bounds })) begin(claimed);
  }

  function begin(claimed: Claimed): void {
    const task: Promise<void> = deliver(claimed)
      .catch((error: unknown) => {
        const { eventId, endpointId } = claimed;
        log.warn({ event: eventId, endpoint: endpointId, err: error }, 'a webhook was not settled; it is sent again');
      })
      .finally(() => {
        running.delete(task);
        pump.announce();
      });
    running.set(task, claimed);
  }

  async function deliver(claimed: Claimed): Promise<void> {
    const sent = await sendOrRelease(claimed);
    if (sent === undefined) return;
    const { tries, failingSinceMs, endpointId } = claimed;
    const nowMs = realTime.now();
    const outcome = planOutcome({ sent, tries, failingSinceMs, nowMs, random: Math.random() });
    attempts?.inc({ outcome: sent.error === null ? 'delivered' : 'failed' });
    await settleDelivery(worker, claimed, { sent, outcome });
    const { disableFor: reason } = outcome;
    if (reason === null) return;
    await disableEndpoint(worker, { endpointId, reason, happenedAtMs: clock.now(), nowMs });
    log.info({ endpoint: endpointId, reason }, 'disabled a webhook endpoint');
  }

  /** Undefined: this process stops. The receiver may have got it, and gets it again. */
  async function sendOrRelease(claimed: Claimed) {
    try {
      return await send(claimed, stopping.signal);
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      await releaseDelivery(worker, claimed);
      return undefined;
    }
  }

  async function stop(): Promise<void> {
    await pump.stop();
    const ended = () => Promise.all(running.keys()).then(() => undefined);
    await within(ended(), stopAfterMs, () => stopping.abort());
    await ended();
  }

  return { name: 'deliver-webhooks', start: pump.start, stop, announce: pump.announce };
}
