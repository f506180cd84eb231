import type { IncomingMessage, ServerResponse } from 'node:http';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { createChildPassSchema } from '@tollgate/contracts/spending/child-passes';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { bearerOf } from '@tollgate/runtime/auth/bearer-token';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { createCreateChild } from './create-child.ts';
import { cursorOf } from './pass-handlers.ts';
import { withAncestors, type Pass, type StoredPass } from './pass.ts';
import type { PassOf } from './pass-of.ts';
import { spendingsIn } from './read-spending.ts';
import { listChildren } from './sql-child-pass.ts';
import { toApiOwnPass } from './to-api-pass.ts';

export interface ChildPassHandlersDeps {
  readonly api: Database;
  readonly createChild: ReturnType<typeof createCreateChild>;
  readonly passOf: PassOf;
  readonly replyOnce: ReplyOnce<Transaction>;
  readonly clock: Clock;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const readNewChild = readBody(createChildPassSchema);

/** The holder of a pass makes and lists its children. The handlers have the names of their operations. */
export function createChildPassHandlers({ api, createChild, passOf, replyOnce, clock }: ChildPassHandlersDeps) {
  const createChildPass: Handler = async (request, response) => {
    const parent = ownPass(request);
    const [key, by] = [bearerOf(request.headers.authorization), actorOf(request)];
    const path = `/v1/passes/${parent.passId}/children`; // each pass has its own Idempotency-Keys
    await replyOnce({ request, response, path, readBody: readNewChild }, async (tx, body) => {
      const created = await createChild(tx, { parent, key, body, by });
      const shown = toApiOwnPass(created.child, await spendingsIn(tx, chainOf(created.child), clock.now()));
      return { status: 201, body: shown, secrets: { key: created.key } };
    });
  };

  const listChildPasses: Handler = async (request, response) => {
    const parent = ownPass(request);
    const { limit, cursor } = parseQuery(pageQuerySchema, request.url ?? '');
    const nowMs = clock.now();
    const query = { parentId: parent.passId, nowMs, limit, ...pagePosition('passes', cursor) };
    const { rows, total, spent } = await api.transaction(
      async (tx) => {
        const page = await listChildren(tx, query);
        return { ...page, spent: await spendingsIn(tx, [...chainOf(parent), ...page.rows], nowMs) };
      },
      { accountId: parent.accountId },
    );
    const toApi = (child: StoredPass) => toApiOwnPass(withAncestors(child, chainOf(parent)), spent);
    sendJson(response, 200, toListPage('passes', { rows, total, limit, cursorOf, toApi }));
  };

  return { createChildPass, listChildPasses };

  function ownPass(request: IncomingMessage): Pass {
    const pass = passOf(request);
    if (pass === undefined) throw new Error('the route admits passes alone');
    return pass;
  }
}

function chainOf(pass: Pass): readonly StoredPass[] {
  return [...pass.ancestors, pass];
}
