import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { planOutcome } from './plan-outcome.ts';
import { createSendClaimed, sendOrRelease, type SendClaimed } from './send-claimed.ts';
import type { SendWebhook } from './send-webhook.ts';
import { claimDeliveries, type Claimed } from './sql-claim-deliveries.ts';
import { disableEndpoint, releaseDelivery, settleDelivery } from './sql-settle-delivery.ts';

export interface DeliverWebhooksDeps {
  readonly worker: Database;
  readonly send: SendWebhook;
  readonly clock: Pick<Clock, 'now'>;
  /** Retries and claims go by real time: receivers live in it. */
  readonly realTime: Pick<Clock, 'now'>;
  /** Events of these types are mailed, too. */
  readonly mailTypes: readonly string[];
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

const sendingMax = 256;
/** Endpoints whose last answer was no success share this part, so that they hold up none of the others. */
const untrustedMax = 64;
const perEndpointMax = 2;
/** Much longer than a call may take: only a process that has died lets it pass. */
const claimedForMs = 60_000;

/** Sends webhooks that are due, each until its endpoint has it. */
export function createDeliverWebhooks(deps: DeliverWebhooksDeps): SendClaimed {
  const { worker, send, clock, realTime, mailTypes, log, metrics } = deps;
  const attempts = metrics?.counter('tollgate_webhook_attempts_total', 'Attempts to send a webhook.', ['outcome']);
  const nameOf = ({ eventId, endpointId }: Claimed) => ({ event: eventId, endpoint: endpointId });
  return createSendClaimed({ name: 'deliver-webhooks', claim, deliver, nameOf, log });

  async function claim(running: readonly Claimed[]): Promise<readonly Claimed[]> {
    const free = sendingMax - running.length;
    if (free <= 0) return [];
    const untrusted = running.filter(({ isTrusted }) => !isTrusted).length;
    const nowMs = realTime.now();
    const times = { nowMs, untilMs: nowMs + claimedForMs };
    const bounds = { perEndpointMax, free, freeUntrusted: Math.max(0, untrustedMax - untrusted) };
    return claimDeliveries(worker, { ...times, ...bounds });
  }

  async function deliver(claimed: Claimed, stopping: AbortSignal): Promise<void> {
    const release = () => releaseDelivery(worker, claimed);
    const sent = await sendOrRelease(() => send(claimed, stopping), { stopping, release });
    if (sent === undefined) return;
    const { tries, failingSinceMs, endpointId } = claimed;
    const nowMs = realTime.now();
    const outcome = planOutcome({ sent, tries, failingSinceMs, nowMs, random: Math.random() });
    attempts?.inc({ outcome: sent.error === null ? 'delivered' : 'failed' });
    await settleDelivery(worker, claimed, { sent, outcome });
    const { disableFor: reason } = outcome;
    if (reason === null) return;
    await disableEndpoint(worker, { endpointId, reason, happenedAtMs: clock.now(), nowMs, mailTypes });
    log.info({ endpoint: endpointId, reason }, 'disabled a webhook endpoint');
  }
}
