import { Controller, Get, Post, Put, Req, Res } from '@nestjs/common';
import {
  type ApiEmbed,
  embedOriginsSchema,
  embedSecondsMax,
  newEmbedSchema,
} from '@tollgate/contracts/accounts/embeds';
import type { Database } from '@tollgate/database/database';
import { type Clock, toIso } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import { accountIdOf, principalOf } from '@tollgate/runtime/http/requests/request-context';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import type { CreateEmbed, EmbedWish } from './create-embed.ts';
import { putEmbedOrigins, readEmbedOrigins } from './sql-embed-origins.ts';

interface UseCases {
  readonly api: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly ownAddressOf: OwnAddressOf;
  readonly createEmbed: CreateEmbed;
}

const readNewEmbed = readBody(newEmbedSchema, bodyLimits);
const readOrigins = readBody(embedOriginsSchema, bodyLimits);

export function embedsController({ api, clock, ownAddressOf, createEmbed }: UseCases) {
  @Controller('v1/embeds')
  class EmbedsController {
    @Post()
    async create(@Req() request: Request, @Res() response: Response): Promise<void> {
      const address = ownAddressOf(request);
      const {
        page,
        ttl_seconds: seconds = embedSecondsMax,
        theme = 'auto',
      } = (await readNewEmbed(request, response)).value;
      const { leftMs, ...by } = makerOf(request, clock.now());
      const lifeMs = Math.min(seconds * 1_000, leftMs);
      const { embed, token } = await createEmbed({ ...by, page, lifeMs }, actorOf(request));
      const url = new URL(`app/embed/${embed.embedId}`, `${address.replace(/\/$/, '')}/`);
      url.hash = new URLSearchParams({ token, page, theme }).toString();
      const answer: ApiEmbed = { page, url: url.href, expires_at: toIso(embed.expiresAt) };
      sendJson(response, 201, answer);
    }

    @Get('origins')
    async origins(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const origins = await api.transaction((tx) => readEmbedOrigins(tx, accountId), { accountId });
      sendJson(response, 200, { origins });
    }

    @Put('origins')
    async setOrigins(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const origins = [...new Set((await readOrigins(request, response)).value.origins)];
      const object = { kind: 'account', id: accountId };
      const act = { action: 'embed_origins.changed', accountId, object, detail: { origins: origins.length } } as const;
      await api.transaction(
        async (tx) => {
          await putEmbedOrigins(tx, accountId, origins);
          await recordAct(tx, actorOf(request), act);
        },
        { accountId },
      );
      sendJson(response, 200, { origins });
    }
  }
  return EmbedsController;
}

/** The credential that makes the embed, and how long it still counts. */
function makerOf(
  request: Request,
  nowMs: number,
): Pick<EmbedWish, 'accountId' | 'maker'> & { readonly leftMs: number } {
  const principal = principalOf(request);
  if (principal.kind === 'session')
    return { accountId: principal.accountId, maker: { sessionId: principal.sessionId }, leftMs: Infinity };
  if (principal.kind !== 'api_key') throw new Error('this route admits other callers than sessions and API keys');
  const { accountId, keyId, expiresAt = Infinity } = principal;
  return { accountId, maker: { keyId }, leftMs: expiresAt - nowMs };
}
