import { Controller, Put, Req, Res } from '@nestjs/common';
import { balanceAlertsInputSchema } from '@tollgate/contracts/money/balance';
import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { listThresholds, putThresholds } from './sql-balance-threshold.ts';
import { toApiThresholds } from './to-api-thresholds.ts';

export interface BalanceAlertsDeps {
  readonly api: Database;
  readonly clock: Clock;
}

export function balanceAlertsController({ api, clock }: BalanceAlertsDeps): NestController {
  @Controller('v1/billing/balance/alerts')
  class BalanceAlertsController {
    @Put()
    async put(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const { value } = await readBody(balanceAlertsInputSchema)(request, response);
      const { below_usd: belowCents } = value;
      const detail = { below_usd: belowCents.map((cents) => formatUsd(centsToMicros(cents))).join(' ') || 'none' };
      const thresholds = await api.transaction(
        async (tx) => {
          await putThresholds(tx, { accountId, belowCents, nowMs: clock.now() });
          const object = { kind: 'balance_alerts' };
          await recordAct(tx, actorOf(request), { action: 'balance_alerts.changed', accountId, object, detail });
          return listThresholds(tx, accountId);
        },
        { accountId },
      );
      sendJson(response, 200, { below_usd: toApiThresholds(thresholds) });
    }
  }
  return BalanceAlertsController;
}
