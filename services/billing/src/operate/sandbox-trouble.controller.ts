import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import {
  disputeDecisionSchema,
  disputeIdSchema,
  disputeOrderSchema,
} from '@tollgate/contracts/sandbox/sandbox-disputes';
import {
  failureScriptSchema,
  type FailureScript,
  type ScriptedFailure as ApiFailure,
} from '@tollgate/contracts/sandbox/sandbox-failures';
import { ownPayoutOrderSchema } from '@tollgate/contracts/sandbox/sandbox-own-payouts';
import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { ScriptedFailure, ScriptedFailures } from '../processor/sandbox/scripted-failures.ts';
import type { SandboxTrouble } from './sandbox-trouble.ts';
import type { ProcessorDispute } from '../processor/processor.ts';

/** Scripts failures, opens and decides disputes, and pays the balance out. Mounted only with the sandbox processor. */
export function sandboxTroubleController(
  { openDispute, decideDispute, payOutToBank }: SandboxTrouble,
  failures: ScriptedFailures,
): NestController {
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
      const { invoice_id: invoiceId, top_up_id: topUpId, amount_usd: amountCents, fee_usd: feeCents, outcome } = value;
      const opened = await openDispute({ invoiceId, topUpId, amountCents, feeCents, outcome });
      sendJson(response, 201, toApiDispute(opened, { invoiceId, topUpId }));
    }

    @Post('disputes/:dispute_id/decide')
    async decide(@Req() request: Request, @Res() response: Response, @Param('dispute_id') idText: string) {
      const { value } = await readBody(disputeDecisionSchema)(request, response);
      const { dispute, subject } = await decideDispute(parseParams(disputeIdSchema, idText), value.outcome);
      const document = subject?.kind === 'top_up' ? { topUpId: subject.id } : { invoiceId: subject?.id };
      sendJson(response, 200, toApiDispute(dispute, document));
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

/** Exactly one of them, if the charge is ours. */
interface DisputedDocument {
  readonly invoiceId?: string | undefined;
  readonly topUpId?: string | undefined;
}

function toApiDispute(dispute: ProcessorDispute, { invoiceId, topUpId }: DisputedDocument) {
  return {
    id: dispute.objectId,
    invoice_id: invoiceId ?? null,
    top_up_id: topUpId ?? null,
    amount_usd: toUsdNumber(centsToMicros(dispute.amountCents)),
    fee_usd: toUsdNumber(centsToMicros(dispute.feeCents)),
    outcome: dispute.status === 'open' ? ('needs_response' as const) : dispute.status,
    created_at: toIso(dispute.createdAtMs),
  };
}
