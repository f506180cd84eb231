import { Controller, Post, Req, Res } from '@nestjs/common';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import type { EndSession } from './end-session.ts';
import type { ReadRefreshToken } from './read-refresh-token.ts';
import type { RefreshToken } from './refresh-token.ts';
import { sessionOf } from './session-of.ts';
import { toApiToken } from './to-api-token.ts';

interface UseCases {
  readonly readRefreshToken: ReadRefreshToken;
  readonly refreshToken: RefreshToken;
  readonly endSession: EndSession;
}

export function sessionController({ readRefreshToken, refreshToken, endSession }: UseCases) {
  @Controller('v1/auth')
  class SessionController {
    @Post('refresh')
    async refresh(@Req() request: Request, @Res() response: Response): Promise<void> {
      const presented = await readRefreshToken(request.headers.authorization);
      sendJson(response, 200, toApiToken(await refreshToken(presented)));
    }

    @Post('logout')
    async logout(@Req() request: Request, @Res() response: Response): Promise<void> {
      await endSession(sessionOf(request));
      sendEmpty(response);
    }
  }
  return SessionController;
}
