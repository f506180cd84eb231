import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { PeriodStatus as ApiPeriodStatus } from '@tollgate/contracts/operator';
import { periodSchema } from '@tollgate/contracts/period';
import { toIso } from '@tollgate/kernel/clock';
import { parseParams } from '@tollgate/runtime/http/parse';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Response } from 'express';
import { periodStatus, type PeriodStatus } from './period-status.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/operator/periods')
export class PeriodsController {
  constructor(@Inject(token('watermark')) private readonly watermark: UseCases['watermark']) {}

  @Get(':period')
  async status(@Res() response: Response, @Param('period') asked: string): Promise<void> {
    const period = parseParams(periodSchema, asked);
    sendJson(response, 200, toApiPeriodStatus(periodStatus(period, await this.watermark.readMs())));
  }
}

function toApiPeriodStatus(status: PeriodStatus): ApiPeriodStatus {
  return {
    period: status.period,
    starts_at: toIso(status.startMs),
    ends_at: toIso(status.endMs),
    counted_through: toIso(status.countedThroughMs),
    final_through: toIso(status.finalThroughMs),
    closable_at: toIso(status.closableAtMs),
    closable: status.isClosable,
  };
}
