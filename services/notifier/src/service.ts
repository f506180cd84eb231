import type { Transaction } from '@tollgate/database/database';
import { createDatabase } from '@tollgate/database/database';
import { createNotifications, type Notifications } from '@tollgate/database/notifications';
import { systemClock, type Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import { createCredentials } from '@tollgate/runtime/auth/credentials';
import { createIdempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import type { Handle } from '@tollgate/runtime/http/serving/create-http-server';
import { createForgetReplies } from '@tollgate/runtime/jobs/forget-replies';
import { combine } from '@tollgate/runtime/lifecycle/combine';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createReplyOnce } from '@tollgate/runtime/nest/reply-once';
import { createClockCheck } from '@tollgate/runtime/timing/clock-check';
import type { Config } from './config.ts';
import { createNotifierHttp } from './create-notifier-http.ts';
import { wireWebhooks } from './deliveries/wire.ts';
import { eventsController } from './events/events.controller.ts';
import { createForgetEvents } from './events/forget-events.ts';
import { takeOutbox } from './events/sql-take-outbox.ts';
import { createTakeOutbox } from './events/take-outbox.ts';
import { wireMail } from './mail/wire.ts';
import { wireRelay } from './relay/wire.ts';

export interface NotifierDeps {
  readonly clock: Clock;
  /** The time of the world outside, in which receivers live. Default: the machine's, which no operator moves. */
  readonly realTime?: Clock | undefined;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  /** Certificates that the mail server's is checked with, in PEM. Default: the usual ones. */
  readonly mailCa?: string | undefined;
  /** Default: a connection of the service's own. */
  readonly notifications?: Notifications | undefined;
}

export type Notifier = Service & { readonly handle: Handle };

/** Tells accounts what happened: takes the outbox, sends it to the endpoints that they registered here, and mails it. */
export function createNotifier(config: Config, deps: NotifierDeps): Notifier {
  const { clock, realTime = systemClock, log, metrics } = deps;
  const { DATABASE_API_URL: apiUrl, DATABASE_WORKER_URL: url } = config;
  const api = createDatabase({ url: apiUrl, name: 'notifier-api', maxConnections: 4, log });
  const worker = createDatabase({ url, name: 'notifier-worker', maxConnections: 4, isPipelined: true, log });
  const notifications = deps.notifications ?? createNotifications({ url, log });
  const issued = {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    publicUrl: config.PUBLIC_URL,
    operatorToken: config.OPERATOR_TOKEN,
    wrongOperatorTokensPerMinute: config.WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE,
  };
  const credentials = createCredentials({ database: worker, notifications, clock, realTime, log, config: issued });
  const clockCheck = createClockCheck({ database: worker, skewMaxMs: config.CLOCK_SKEW_MAX_MS, log });
  const idempotency = createIdempotency({ schema: 'notify', clock });
  const replyOnce = createReplyOnce<Transaction>({ database: api, idempotency });

  const mail = wireMail(config, { api, worker, notifications, realTime, log, metrics, mailCa: deps.mailCa });
  const { types: mailTypes } = mail;
  const webhooks = wireWebhooks(config, { api, worker, replyOnce, clock, realTime, mailTypes, log, metrics });
  const relay = wireRelay(config, { worker, clock, log });
  const outbox = createTakeOutbox({
    name: 'take-outbox',
    take: (slice) => takeOutbox(worker, { ...slice, mailTypes, isRelayed: relay.isRelayed }),
    notifications,
    realTime,
    log,
    onTaken() {
      webhooks.deliver.announce();
      mail.announce();
      relay.announce();
    },
  });

  const controllers = [eventsController({ api }), ...webhooks.controllers, ...mail.controllers];
  const http = createNotifierHttp(config, { worker, controllers, credentials, clock, log, metrics });
  const jobs = [
    createForgetReplies({ worker, idempotency, clockCheck, log }),
    createForgetEvents({ worker, realTime, log }),
  ];
  const parts = [
    api,
    worker,
    clockCheck,
    notifications,
    credentials,
    webhooks.deliver,
    ...relay.parts,
    outbox,
    ...mail.parts,
    ...jobs,
    http,
  ];
  return { ...combine('notifier', parts), handle: http.handle };
}
