import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { every } from '@tollgate/runtime/timing/every';
import type { ReceiveWebhook } from '../apply-webhooks.ts';
import { createSandboxBank } from './sandbox-bank.ts';
import { createSandboxFailures } from './sandbox-failures.ts';
import { sandboxPagesController } from './sandbox-pages.controller.ts';
import { createSandboxPages } from './sandbox-pages.ts';
import { createSandboxWebhookSender } from './sandbox-webhook-sender.ts';

export interface SandboxDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secret: string;
  /** The platform's deposit. Default: that of the processor. */
  readonly fundsCents?: bigint | undefined;
  /** Receives the sandbox's webhooks. */
  readonly deliver: ReceiveWebhook;
  readonly everyMs: number;
}

/** Wires the parts that a real processor would run itself: pages for people, a bank, and the sending of webhooks. */
export function wireSandbox({ database, clock, log, secret, fundsCents, deliver, everyMs }: SandboxDeps) {
  const sendWebhooks = createSandboxWebhookSender({ database, clock, secret, deliver });
  const sending = every({ name: 'send-sandbox-webhooks', run: sendWebhooks, everyMs, first: 'at once', log });
  const options = { database, clock, onEvent: sending.announce };
  const hostedPages = createSandboxPages(options);
  return {
    hostedPages,
    bank: createSandboxBank({ ...options, fundsCents }),
    failures: createSandboxFailures({ database, clock }),
    controllers: [sandboxPagesController({ hostedPages })],
    parts: [sending],
  };
}
