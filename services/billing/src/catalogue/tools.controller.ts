import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { Controller, Get, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { slugSchema } from '@tollgate/contracts/forms/slug';
import {
  createToolSchema,
  toolQuerySchema,
  updateToolSchema,
  type Tool as ApiTool,
} from '@tollgate/contracts/tools/tools';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { noBody, readBody } from '@tollgate/runtime/nest/read-body';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { toIso } from '@tollgate/kernel/clock';
import type { Catalogue, CatalogueTransaction } from './catalogue.ts';
import type { Tool, PricedTool } from './tool.ts';
import type { Tools } from './tools.ts';

export interface ToolsUseCases extends Tools {
  readonly catalogue: Catalogue;
  readonly replyOnce: ReplyOnce<CatalogueTransaction>;
}

export function toolsController({
  catalogue,
  replyOnce,
  registerTool,
  findTool,
  listTools,
  checkResource,
  changeTool,
  archiveTool,
}: ToolsUseCases): NestController {
  @Controller('v1/tools')
  class ToolsController {
    @Post()
    async register(@Req() request: Request, @Res() response: Response): Promise<void> {
      const ownerId = accountIdOf(request);
      await replyOnce({ request, response, readBody: readBody(createToolSchema) }, async (tx, body) => {
        const { default_max: defaultMax, ...described } = body;
        const tool = await registerTool(tx, { ...described, defaultMax, ownerId }, actorOf(request));
        return { status: 201, body: toApiTool(tool), headers: { location: `/v1/tools/${tool.slug}` } };
      });
    }

    @Get()
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const { limit, cursor, owner } = parseQuery(toolQuerySchema, request.url);
      const query = {
        limit,
        ...pagePosition('tools', cursor, slugSchema),
        of: owner === 'all' ? ('everybody' as const) : { ownerId: accountId },
      };
      const page = await catalogue.transaction((tx) => listTools(tx, query), { accountId });
      sendJson(response, 200, toListPage('tools', { ...page, limit, cursorOf, toApi: toApiTool }));
    }

    @Get(':slug')
    async find(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
      const accountId = accountIdOf(request);
      const tool = await catalogue.transaction((tx) => findTool(tx, slug), { accountId });
      sendJson(response, 200, toApiTool(tool));
    }

    @Patch(':slug')
    async change(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
      const ownerId = accountIdOf(request);
      const { value } = await readBody(updateToolSchema)(request, response);
      const { default_max: defaultMax, ...changes } = value;
      const change = { slug, ownerId, changes: { ...changes, defaultMax } };
      const { resource = null } = changes;
      if (resource !== null) await checkResource(catalogue, slug, { resource, ownerId });
      const by = actorOf(request);
      const tool = await catalogue.transaction((tx) => changeTool(tx, change, by), { accountId: ownerId });
      sendJson(response, 200, toApiTool(tool));
    }

    @Post(':slug/archive')
    async archive(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
      const ownerId = accountIdOf(request);
      await replyOnce({ request, response, readBody: noBody }, async (tx) => {
        const tool = await archiveTool(tx, { slug, ownerId }, actorOf(request));
        return { status: 200, body: toApiTool(tool) };
      });
    }
  }
  return ToolsController;
}

function cursorOf({ createdAtMs, slug }: Tool): readonly unknown[] {
  return [createdAtMs, slug];
}

/** Converts a tool to the API's form, with no more of its owner than its public name. */
function toApiTool(tool: PricedTool): ApiTool {
  const { slug, name, description, soldBy, price, defaultMax, resource, archivedAtMs, createdAtMs } = tool;
  return {
    slug,
    name,
    description,
    sold_by: soldBy,
    price,
    default_max: defaultMax,
    resource,
    archived: archivedAtMs !== null,
    created_at: toIso(createdAtMs),
  };
}
