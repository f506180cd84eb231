import type { EffectReply, Idempotency } from '@tollgate/runtime/http/idempotency';
import { idempotencyKeyOf } from '@tollgate/runtime/http/idempotency-key';
import { accountIdOf, pathOf } from '@tollgate/runtime/http/request-context';
import { sendOutcome } from '@tollgate/runtime/http/send-outcome';
import type { Request, Response } from 'express';
import type { Catalogue, CatalogueTransaction } from './catalogue.ts';
import type { ReadBody } from '@tollgate/runtime/nest/read-body';

export type Effect<Body> = (tx: CatalogueTransaction, body: Body) => Promise<EffectReply>;

/** Answers a POST that takes an Idempotency-Key: effect and reply are one transaction of the catalogue. */
export function createReplyOnce({ catalogue, idempotency }: { catalogue: Catalogue; idempotency: Idempotency }) {
  return async function replyOnce<Body>(exchange: Exchange<Body>, effect: Effect<Body>): Promise<void> {
    const { request, response, readBody } = exchange;
    const accountId = accountIdOf(request);
    const key = idempotencyKeyOf(request);
    const body = await readBody(request, response);
    const call = { accountId, method: 'POST', path: pathOf(request), key, body: body.raw };
    const outcome = await idempotency.run(catalogue, call, (tx: CatalogueTransaction) => effect(tx, body.value));
    sendOutcome(request, response, outcome);
  };
}

export interface Exchange<Body> {
  readonly request: Request;
  readonly response: Response;
  readonly readBody: ReadBody<Body>;
}

export type ReplyOnce = ReturnType<typeof createReplyOnce>;
