import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  askAuthorizationSchema,
  authorizationsQuerySchema,
  type AskAuthorization,
} from '@tollgate/contracts/spending/authorizations';
import { keyOfBodyOr } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import { parseBody, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { readJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { PassOf } from '../../passes/pass-of.ts';
import type { createAskAuthorization } from './ask-authorization.ts';
import { askerIdOf } from '../deciding/find-payer.ts';
import { authorizationNotOpen } from '../deciding/refusals.ts';
import { createFindNamedHold } from './find-named-hold.ts';
import { createMoreHandlers, type MoreHandlersDeps } from './more-handlers.ts';
import { releaseHold } from './release-hold.ts';
import { listOpenHolds } from './sql-open-hold.ts';

export interface AuthorizationHandlersDeps extends Omit<MoreHandlersDeps, 'find'> {
  readonly askAuthorization: ReturnType<typeof createAskAuthorization>;
  readonly passOf: PassOf;
  readonly ownAddressOf: OwnAddressOf;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maxBytes = 64 * 1_024;

/** The handlers have the names of their operations. */
export function createAuthorizationHandlers(deps: AuthorizationHandlersDeps) {
  const { database, askAuthorization, showAuthorization, ownAddressOf, clock } = deps;
  const find = createFindNamedHold(deps);

  const askAuthorizationHandler: Handler = async (request, response) => {
    const { value } = parseBody(askAuthorizationSchema, await readJsonBody(request, { maxBytes }));
    const asker = find.askerOf(request);
    const approvalUrl = (approvalId: string) => `${ownAddressOf(request)}/approvals/${approvalId}`;
    const { hold, room } = await askAuthorization(asker, withKeyOf(request, value), approvalUrl);
    sendJson(response, 201, await showAuthorization(hold, { asker, room }));
  };

  const getAuthorization: Handler = async (request, response) => {
    const asker = find.askerOf(request);
    sendJson(response, 200, await showAuthorization(await find.findSeen(request), { asker }));
  };

  const listAuthorizations: Handler = async (request, response) => {
    const { limit, cursor, reference } = parseQuery(authorizationsQuerySchema, request.url ?? '');
    const asker = find.askerOf(request);
    const of = { askerId: askerIdOf(asker), reference, atMs: clock.now(), limit };
    const { rows, total } = await listOpenHolds(database, { ...of, ...pagePosition('authorizations', cursor) });
    const shown = await Promise.all(
      rows.map(async (hold) => ({ hold, api: await showAuthorization(hold, { asker }) })),
    );
    const cursorOf = ({ hold }: (typeof shown)[number]) => [hold.askedAtMs, hold.holdId];
    const page = { rows: shown, total, limit, cursorOf, toApi: ({ api }: (typeof shown)[number]) => api };
    sendJson(response, 200, toListPage('authorizations', page));
  };

  const releaseAuthorization: Handler = async (request, response) => {
    const { holdId } = await find.findAsked(request);
    const hold = await releaseHold(database, holdId);
    if (hold?.state !== 'open' && hold?.state !== 'released') throw authorizationNotOpen(clock.now());
    response.writeHead(204).end();
  };

  return {
    askAuthorization: askAuthorizationHandler,
    getAuthorization,
    listAuthorizations,
    releaseAuthorization,
    ...createMoreHandlers({ ...deps, find }),
  };
}

/** The `Idempotency-Key` header is the key where the body has none. */
function withKeyOf(request: IncomingMessage, asked: AskAuthorization): AskAuthorization {
  return { ...asked, idempotency_key: keyOfBodyOr(request, asked.idempotency_key) };
}
