import { Controller, Delete, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import {
  createWebhookEndpointSchema,
  rotateWebhookSecretSchema,
  updateWebhookEndpointSchema,
} from '@tollgate/contracts/webhooks/webhook-endpoints';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { EffectReply } from '@tollgate/runtime/http/idempotency/idempotency';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { noSuchEndpoint, type EndpointName } from './endpoint.ts';
import type { Endpoints, EndpointWithSecret } from './endpoints.ts';
import type { Owners } from './owners.ts';
import { findEndpoint, listEndpoints } from './sql-endpoint.ts';
import { toApiEndpoint } from './to-api-endpoint.ts';

export interface EndpointsControllerDeps {
  readonly owners: Owners;
  readonly endpoints: Endpoints;
}

/** The endpoints of accounts. */
export function endpointsController(deps: EndpointsControllerDeps): NestController {
  return createControllerAt('v1/webhook-endpoints', deps);
}

/** The operator's own endpoints, which hear of everybody. */
export function operatorEndpointsController(deps: EndpointsControllerDeps): NestController {
  return createControllerAt('v1/operator/webhook-endpoints', deps);
}

function createControllerAt(path: string, { owners, endpoints }: EndpointsControllerDeps): NestController {
  @Controller(path)
  class EndpointsController {
    @Post()
    async create(@Req() request: Request, @Res() response: Response): Promise<void> {
      const [accountId, by] = [owners.accountIdOf(request), actorOf(request)];
      const exchange = { request, response, readBody: readBody(createWebhookEndpointSchema) };
      await owners.replyOnce(exchange, async (tx, body) =>
        withSecret(201, await endpoints.create(tx, { accountId, body, by })),
      );
    }

    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = owners.accountIdOf(request);
      const found = await owners.transaction(accountId, (tx) => listEndpoints(tx, accountId));
      sendJson(response, 200, { webhook_endpoints: found.map(toApiEndpoint), total: found.length });
    }

    @Get(':id')
    async find(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(request, id);
      const found = await owners.transaction(name.accountId, (tx) => findEndpoint(tx, name));
      if (found === undefined) throw noSuchEndpoint(name);
      sendJson(response, 200, toApiEndpoint(found));
    }

    @Patch(':id')
    async update(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(request, id);
      const { value: body } = await readBody(updateWebhookEndpointSchema)(request, response);
      const change = { body, by: actorOf(request) };
      const changed = await owners.transaction(name.accountId, (tx) => endpoints.update(tx, name, change));
      sendJson(response, 200, toApiEndpoint(changed));
    }

    @Delete(':id')
    async remove(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(request, id);
      await owners.transaction(name.accountId, (tx) => endpoints.remove(tx, name, actorOf(request)));
      sendEmpty(response);
    }

    @Post(':id/rotate-secret')
    async rotate(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const name = nameOf(request, id);
      const by = actorOf(request);
      const exchange = { request, response, readBody: readBody(rotateWebhookSecretSchema) };
      await owners.replyOnce(exchange, async (tx, { grace_seconds: graceSeconds = 0 }) =>
        withSecret(200, await endpoints.rotate(tx, { name, graceSeconds, by })),
      );
    }
  }
  return EndpointsController;

  function nameOf(request: Request, idText: string): EndpointName {
    return { endpointId: parseParams(idSchema, idText), accountId: owners.accountIdOf(request) };
  }
}

function withSecret(status: number, { endpoint, secret }: EndpointWithSecret): EffectReply {
  return { status, body: toApiEndpoint(endpoint), secrets: { secret } };
}
