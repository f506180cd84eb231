import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { hourMs } from '@tollgate/kernel/durations';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createSendClaimed, sendOrRelease, type SendClaimed } from '../deliveries/send-claimed.ts';
import type { ComposeMail } from './compose-mail.ts';
import { letterMails } from './letter-mails.ts';
import { planMail } from './plan-mail.ts';
import type { SmtpAnswer } from './judge-smtp-error.ts';
import type { Message, SendMail } from './smtp.ts';
import { claimMails, releaseMail, settleMail, type ClaimedMail } from './sql-mail.ts';

export interface DeliverMailsDeps {
  readonly worker: Database;
  readonly compose: ComposeMail;
  readonly send: SendMail;
  /** Retries and claims go by real time: mail servers live in it. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

const sendingMax = 16;
/** Mails that were tried before share this part, so that they hold up no new one. */
const repeatedMax = 4;
/** Longer than a try may take: only a process that has died lets it pass. */
const claimedForMs = 60_000;
/** An invoice waits so long for its print. */
const printWaitMs = hourMs;

/** Hands mails to the mail server, each until it is taken, refused for good, or five days old. */
export function createDeliverMails(deps: DeliverMailsDeps): SendClaimed {
  const { worker, compose, send, realTime, log, metrics } = deps;
  const tries = metrics?.counter('tollgate_mails_total', 'Tries to send a mail.', ['outcome']);
  const nameOf = ({ mailId, type }: ClaimedMail) => ({ mail: mailId, type });
  return createSendClaimed({ name: 'deliver-mails', claim, deliver, nameOf, log });

  async function claim(running: readonly ClaimedMail[]): Promise<readonly ClaimedMail[]> {
    const free = sendingMax - running.length;
    if (free <= 0) return [];
    const nowMs = realTime.now();
    const repeated = running.filter(({ attempt }) => attempt > 1).length;
    const times = { nowMs, untilMs: nowMs + claimedForMs, printsWaitedSinceMs: nowMs - printWaitMs };
    return claimMails(worker, { ...times, free, freeRepeated: Math.max(0, repeatedMax - repeated) });
  }

  async function deliver(mail: ClaimedMail, stopping: AbortSignal): Promise<void> {
    const answer = await sendUnlessRefused(mail, stopping);
    if (answer === undefined) return;
    const nowMs = realTime.now();
    const outcome = planMail({ ...mail, answer, nowMs, random: Math.random() });
    await settleMail(worker, mail, { outcome, nowMs });
    const end = 'end' in outcome ? outcome.end : 'deferred';
    tries?.inc({ outcome: end });
    if (answer.kind === 'accepted') return;
    log.warn({ ...nameOf(mail), attempt: mail.attempt, outcome: end, answer: answer.reason }, 'a mail was not taken');
  }

  /** Undefined: this process stops. The server may have the mail, and gets it again under the same Message-ID. */
  async function sendUnlessRefused(mail: ClaimedMail, stopping: AbortSignal): Promise<SmtpAnswer | undefined> {
    const { address } = mail;
    if (address === null || (mail.isBounced && !isAskedFor(mail)))
      return { kind: 'refused', reason: 'the address takes no mail' };
    const message = composeOrExplain(mail, address);
    if ('reason' in message) return message;
    return sendOrRelease(() => send(message, stopping), { stopping, release: () => releaseMail(worker, mail) });
  }

  /** A mail that cannot be made holds up the others of its account no more than one that is deferred. */
  function composeOrExplain(mail: ClaimedMail, address: string): Message | Deferred {
    try {
      return compose(mail, address);
    } catch (error) {
      log.error({ ...nameOf(mail), err: error }, 'a mail could not be made');
      return { kind: 'deferred', reason: 'it could not be made' };
    }
  }
}

type Deferred = Extract<SmtpAnswer, { kind: 'deferred' }>;

/** A person waits for its link, and following it shows that the address takes mail again. */
function isAskedFor({ type, linkSealed }: ClaimedMail): boolean {
  return type in letterMails && linkSealed !== null;
}
