import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { redeliverFailedSchema } from '@tollgate/contracts/webhooks/webhook-endpoints';
import type { Database, Transaction } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { noBody, readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { noSuchEndpoint, type EndpointName } from '../endpoints/endpoint.ts';
import { findEndpoint } from '../endpoints/sql-endpoint.ts';
import { toApiEvent } from '../events/to-api-event.ts';
import type { TellAgain } from './tell-again.ts';

export interface TellAgainControllerDeps {
  readonly api: Database;
  readonly tellAgain: TellAgain;
}

/** Sends an endpoint what its owner asks for. */
export function tellAgainController({ api, tellAgain }: TellAgainControllerDeps): NestController {
  @Controller('v1/webhook-endpoints')
  class TellAgainController {
    @Post(':id/test')
    async test(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const { name, accountId } = nameOf(request, id);
      await noBody(request);
      const told = await api.transaction((tx) => testEnabled(tx, name, tellAgain), { accountId });
      tellAgain.announce();
      sendJson(response, 202, toApiEvent(told));
    }

    @Post(':id/redeliver')
    async redeliver(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const { name, accountId } = nameOf(request, id);
      const { value } = await readBody(redeliverFailedSchema)(request, response);
      const missed = (tx: Transaction) => requireEnabled(tx, name).then(() => tellAgain.missed(tx, name, value.from));
      const redelivered = await api.transaction(missed, { accountId });
      tellAgain.announce();
      sendJson(response, 202, { redelivered });
    }
  }
  return TellAgainController;
}

export interface OperatorTestControllerDeps {
  readonly worker: Database;
  readonly tellAgain: TellAgain;
}

/** The same for the operator, whose endpoints have no account. */
export function operatorTestController({ worker, tellAgain }: OperatorTestControllerDeps): NestController {
  @Controller('v1/operator/webhook-endpoints')
  class OperatorTestController {
    @Post(':id/test')
    async test(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = { endpointId: parseParams(idSchema, id), accountId: null };
      await noBody(request);
      const told = await worker.transaction((tx) => testEnabled(tx, name, tellAgain));
      tellAgain.announce();
      sendJson(response, 202, toApiEvent(told));
    }
  }
  return OperatorTestController;
}

async function testEnabled(tx: Transaction, name: EndpointName, tellAgain: TellAgain) {
  await requireEnabled(tx, name);
  return tellAgain.test(tx, name);
}

/** Throws if the endpoint is disabled: nothing would come of what is asked for. */
async function requireEnabled(tx: Transaction, name: EndpointName): Promise<void> {
  const endpoint = await findEndpoint(tx, name);
  if (endpoint === undefined) throw noSuchEndpoint(name);
  if (endpoint.disabledFor !== null)
    throw new AppError('webhook_endpoint_disabled', 'The endpoint is disabled. Enable it first.');
}

function nameOf(request: Request, idText: string) {
  const accountId = accountIdOf(request);
  return { accountId, name: { endpointId: parseParams(idSchema, idText), accountId } };
}
