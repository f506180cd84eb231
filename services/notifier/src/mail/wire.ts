import { mailedAlways, mailedUnlessRefused } from '@tollgate/contracts/webhooks/mail-types';
import type { Database } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Clock } from '@tollgate/kernel/clock';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { Config } from '../config.ts';
import { createTakeOutbox } from '../events/take-outbox.ts';
import { createComposeMail } from './compose-mail.ts';
import { createDeliverMails } from './deliver-mails.ts';
import { preferencesController } from './preferences.controller.ts';
import { readSender } from './sender.ts';
import { createSendMail } from './smtp.ts';
import { takeLetters } from './sql-take-letters.ts';
import { unsubscribeController } from './unsubscribe.controller.ts';
import { createUnsubscribeLinks } from './unsubscribe-links.ts';

export interface MailDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly realTime: Pick<Clock, 'now'>;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  /** Certificates that the mail server's is checked with. Default: the usual ones. */
  readonly mailCa?: string | undefined;
}

export interface Mail {
  /** Events of these types are mailed: none without a mail server. */
  readonly types: readonly string[];
  readonly announce: () => void;
  readonly controllers: readonly NestController[];
  readonly parts: readonly Service[];
}

/** Wires what is mailed. Without SMTP_URL that is nothing, and only the preferences can be read and set. */
export function wireMail(config: Config, deps: MailDeps): Mail {
  const { api, worker, notifications, realTime, log, metrics, mailCa: ca } = deps;
  const { SMTP_URL: url, SMTP_TLS: tls, MAIL_SECRET: secret, PUBLIC_URL: publicUrl } = config;
  const sender = readSender(config.MAIL_FROM ?? '');
  const preferences = preferencesController({ api });
  if (url === undefined || secret === undefined || publicUrl === undefined || sender === undefined) {
    const controllers = [preferences, unsubscribeController({ worker, unsubscribeLinks: undefined })];
    return { types: [], announce: () => undefined, controllers, parts: [] };
  }
  const unsubscribeLinks = createUnsubscribeLinks({ secret, publicUrl });
  const box = createSealedBox({ secret, purpose: 'mail-link' });
  const compose = createComposeMail({ sender, box, unsubscribeLinks, realTime });
  const send = createSendMail({ url, tls, sender, ca });
  const deliver = createDeliverMails({ worker, compose, send, realTime, log, metrics });
  const letters = createTakeOutbox({
    name: 'take-letters',
    take: (slice) => takeLetters(worker, slice),
    notifications,
    realTime,
    log,
    onTaken: deliver.announce,
  });
  return {
    types: [...mailedAlways, ...mailedUnlessRefused],
    announce: deliver.announce,
    controllers: [preferences, unsubscribeController({ worker, unsubscribeLinks })],
    parts: [deliver, letters],
  };
}
