import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { unsubscribeFormSchema, unsubscribeQuerySchema } from '@tollgate/contracts/webhooks/notification-preferences';
import type { Database } from '@tollgate/database/database';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readForm } from '@tollgate/runtime/pages/read-form';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import type { Request, Response } from 'express';
import { renderAsk, renderEnded, renderUnknownLink } from './render-unsubscribe.ts';
import { addOptOut } from './sql-preference.ts';
import type { Subscription, UnsubscribeLinks } from './unsubscribe-links.ts';

export interface UnsubscribeDeps {
  readonly worker: Database;
  /** Undefined: no mail is sent here, so there is no such link. */
  readonly unsubscribeLinks: UnsubscribeLinks | undefined;
}

/** The page behind the link of a mail. To read it changes nothing: programs that look for evil links read it, too. */
export function unsubscribeController({ worker, unsubscribeLinks }: UnsubscribeDeps): NestController {
  @Controller('unsubscribe')
  class UnsubscribeController {
    @Get()
    show(@Req() request: Request, @Res() response: Response): void {
      const found = find(request);
      if (found === undefined) sendUnknown(response);
      else sendPage(response, { status: 200, html: renderAsk(found.type), formTarget: 'self' });
    }

    @Post()
    async end(@Req() request: Request, @Res() response: Response): Promise<void> {
      const found = find(request);
      if (found === undefined) return sendUnknown(response);
      await readForm(request, unsubscribeFormSchema);
      const { accountId, type } = found;
      await worker.transaction(async (tx) => {
        await addOptOut(tx, found);
        const object = { kind: 'notification_preferences' };
        const act = { action: 'notification_preferences.changed', accountId, object, detail: { ended: type } } as const;
        await recordAct(tx, actorOf(request), act);
      });
      sendPage(response, { status: 200, html: renderEnded(type) });
    }
  }
  return UnsubscribeController;

  function find(request: Request): Subscription | undefined {
    return unsubscribeLinks?.read(parseQuery(unsubscribeQuerySchema, request.url).token);
  }
}

function sendUnknown(response: Response): void {
  sendPage(response, { status: 404, html: renderUnknownLink() });
}
