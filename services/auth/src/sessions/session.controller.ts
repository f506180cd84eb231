import { Controller, Delete, Get, Param, Post, Req, Res } from '@nestjs/common';
import { idSchema } from '@tollgate/contracts/forms/id';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import type { Session } from '@tollgate/contracts/accounts/accounts';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import type { EndSession } from './end-session.ts';
import type { ListSessions } from './list-sessions.ts';
import type { ReadRefreshToken } from './read-refresh-token.ts';
import type { RefreshToken } from './refresh-token.ts';
import { sessionOf } from './session-of.ts';
import type { LiveSession } from './sql-live-sessions.ts';
import { toApiToken } from './to-api-token.ts';

interface UseCases {
  readonly readRefreshToken: ReadRefreshToken;
  readonly refreshToken: RefreshToken;
  readonly endSession: EndSession;
  readonly listSessions: ListSessions;
}

export function sessionController({ readRefreshToken, refreshToken, endSession, listSessions }: UseCases) {
  @Controller('v1/auth')
  class SessionController {
    @Post('refresh')
    async refresh(@Req() request: Request, @Res() response: Response): Promise<void> {
      const presented = await readRefreshToken(request.headers.authorization);
      sendJson(response, 200, toApiToken(await refreshToken(presented, actorOf(request))));
    }

    @Post('logout')
    async logout(@Req() request: Request, @Res() response: Response): Promise<void> {
      await endSession(sessionOf(request), actorOf(request));
      sendEmpty(response);
    }

    @Get('sessions')
    async list(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { accountId, sessionId: currentId } = sessionOf(request);
      const { limit, cursor } = parseQuery(pageQuerySchema, request.url);
      const { sessions: rows, total } = await listSessions({
        accountId,
        limit: limit + 1,
        ...pagePosition('sessions', cursor),
      });
      const toApi = (session: LiveSession): Session => toApiSession(session, currentId);
      sendJson(response, 200, toListPage('sessions', { rows, limit, total, cursorOf, toApi }));
    }

    @Delete('sessions/:id')
    async end(@Req() request: Request, @Res() response: Response, @Param('id') asked: string): Promise<void> {
      const { accountId } = sessionOf(request);
      const sessionId = parseParams(idSchema, asked);
      const isEnded = await endSession({ accountId, sessionId }, actorOf(request));
      if (!isEnded) throw new AppError('not_found', `You have no live session \`${sessionId}\`.`);
      sendEmpty(response);
    }
  }
  return SessionController;
}

function cursorOf({ createdAtMs, sessionId }: LiveSession): readonly unknown[] {
  return [createdAtMs, sessionId];
}

function toApiSession(session: LiveSession, currentId: string): Session {
  const { sessionId, kind, createdAtMs, refreshedAtMs, endsAtMs } = session;
  return {
    id: sessionId,
    kind,
    created_at: toIso(createdAtMs),
    refreshed_at: toIso(refreshedAtMs),
    ends_at: toIso(endsAtMs),
    current: sessionId === currentId,
  };
}
