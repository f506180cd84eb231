import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { createApiKeySchema } from '@tollgate/contracts/accounts/api-keys';
import { idSchema } from '@tollgate/contracts/forms/id';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import type { Idempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendOutcome } from '@tollgate/runtime/http/idempotency/send-outcome';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import { sessionOf } from '../sessions/session-of.ts';
import { fromApiKeyCursor, toApiKeyCursor } from './api-key-cursor.ts';
import type { CreateApiKey } from './create-api-key.ts';
import type { ListApiKeys } from './list-api-keys.ts';
import type { RevokeApiKey } from './revoke-api-key.ts';
import { toApiKey } from './to-api-key.ts';

interface UseCases {
  readonly createApiKey: CreateApiKey;
  readonly listApiKeys: ListApiKeys;
  readonly revokeApiKey: RevokeApiKey;
  readonly idempotency: Idempotency;
  readonly api: Database;
}

const readNewKey = readBody(createApiKeySchema, bodyLimits);

export function apiKeysController({ createApiKey, listApiKeys, revokeApiKey, idempotency, api }: UseCases) {
  @Controller('v1/api-keys')
  class ApiKeysController {
    @Post()
    async create(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { accountId, sessionId } = sessionOf(request);
      const { value: body } = await readNewKey(request, response);
      const call = { accountId, method: 'POST', path: '/v1/api-keys', key: idempotencyKeyOf(request), body };
      const outcome = await idempotency.run(api, call, async (tx) => {
        const { apiKey, key } = await createApiKey(
          tx,
          { accountId, sessionId, name: body.name, can: body.can, expiresAt: body.expires_at },
          actorOf(request),
        );
        const shown = toApiKey(apiKey);
        return { status: 201, body: { ...shown, key }, replayBody: shown };
      });
      sendOutcome(request, response, outcome);
    }

    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { accountId } = sessionOf(request);
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const after = cursor === undefined ? undefined : fromApiKeyCursor(cursor);
      const { keys, total } = await listApiKeys({ accountId, after, limit: limit + 1 }); // the extra row shows that there is more
      const page = { rows: keys, limit, total, cursorOf: toApiKeyCursor, toApi: toApiKey };
      sendJson(response, 200, toListPage('api_keys', page));
    }

    @Delete(':id')
    async revoke(@Req() request: Request, @Res() response: Response, @Param('id') asked: string): Promise<void> {
      const { accountId } = sessionOf(request);
      const keyId = parseParams(idSchema, asked);
      const isRevoked = await revokeApiKey({ accountId, keyId }, actorOf(request));
      if (!isRevoked) throw new AppError('not_found', `You have no live API key \`${keyId}\`.`);
      sendEmpty(response);
    }
  }
  return ApiKeysController;
}
