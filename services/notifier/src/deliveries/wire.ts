import type { Database, Transaction } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import { outgoingOptionsOf } from '@tollgate/runtime/config/outgoing-settings';
import { createOutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import type { Config } from '../config.ts';
import { endpointsController, operatorEndpointsController } from '../endpoints/endpoints.controller.ts';
import { createEndpoints } from '../endpoints/endpoints.ts';
import { createAccountOwners, createOperatorOwner } from '../endpoints/owners.ts';
import { createDeliverWebhooks, type DeliverWebhooksDeps } from './deliver-webhooks.ts';
import type { SendClaimed } from './send-claimed.ts';
import { createSendWebhook } from './send-webhook.ts';
import { operatorTestController, tellAgainController } from './tell-again.controller.ts';
import { traceWebhooks } from './trace-webhooks.ts';
import { createTellAgain } from './tell-again.ts';
import { toldEventsController } from './told-events.controller.ts';

interface WebhooksDeps extends Pick<DeliverWebhooksDeps, 'worker' | 'mailTypes'> {
  readonly api: Database;
  readonly replyOnce: ReplyOnce<Transaction>;
  readonly clock: Clock;
  readonly realTime: Clock;
  readonly log: Logger;
  readonly metrics: Metrics | undefined;
}

const sendWithinMs = 15_000;
const answerBytesMax = 1_024;

/** Endpoints, what is sent to them, and what they are told again. */
export function wireWebhooks(
  config: Config,
  { api, worker, replyOnce, clock, realTime, mailTypes, log, metrics }: WebhooksDeps,
): { readonly deliver: SendClaimed; readonly controllers: readonly NestController[] } {
  const box = createSealedBox({ secret: config.WEBHOOK_ENCRYPTION_SECRET, purpose: 'webhook-endpoint' });
  const { allowsLoopback, proxyUrl } = outgoingOptionsOf(config);
  const guard = { allowsLoopback, proxyUrl, timeoutMs: sendWithinMs, answerBytesMax, cutsAnswers: true } as const;
  const send = traceWebhooks(createSendWebhook({ outgoingFetch: createOutgoingFetch(guard), box, realTime }));
  const deliver = createDeliverWebhooks({ worker, send, clock, realTime, mailTypes, log, metrics });
  const tellAgain = createTellAgain({ clock, realTime, announce: deliver.announce });
  const endpoints = createEndpoints({ box, clock, realTime, allowsLoopback });
  const controllers = [
    endpointsController({ owners: createAccountOwners(api, replyOnce), endpoints }),
    toldEventsController({ api, tellAgain }),
    tellAgainController({ api, tellAgain }),
    operatorEndpointsController({ owners: createOperatorOwner(worker), endpoints }),
    operatorTestController({ worker, tellAgain }),
  ];
  return { deliver, controllers };
}
