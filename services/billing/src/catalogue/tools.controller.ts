import { Controller, Get, Inject, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { createToolSchema, toolQuerySchema, updateToolSchema } from '@tollgate/contracts/tools';
import { toListPage } from '@tollgate/runtime/http/list-page';
import { parseQuery } from '@tollgate/runtime/http/parse';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { toolPosition, toToolCursor } from '../edge/list-cursors.ts';
import { noBody, readBody } from '@tollgate/runtime/nest/read-body';
import { toApiTool } from './to-api-tool.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/tools')
export class ToolsController {
  constructor(
    @Inject(token('catalogue')) private readonly catalogue: UseCases['catalogue'],
    @Inject(token('replyOnce')) private readonly replyOnce: UseCases['replyOnce'],
    @Inject(token('registerTool')) private readonly registerTool: UseCases['registerTool'],
    @Inject(token('findTool')) private readonly findTool: UseCases['findTool'],
    @Inject(token('listTools')) private readonly listTools: UseCases['listTools'],
    @Inject(token('changeTool')) private readonly changeTool: UseCases['changeTool'],
    @Inject(token('archiveTool')) private readonly archiveTool: UseCases['archiveTool'],
  ) {}

  @Post()
  async register(@Req() request: Request, @Res() response: Response): Promise<void> {
    const ownerId = accountIdOf(request);
    await this.replyOnce({ request, response, readBody: readBody(createToolSchema) }, async (tx, body) => {
      const tool = await this.registerTool(tx, { ...body, ownerId });
      return { status: 201, body: toApiTool(tool), headers: { location: `/v1/tools/${tool.slug}` } };
    });
  }

  @Get()
  async list(@Req() request: Request, @Res() response: Response): Promise<void> {
    const accountId = accountIdOf(request);
    const { limit, cursor, owner } = parseQuery(toolQuerySchema, request.url);
    const query = {
      limit,
      ...toolPosition(cursor),
      of: owner === 'all' ? ('everybody' as const) : { ownerId: accountId },
    };
    const page = await this.catalogue.transaction((tx) => this.listTools(tx, query), { accountId });
    sendJson(response, 200, toListPage('tools', { ...page, limit, cursorOf: toToolCursor, toApi: toApiTool }));
  }

  @Get(':slug')
  async find(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
    const accountId = accountIdOf(request);
    const tool = await this.catalogue.transaction((tx) => this.findTool(tx, slug), { accountId });
    sendJson(response, 200, toApiTool(tool));
  }

  @Patch(':slug')
  async change(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
    const ownerId = accountIdOf(request);
    const { value: changes } = await readBody(updateToolSchema)(request, response);
    const change = { slug, ownerId, changes };
    const tool = await this.catalogue.transaction((tx) => this.changeTool(tx, change), { accountId: ownerId });
    sendJson(response, 200, toApiTool(tool));
  }

  @Post(':slug/archive')
  async archive(@Req() request: Request, @Res() response: Response, @Param('slug') slug: string): Promise<void> {
    const ownerId = accountIdOf(request);
    await this.replyOnce({ request, response, readBody: noBody }, async (tx) => {
      const tool = await this.archiveTool(tx, { slug, ownerId });
      return { status: 200, body: toApiTool(tool) };
    });
  }
}
