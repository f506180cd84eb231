import { Controller, Delete, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { createApiKeySchema } from '@tollgate/contracts/api-keys';
import { pageQuerySchema } from '@tollgate/contracts/lists';
import { AppError } from '@tollgate/kernel/app-error';
import { isUuid } from '@tollgate/kernel/uuid';
import type { EffectReply, Idempotency } from '@tollgate/runtime/http/idempotency';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency-key';
import { toListPage } from '@tollgate/runtime/http/list-page';
import { parseQuery } from '@tollgate/runtime/http/parse';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/send-json';
import { sendOutcome } from '@tollgate/runtime/http/send-outcome';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Request, Response } from 'express';
import type { CreateApiKey } from './create-api-key.ts';
import { fromApiKeyCursor, toApiKeyCursor } from './api-key-cursor.ts';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { bodyLimits } from '../edge/body-limits.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { toApiKey } from '../edge/to-api.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/api-keys')
export class ApiKeysController {
  constructor(
    @Inject(token('createApiKey')) private readonly createApiKey: CreateApiKey,
    @Inject(token('listApiKeys')) private readonly listApiKeys: UseCases['listApiKeys'],
    @Inject(token('revokeApiKey')) private readonly revokeApiKey: UseCases['revokeApiKey'],
    @Inject(token('idempotency')) private readonly idempotency: Idempotency,
    @Inject(token('accountDatabase')) private readonly database: Database,
  ) {}

  @Post()
  async create(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { accountId } = sessionOf(request);
    const body = (await readBody(createApiKeySchema, bodyLimits)(request, response)).value;
    const key = idempotencyKeyOf(request);
    const call = { accountId, method: 'POST', path: '/v1/api-keys', key, body };
    const outcome = await this.idempotency.run(this.database, call, (tx) =>
      this.reply(tx, { accountId, name: body.name }),
    );
    sendOutcome(request, response, outcome);
  }

  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { accountId } = sessionOf(request);
    const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
    const after = cursor === undefined ? undefined : fromApiKeyCursor(cursor);
    const { keys, total } = await this.listApiKeys({ accountId, after, limit: limit + 1 }); // one more tells that there is more
    sendJson(
      response,
      200,
      toListPage('api_keys', { rows: keys, limit, total, cursorOf: toApiKeyCursor, toApi: toApiKey }),
    );
  }

  @Delete(':id')
  async revoke(@Req() request: Request, @Res() response: Response, @Param('id') keyId: string): Promise<void> {
    const { accountId } = sessionOf(request);
    const isRevoked = isUuid(keyId) && (await this.revokeApiKey({ accountId, keyId }));
    if (!isRevoked) throw new AppError('not_found', 'There is no such API key.');
    sendEmpty(response);
  }

  private async reply(tx: Transaction, request: { accountId: string; name: string }): Promise<EffectReply> {
    const { apiKey, key } = await this.createApiKey(tx, request);
    const shown = toApiKey(apiKey);
    return { status: 201, body: { ...shown, key }, replayBody: shown };
  }
}
