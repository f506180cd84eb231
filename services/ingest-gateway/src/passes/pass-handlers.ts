import type { IncomingMessage, ServerResponse } from 'node:http';
import { idSchema } from '@tollgate/contracts/forms/id';
import { pageQuerySchema } from '@tollgate/contracts/forms/lists';
import { createPassSchema, rotatePassSchema, updatePassSchema } from '@tollgate/contracts/spending/passes';
import type { Database, Transaction } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import type { EffectReply } from '@tollgate/runtime/http/idempotency/idempotency';
import { parseBody, parseParams, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { readJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { accountIdOf, paramsOf } from '@tollgate/runtime/http/requests/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import { noSuchPass, type ChangePasses, type PassWithKey } from './change-passes.ts';
import type { StoredPass } from './pass.ts';
import type { PassOf } from './pass-of.ts';
import { countPasses, findStoredPass, listPasses, type PassName } from './sql-pass.ts';
import { readOwnSpendings, readSpendingsOf, spendingsIn } from './read-spending.ts';
import { toApiOwnPass, toApiPass } from './to-api-pass.ts';

export interface PassHandlersDeps {
  readonly api: Database;
  readonly changePasses: ChangePasses;
  readonly passOf: PassOf;
  /** Keeps the first answer to an `Idempotency-Key`, with the pass's key sealed. This gateway knows the pass before it answers. */
  readonly replyOnce: ReplyOnce<Transaction>;
  readonly clock: Clock;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maxBytes = 64 * 1_024;
const readNewPass = readBody(createPassSchema);
const readRotation = readBody(rotatePassSchema);

/** The handlers have the names of their operations. */
export function createPassHandlers({ api, changePasses, passOf, replyOnce, clock }: PassHandlersDeps) {
  const createPass: Handler = async (request, response) => {
    const [accountId, by] = [accountIdOf(request), actorOf(request)];
    await replyOnce({ request, response, readBody: readNewPass }, async (tx, body) =>
      replyWithKey(await changePasses.create(tx, { accountId, body, by }), { tx, status: 201, nowMs: clock.now() }),
    );
  };

  const listPassesHandler: Handler = async (request, response) => {
    const accountId = accountIdOf(request);
    const { limit, cursor } = parseQuery(pageQuerySchema, request.url ?? '');
    const { after } = pagePosition('passes', cursor);
    const nowMs = clock.now();
    const { spent, ...page } = await api.transaction(
      async (tx) => {
        const rows = await listPasses(tx, { accountId, after, rowsMax: limit + 1 }); // the extra row shows that there is more
        const { live: total } = await countPasses(tx, accountId);
        return { rows, total, spent: await spendingsIn(tx, rows, nowMs) };
      },
      { accountId },
    );
    const toApi = (pass: StoredPass) => toApiPass(pass, spent);
    sendJson(response, 200, toListPage('passes', { ...page, limit, cursorOf, toApi }));
  };

  const getOwnPass: Handler = async (request, response) => {
    const pass = passOf(request);
    if (pass === undefined) throw new Error('the route admits passes alone');
    sendJson(response, 200, toApiOwnPass(pass, await readOwnSpendings(api, pass, clock.now())));
  };

  const getPass: Handler = async (request, response) => {
    const name = nameOf(request);
    const pass = await api.transaction((tx) => findStoredPass(tx, name), { accountId: name.accountId });
    if (pass === undefined) throw noSuchPass(name.passId);
    sendJson(response, 200, await shown(pass));
  };

  const updatePass: Handler = async (request, response) => {
    const { value } = parseBody(updatePassSchema, await readJsonBody(request, { maxBytes }));
    sendJson(response, 200, await shown(await changePasses.update(nameOf(request), value, actorOf(request))));
  };

  const rotatePass: Handler = async (request, response) => {
    const [name, by] = [nameOf(request), actorOf(request)];
    await replyOnce({ request, response, readBody: readRotation }, async (tx, { grace_seconds: graceSeconds = 0 }) =>
      replyWithKey(await changePasses.rotate(tx, { name, graceSeconds, by }), { tx, status: 200, nowMs: clock.now() }),
    );
  };

  const deletePass: Handler = async (request, response) => {
    await changePasses.revoke(nameOf(request), actorOf(request));
    sendEmpty(response);
  };

  return {
    createPass,
    listPasses: listPassesHandler,
    getOwnPass,
    getPass,
    updatePass,
    rotatePass,
    deletePass,
  };

  async function shown(pass: StoredPass) {
    return toApiPass(pass, await readSpendingsOf(api, [pass], { accountId: pass.accountId, nowMs: clock.now() }));
  }
}

async function replyWithKey({ pass, key }: PassWithKey, { tx, status, nowMs }: ReplyWith): Promise<EffectReply> {
  return { status, body: toApiPass(pass, await spendingsIn(tx, [pass], nowMs)), secrets: { key } };
}

interface ReplyWith {
  readonly tx: Transaction;
  readonly status: number;
  readonly nowMs: number;
}

function nameOf(request: IncomingMessage): PassName {
  return { passId: parseParams(idSchema, paramsOf(request)['id']), accountId: accountIdOf(request) };
}

export function cursorOf({ createdAtMs, passId }: StoredPass): readonly unknown[] {
  return [createdAtMs, passId];
}
