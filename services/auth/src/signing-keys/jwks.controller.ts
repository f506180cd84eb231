import { Controller, Get, Res } from '@nestjs/common';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Response } from 'express';
import type { KeyRing } from './key-ring.ts';

/** Verifiers read the set again when they meet an unknown `kid`, so a cached set does not refuse tokens of a new key. */
const cacheControl = 'public, max-age=300, stale-while-revalidate=3600';

export function jwksController({ published }: Pick<KeyRing, 'published'>) {
  @Controller('.well-known')
  class JwksController {
    @Get('jwks.json')
    jwks(@Res() response: Response): void {
      sendJson(response, 200, published(), { 'cache-control': cacheControl });
    }
  }
  return JwksController;
}
