import { Controller, Delete, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import {
  createWebhookEndpointSchema,
  rotateWebhookSecretSchema,
  updateWebhookEndpointSchema,
} from '@tollgate/contracts/webhooks/webhook-endpoints';
import type { Database } from '@tollgate/database/database';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { noSuchEndpoint, type EndpointName } from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';
import { findEndpoint, listEndpoints } from './sql-endpoint.ts';
import { toApiEndpoint } from './to-api-endpoint.ts';

export interface OperatorEndpointsControllerDeps {
  /** The operator has no account, so no row-level policy stands for it. */
  readonly worker: Database;
  readonly endpoints: Endpoints;
}

/** The operator's own endpoints, which hear of everybody. */
export function operatorEndpointsController({ worker, endpoints }: OperatorEndpointsControllerDeps): NestController {
  @Controller('v1/operator/webhook-endpoints')
  class OperatorEndpointsController {
    @Post()
    async create(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value: body } = await readBody(createWebhookEndpointSchema)(request, response);
      const by = actorOf(request);
      const made = await worker.transaction((tx) => endpoints.create(tx, { accountId: null, body, by }));
      sendJson(response, 201, { ...toApiEndpoint(made.endpoint), secret: made.secret });
    }

    @Get()
    async list(@Res() response: Response): Promise<void> {
      const found = await listEndpoints(worker, null);
      sendJson(response, 200, { webhook_endpoints: found.map(toApiEndpoint), total: found.length });
    }

    @Get(':id')
    async find(@Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(id);
      const found = await findEndpoint(worker, name);
      if (found === undefined) throw noSuchEndpoint(name);
      sendJson(response, 200, toApiEndpoint(found));
    }

    @Patch(':id')
    async update(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(id);
      const { value: body } = await readBody(updateWebhookEndpointSchema)(request, response);
      const change = { body, by: actorOf(request) };
      const changed = await worker.transaction((tx) => endpoints.update(tx, name, change));
      sendJson(response, 200, toApiEndpoint(changed));
    }

    @Delete(':id')
    async remove(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      await worker.transaction((tx) => endpoints.remove(tx, nameOf(id), actorOf(request)));
      sendEmpty(response);
    }

    @Post(':id/rotate-secret')
    async rotate(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(id);
      const { value } = await readBody(rotateWebhookSecretSchema)(request, response);
      const rotation = { name, graceSeconds: value.grace_seconds ?? 0, by: actorOf(request) };
      const { endpoint, secret } = await worker.transaction((tx) => endpoints.rotate(tx, rotation));
      sendJson(response, 200, { ...toApiEndpoint(endpoint), secret });
    }
  }
  return OperatorEndpointsController;
}

function nameOf(idText: string): EndpointName {
  return { endpointId: parseParams(idSchema, idText), accountId: null };
}
