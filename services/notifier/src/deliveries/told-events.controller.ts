import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import type { Database, Transaction } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { noBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { findEvent, type EventName, type StoredEvent } from '../events/sql-event.ts';
import { toApiEvent } from '../events/to-api-event.ts';
import { listAttempts, listDeliveries, type Attempt, type Delivery } from './sql-delivery.ts';
import type { TellAgain } from './tell-again.ts';

export interface ToldEventsControllerDeps {
  readonly api: Database;
  readonly tellAgain: TellAgain;
}

/** One event, and whom it is told. */
export function toldEventsController({ api, tellAgain }: ToldEventsControllerDeps): NestController {
  @Controller('v1/webhook-events')
  class ToldEventsController {
    @Get(':id')
    async find(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(request, id);
      sendJson(response, 200, await api.transaction((tx) => readDetail(tx, name), name));
    }

    @Get(':id/attempts')
    async attempts(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(request, id);
      const found = await api.transaction((tx) => ownEvent(tx, name).then(() => listAttempts(tx, name)), name);
      sendJson(response, 200, { attempts: found.map(toApiAttempt), total: found.length });
    }

    @Post(':id/redeliver')
    async redeliver(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(request, id);
      await noBody(request);
      const again = async (tx: Transaction) => {
        await tellAgain.event(tx, name);
        return readDetail(tx, name);
      };
      const told = await api.transaction(again, name);
      tellAgain.announce();
      sendJson(response, 202, told);
    }
  }
  return ToldEventsController;
}

async function readDetail(tx: Transaction, name: EventName) {
  const event = await ownEvent(tx, name);
  return { ...toApiEvent(event), deliveries: (await listDeliveries(tx, name)).map(toApiDelivery) };
}

async function ownEvent(tx: Transaction, name: EventName): Promise<StoredEvent> {
  const event = await findEvent(tx, name);
  if (event === undefined) throw new AppError('not_found', `You have no webhook event \`${name.eventId}\`.`);
  return event;
}

function nameOf(request: Request, idText: string): EventName {
  return { eventId: parseParams(idSchema, idText), accountId: accountIdOf(request) };
}

function toApiDelivery({ endpointId, status, attempts, dueAtMs }: Delivery) {
  return { endpoint_id: endpointId, status, attempts, next_attempt_at: dueAtMs === null ? null : toIso(dueAtMs) };
}

function toApiAttempt({ endpointId, startedAtMs, durationMs, ...rest }: Attempt) {
  return { endpoint_id: endpointId, started_at: toIso(startedAtMs), duration_ms: durationMs, ...rest };
}
