import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { disputeOrderSchema } from '@tollgate/contracts/sandbox-disputes';
import {
  failureScriptSchema,
  type FailureScript,
  type ScriptedFailure as ApiFailure,
} from '@tollgate/contracts/sandbox-failures';
import { ownPayoutOrderSchema } from '@tollgate/contracts/sandbox-own-payouts';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import type { ScriptedFailure, ScriptedFailures } from '../processor/sandbox/scripted-failures.ts';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { OpenDispute } from './open-dispute.ts';
import type { PayOutToBank } from './pay-out-to-bank.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface SandboxTroubleUseCases {
  readonly failures: ScriptedFailures;
  readonly openDispute: OpenDispute;
  readonly payOutToBank: PayOutToBank;
}

/** Scripts failures, opens disputes and pays the balance out. Mounted only with the sandbox processor. */
export function sandboxTroubleController(useCases: SandboxTroubleUseCases): NestController {
  const { failures, openDispute, payOutToBank } = useCases;
  @Controller('v1/sandbox')
  class SandboxTroubleController {
    @Post('failures')
    async script(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value } = await readBody(failureScriptSchema)(request, response);
      sendJson(response, 201, toApiFailure(await failures.add(fromApiScript(value))));
    }

    @Get('failures')
    async list(@Res() response: Response): Promise<void> {
      const listed = (await failures.list()).map(toApiFailure);
      sendJson(response, 200, { failures: listed, total: listed.length });
    }

    @Delete('failures')
    async clear(@Res() response: Response): Promise<void> {
      await failures.clear();
      sendEmpty(response);
    }

    @Post('disputes')
    async dispute(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value } = await readBody(disputeOrderSchema)(request, response);
      const { invoice_id: invoiceId, top_up_id: topUpId, amount_usd: amountCents, outcome } = value;
      const opened = await openDispute({ invoiceId, topUpId, amountCents, outcome });
      sendJson(response, 201, {
        id: opened.objectId,
        invoice_id: invoiceId ?? null,
        top_up_id: topUpId ?? null,
        amount_usd: toUsdNumber(centsToMicros(opened.amountCents)),
        outcome: opened.status,
        created_at: toIso(opened.createdAtMs),
      });
    }

    @Post('own-payouts')
    async payOut(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value } = await readBody(ownPayoutOrderSchema)(request, response);
      const { amount_usd: amountCents, outcome = 'paid' } = value;
      const { objectId: id, createdAtMs } = await payOutToBank({ amountCents, outcome });
      const amount_usd = toUsdNumber(centsToMicros(amountCents));
      sendJson(response, 201, { id, amount_usd, outcome, created_at: toIso(createdAtMs) });
    }
  }
  return SandboxTroubleController;
}

function fromApiScript({ on, failure, times = 1, invoice_id: invoiceId, payout_id: payoutId }: FailureScript) {
  return { on, failure, times, subjectId: on === 'transfer' ? payoutId : invoiceId };
}

function toApiFailure({ id, on, failure, times, subjectId, createdAtMs }: ScriptedFailure): ApiFailure {
  const [invoiceId, payoutId] = on === 'transfer' ? [undefined, subjectId] : [subjectId, undefined];
  return {
    id,
    on,
    failure,
    times,
    invoice_id: invoiceId ?? null,
    payout_id: payoutId ?? null,
    created_at: toIso(createdAtMs),
  };
}
