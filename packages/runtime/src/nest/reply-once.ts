import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Queryable } from '@tollgate/database/database';
import type { EffectReply, Idempotency, TransactionRunner } from '../http/idempotency/idempotency.ts';
import { idempotencyKeyOf } from '../http/idempotency/idempotency-key.ts';
import { accountIdOf, cookieOf, pathOf } from '../http/requests/request-context.ts';
import { tokenOf } from '../auth/bearer-token.ts';
import { sendOutcome } from '../http/idempotency/send-outcome.ts';
import type { ReadBody } from './read-body.ts';

export interface ReplyOnceDeps<Tx extends Queryable> {
  readonly database: TransactionRunner<Tx>;
  readonly idempotency: Idempotency;
  /** Runs once the transaction is committed, before the answer. */
  readonly committed?: () => Promise<void>;
}

/** Answers a POST that takes an Idempotency-Key: effect and reply are one transaction of this database. */
export function createReplyOnce<Tx extends Queryable>(deps: ReplyOnceDeps<Tx>): ReplyOnce<Tx> {
  const { database, idempotency, committed } = deps;
  return async function replyOnce({ request, response, path = pathOf(request), readBody }, effect): Promise<void> {
    const accountId = accountIdOf(request);
    const key = idempotencyKeyOf(request);
    const body = await readBody(request, response);
    const credential = tokenOf(request.headers.authorization) ?? cookieOf(request);
    const call = { accountId, method: 'POST', path, key, credential, body: body.raw };
    const outcome = await idempotency.run(database, call, (tx) => effect(tx, body.value));
    await committed?.();
    sendOutcome(request, response, outcome);
  };
}

export type ReplyOnce<Tx extends Queryable = Queryable> = <Body>(
  exchange: Exchange<Body>,
  effect: (tx: Tx, body: Body) => Promise<EffectReply>,
) => Promise<void>;

export interface Exchange<Body> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The address by which its keys are kept, where that of the request names another thing for each caller. */
  readonly path?: string;
  readonly readBody: ReadBody<Body>;
}
