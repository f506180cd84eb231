import { Controller, Get, Inject, Res } from '@nestjs/common';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Response } from 'express';
import { token, type UseCases } from '../edge/use-cases.ts';

/** Verifiers look again when they meet an unknown `kid`, so a cached set never refuses a token of a new key for long. */
const cacheControl = 'public, max-age=300, stale-while-revalidate=3600';

@Controller('.well-known')
export class JwksController {
  constructor(@Inject(token('publishedKeys')) private readonly publishedKeys: UseCases['publishedKeys']) {}

  @Get('jwks.json')
  jwks(@Res() response: Response): void {
    sendJson(response, 200, this.publishedKeys(), { 'cache-control': cacheControl });
  }
}
