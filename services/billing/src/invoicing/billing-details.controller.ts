import { Controller, Get, Put, Req, Res } from '@nestjs/common';
import { billingDetailsInputSchema, type BillingDetails } from '@tollgate/contracts/money/billing-details';
import type { Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import type { BuyerDetails } from './party.ts';
import { findBillingDetails, putBillingDetails } from './sql-billing-details.ts';

export interface BillingDetailsDeps {
  readonly database: Database;
  readonly clock: Clock;
}

const read = readBody(billingDetailsInputSchema);

export function billingDetailsController({ database, clock }: BillingDetailsDeps): NestController {
  @Controller('v1/billing/details')
  class BillingDetailsController {
    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const details = await database.transaction((tx) => findBillingDetails(tx, accountId), { accountId });
      if (details === undefined) throw new AppError('not_found', 'There are no billing details. PUT sets them.');
      sendJson(response, 200, toApiDetails(details));
    }

    @Put()
    async put(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const { tax_id: taxId = null, ...body } = (await read(request, response)).value;
      const details = { ...body, taxId };
      await database.transaction(
        async (tx) => {
          await putBillingDetails(tx, { accountId, details, nowMs: clock.now() });
          const object = { kind: 'billing_details' };
          await recordAct(tx, actorOf(request), { action: 'billing_details.changed', accountId, object });
        },
        { accountId },
      );
      sendJson(response, 200, toApiDetails(details));
    }
  }
  return BillingDetailsController;
}

function toApiDetails({ name, address, country, taxId }: BuyerDetails): BillingDetails {
  return { name, address: [...address], country, tax_id: taxId };
}
