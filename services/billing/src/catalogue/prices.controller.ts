import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { pageQuerySchema } from '@tollgate/contracts/lists';
import { createPriceVersionSchema } from '@tollgate/contracts/tools';
import { toListPage } from '@tollgate/runtime/http/list-page';
import { parseQuery } from '@tollgate/runtime/http/parse';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { pricePosition, toPriceCursor } from '../edge/list-cursors.ts';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { toApiPriceVersion } from './to-api-price-version.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/tools/:slug/prices')
export class PricesController {
  constructor(
    @Inject(token('catalogue')) private readonly catalogue: UseCases['catalogue'],
    @Inject(token('replyOnce')) private readonly replyOnce: UseCases['replyOnce'],
    @Inject(token('addPrice')) private readonly addPrice: UseCases['addPrice'],
    @Inject(token('listPrices')) private readonly listPrices: UseCases['listPrices'],
  ) {}

  @Post()
  async add(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
    const ownerId = accountIdOf(request);
    await this.replyOnce({ request, response, readBody: readBody(createPriceVersionSchema) }, async (tx, body) => {
      const price = { slug, ownerId, price: body.price, effectiveFromMs: body.effective_from };
      return { status: 201, body: toApiPriceVersion(await this.addPrice(tx, price)) };
    });
  }

  @Get()
  async list(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
    const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
    const query = { slug, limit, ...pricePosition(cursor) };
    const accountId = accountIdOf(request);
    const page = await this.catalogue.transaction((tx) => this.listPrices(tx, query), { accountId });
    sendJson(
      response,
      200,
      toListPage('prices', { ...page, limit, cursorOf: toPriceCursor, toApi: toApiPriceVersion }),
    );
  }
}
