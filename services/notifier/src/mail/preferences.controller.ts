import { Controller, Get, Put, Req, Res } from '@nestjs/common';
import { mailedUnlessRefused } from '@tollgate/contracts/webhooks/mail-types';
import {
  putNotificationPreferencesSchema,
  type NotificationPreferences,
} from '@tollgate/contracts/webhooks/notification-preferences';
import type { Database } from '@tollgate/database/database';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { listOptOuts, putOptOuts } from './sql-preference.ts';

const read = readBody(putNotificationPreferencesSchema);

/** Says and sets which mails an account wants. It is kept without a mail server, too. */
export function preferencesController({ api }: { readonly api: Database }): NestController {
  @Controller('v1/notification-preferences')
  class PreferencesController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const optOuts = await api.transaction((tx) => listOptOuts(tx, accountId), { accountId });
      sendJson(response, 200, toApi(optOuts));
    }

    @Put()
    async put(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const { email } = (await read(request, response)).value;
      const refused = mailedUnlessRefused.filter((type) => email[type] === false);
      await api.transaction(
        async (tx) => {
          await putOptOuts(tx, accountId, refused);
          const object = { kind: 'notification_preferences' };
          await recordAct(tx, actorOf(request), { action: 'notification_preferences.changed', accountId, object });
        },
        { accountId },
      );
      sendJson(response, 200, toApi(new Set(refused)));
    }
  }
  return PreferencesController;
}

function toApi(optOuts: ReadonlySet<string>): NotificationPreferences {
  const email = Object.fromEntries(mailedUnlessRefused.map((type) => [type, !optOuts.has(type)]));
  return { email: email as NotificationPreferences['email'] }; // one entry for each
}
