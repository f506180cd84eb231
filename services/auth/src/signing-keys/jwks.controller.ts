import { Controller, Get, Res } from '@nestjs/common';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Response } from 'express';
import type { KeyRing } from './key-ring.ts';
import type { KeyUse } from './signing-key.ts';

/** Verifiers read the set again when they meet an unknown `kid`, so a cached set does not refuse tokens of a new key. */
const cacheControl = 'public, max-age=300, stale-while-revalidate=3600';

export function jwksController(rings: Readonly<Record<KeyUse, Pick<KeyRing, 'published'>>>) {
  @Controller()
  class JwksController {
    @Get('.well-known/jwks.json')
    ofSessions(@Res() response: Response): void {
      sendJson(response, 200, rings.session.published(), { 'cache-control': cacheControl });
    }

    @Get('oauth/jwks')
    ofOAuth(@Res() response: Response): void {
      sendJson(response, 200, rings.oauth.published(), { 'cache-control': cacheControl });
    }
  }
  return JwksController;
}
