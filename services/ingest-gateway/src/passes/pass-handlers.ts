import type { IncomingMessage, ServerResponse } from 'node:http';
import { idSchema } from '@tollgate/contracts/id';
import { pageQuerySchema } from '@tollgate/contracts/lists';
import { createPassSchema, rotatePassSchema, updatePassSchema } from '@tollgate/contracts/passes';
import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { toListPage } from '@tollgate/runtime/http/list-page';
import { pagePosition } from '@tollgate/runtime/http/page-position';
import { parseBody, parseParams, parseQuery } from '@tollgate/runtime/http/parse';
import { readJsonBody } from '@tollgate/runtime/http/read-json-body';
import { accountIdOf, paramsOf } from '@tollgate/runtime/http/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/send-json';
import { noSuchPass, type ChangePasses, type PassWithKey } from './change-passes.ts';
import type { Pass } from './pass.ts';
import type { PassOf } from './pass-of.ts';
import { countPasses, findPass, listPasses, type PassName } from './sql-pass.ts';
import { findPassSpending } from './sql-pass-spending.ts';
import { toApiOwnPass, toApiPass } from './to-api-pass.ts';

export interface PassHandlersDeps {
  readonly api: Database;
  readonly changePasses: ChangePasses;
  readonly passOf: PassOf;
  readonly clock: Clock;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maxBytes = 64 * 1_024;

/** The handlers have the names of their operations. */
export function createPassHandlers({ api, changePasses, passOf, clock }: PassHandlersDeps) {
  const createPass: Handler = async (request, response) => {
    const { value } = parseBody(createPassSchema, await readJsonBody(request, { maxBytes }));
    sendJson(response, 201, await withKey(await changePasses.create(accountIdOf(request), value, actorOf(request))));
  };

  const listPassesHandler: Handler = async (request, response) => {
    const accountId = accountIdOf(request);
    const { limit, cursor } = parseQuery(pageQuerySchema, request.url ?? '');
    const { after } = pagePosition(cursor);
    const nowMs = clock.now();
    const { spending, ...page } = await api.transaction(
      async (tx) => {
        const rows = await listPasses(tx, { accountId, after, rowsMax: limit + 1 }); // the extra row shows that there is more
        const total = await countPasses(tx, accountId);
        return { rows, total, spending: await findPassSpending(tx, rows, nowMs) };
      },
      { accountId },
    );
    const toApi = (pass: Pass) => toApiPass(pass, { spending: spending.get(pass.passId), nowMs });
    sendJson(response, 200, toListPage('passes', { ...page, limit, cursorOf, toApi }));
  };

  const getOwnPass: Handler = async (request, response) => {
    const pass = passOf(request);
    if (pass === undefined) throw new Error('the route admits passes alone');
    sendJson(response, 200, toApiOwnPass(pass, await readSpending(pass)));
  };

  const getPass: Handler = async (request, response) => {
    const name = nameOf(request);
    const pass = await api.transaction((tx) => findPass(tx, name), { accountId: name.accountId });
    if (pass === undefined) throw noSuchPass(name.passId);
    sendJson(response, 200, await shown(pass));
  };

  const updatePass: Handler = async (request, response) => {
    const { value } = parseBody(updatePassSchema, await readJsonBody(request, { maxBytes }));
    sendJson(response, 200, await shown(await changePasses.update(nameOf(request), value, actorOf(request))));
  };

  const rotatePass: Handler = async (request, response) => {
    const { value } = parseBody(rotatePassSchema, (await readJsonBody(request, { maxBytes })) ?? {});
    const graceSeconds = value.grace_seconds ?? 0;
    sendJson(response, 200, await withKey(await changePasses.rotate(nameOf(request), graceSeconds, actorOf(request))));
  };

  const deletePass: Handler = async (request, response) => {
    await changePasses.revoke(nameOf(request), actorOf(request));
    sendEmpty(response);
  };

  return { createPass, listPasses: listPassesHandler, getOwnPass, getPass, updatePass, rotatePass, deletePass };

  async function withKey({ pass, key }: PassWithKey) {
    return { ...(await shown(pass)), key };
  }

  async function shown(pass: Pass) {
    return toApiPass(pass, await readSpending(pass));
  }

  /** Only the cap's figures are read: without a cap PostgreSQL may be away. */
  async function readSpending(pass: Pass) {
    const [nowMs, { accountId, passId, cap }] = [clock.now(), pass];
    const spending = cap && (await api.transaction((tx) => findPassSpending(tx, [pass], nowMs), { accountId }));
    return { spending: spending?.get(passId), nowMs };
  }
}

function nameOf(request: IncomingMessage): PassName {
  return { passId: parseParams(idSchema, paramsOf(request)['id']), accountId: accountIdOf(request) };
}

function cursorOf({ createdAtMs, passId }: Pass): readonly unknown[] {
  return [createdAtMs, passId];
}
