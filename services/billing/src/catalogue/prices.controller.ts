import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { createPriceVersionSchema, type PriceVersion as ApiPriceVersion } from '@tollgate/contracts/tools/tools';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { toIso } from '@tollgate/kernel/clock';
import type { Catalogue, CatalogueTransaction } from './catalogue.ts';
import type { PriceVersion } from './tool.ts';
import type { Prices } from './prices.ts';

export interface PricesUseCases extends Prices {
  readonly catalogue: Catalogue;
  readonly replyOnce: ReplyOnce<CatalogueTransaction>;
}

export function pricesController({ catalogue, replyOnce, addPrice, listPrices }: PricesUseCases): NestController {
  @Controller('v1/tools/:slug/prices')
  class PricesController {
    @Post()
    async add(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
      const ownerId = accountIdOf(request);
      await replyOnce({ request, response, readBody: readBody(createPriceVersionSchema) }, async (tx, body) => {
        const price = { slug, ownerId, price: body.price, effectiveFromMs: body.effective_from };
        return { status: 201, body: toApiPriceVersion(await addPrice(tx, price, actorOf(request))) };
      });
    }

    @Get()
    async list(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const query = { slug, limit, ...pagePosition('prices', cursor) };
      const accountId = accountIdOf(request);
      const page = await catalogue.transaction((tx) => listPrices(tx, query), { accountId });
      sendJson(response, 200, toListPage('prices', { ...page, limit, cursorOf, toApi: toApiPriceVersion }));
    }
  }
  return PricesController;
}

function cursorOf({ createdAtMs, id }: PriceVersion): readonly unknown[] {
  return [createdAtMs, id];
}

function toApiPriceVersion({ id, price, effectiveFromMs, createdAtMs }: PriceVersion): ApiPriceVersion {
  const effectiveFrom = effectiveFromMs === null ? null : toIso(effectiveFromMs);
  return { id, price, effective_from: effectiveFrom, created_at: toIso(createdAtMs) };
}
