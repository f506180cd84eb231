import { Controller, Delete, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import {
  createWebhookEndpointSchema,
  rotateWebhookSecretSchema,
  updateWebhookEndpointSchema,
} from '@tollgate/contracts/webhooks/webhook-endpoints';
import type { Database, Transaction } from '@tollgate/database/database';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { EffectReply } from '@tollgate/runtime/http/idempotency/idempotency';
import { parseParams } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { Request, Response } from 'express';
import { noSuchEndpoint } from './endpoint.ts';
import type { Endpoints, EndpointWithSecret } from './endpoints.ts';
import { findEndpoint, listEndpoints } from './sql-endpoint.ts';
import { toApiEndpoint } from './to-api-endpoint.ts';

export interface EndpointsControllerDeps {
  readonly api: Database;
  readonly endpoints: Endpoints;
  readonly replyOnce: ReplyOnce<Transaction>;
}

export function endpointsController({ api, endpoints, replyOnce }: EndpointsControllerDeps): NestController {
  @Controller('v1/webhook-endpoints')
  class EndpointsController {
    @Post()
    async create(@Req() request: Request, @Res() response: Response): Promise<void> {
      const [accountId, by] = [accountIdOf(request), actorOf(request)];
      const exchange = { request, response, readBody: readBody(createWebhookEndpointSchema) };
      await replyOnce(exchange, async (tx, body) =>
        withSecret(201, await endpoints.create(tx, { accountId, body, by })),
      );
    }

    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const found = await api.transaction((tx) => listEndpoints(tx, accountId), { accountId });
      sendJson(response, 200, { webhook_endpoints: found.map(toApiEndpoint), total: found.length });
    }

    @Get(':id')
    async find(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const { name, accountId } = nameOf(request, id);
      const found = await api.transaction((tx) => findEndpoint(tx, name), { accountId });
      if (found === undefined) throw noSuchEndpoint(name);
      sendJson(response, 200, toApiEndpoint(found));
    }

    @Patch(':id')
    async update(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const { name, accountId } = nameOf(request, id);
      const { value: body } = await readBody(updateWebhookEndpointSchema)(request, response);
      const change = { body, by: actorOf(request) };
      const changed = await api.transaction((tx) => endpoints.update(tx, name, change), { accountId });
      sendJson(response, 200, toApiEndpoint(changed));
    }

    @Delete(':id')
    async remove(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const { name, accountId } = nameOf(request, id);
      await api.transaction((tx) => endpoints.remove(tx, name, actorOf(request)), { accountId });
      sendEmpty(response);
    }

    @Post(':id/rotate-secret')
    async rotate(@Req() request: Request, @Res() response: Response, @Param('id') id: string): Promise<void> {
      const { name } = nameOf(request, id);
      const by = actorOf(request);
      const exchange = { request, response, readBody: readBody(rotateWebhookSecretSchema) };
      await replyOnce(exchange, async (tx, { grace_seconds: graceSeconds = 0 }) =>
        withSecret(200, await endpoints.rotate(tx, { name, graceSeconds, by })),
      );
    }
  }
  return EndpointsController;
}

function withSecret(status: number, { endpoint, secret }: EndpointWithSecret): EffectReply {
  return { status, body: toApiEndpoint(endpoint), secrets: { secret } };
}

function nameOf(request: Request, idText: string) {
  const accountId = accountIdOf(request);
  return { accountId, name: { endpointId: parseParams(idSchema, idText), accountId } };
}
