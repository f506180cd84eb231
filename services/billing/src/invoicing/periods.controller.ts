import { Controller, Get, Param, Res } from '@nestjs/common';
import type { PeriodStatus as ApiPeriodStatus } from '@tollgate/contracts/operator/operator';
import { periodSchema } from '@tollgate/contracts/forms/period';
import { toIso } from '@tollgate/kernel/clock';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Response } from 'express';
import { periodStatus, type PeriodStatus } from './period-status.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface PeriodsUseCases {
  readonly readWatermark: () => Promise<number>;
}

export function periodsController({ readWatermark }: PeriodsUseCases): NestController {
  @Controller('v1/operator/periods')
  class PeriodsController {
    @Get(':period')
    async status(@Res() response: Response, @Param('period') periodText: string): Promise<void> {
      const period = parseParams(periodSchema, periodText);
      sendJson(response, 200, toApiPeriodStatus(periodStatus(period, await readWatermark())));
    }
  }
  return PeriodsController;
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
