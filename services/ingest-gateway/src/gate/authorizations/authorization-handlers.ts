import type { AppError } from '@tollgate/kernel/app-error';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  askAuthorizationSchema,
  authorizationsQuerySchema,
  extendAuthorizationSchema,
  increaseAuthorizationSchema,
  type AskAuthorization,
} from '@tollgate/contracts/spending/authorizations';
import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { isUuid } from '@tollgate/kernel/uuid';
import type { Principal } from '@tollgate/runtime/http/requests/principal';
import { keyOfBodyOr } from '@tollgate/runtime/http/idempotency/idempotency-key';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { pagePosition } from '@tollgate/runtime/http/lists/page-position';
import { parseBody, parseQuery } from '@tollgate/runtime/http/requests/parse';
import { readJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { accountIdOf, paramsOf, principalOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { PassOf } from '../../passes/pass-of.ts';
import type { ToolDirectory } from '../../tools/tool-directory.ts';
import type { createAskAuthorization } from './ask-authorization.ts';
import type { FillBalances } from '../caps/balance-caps.ts';
import { askerIdOf, type Asker } from '../deciding/find-payer.ts';
import type { Hold } from './hold.ts';
import { increaseHold, type IncreaseDecision } from './increase-hold.ts';
import { quantitiesOfMax } from '../deciding/quantities.ts';
import { authorizationNotFound, authorizationNotOpen, pastDue, spendingCapReached } from '../deciding/refusals.ts';
import type { ReadStanding } from '../deciding/read-standing.ts';
import { releaseHold } from './release-hold.ts';
import type { SettleAccounts } from '../settling/settle-accounts.ts';
import { pays, type ShowAuthorization } from './show-authorization.ts';
import { findHolds } from './sql-hold.ts';
import { listOpenHolds } from './sql-open-hold.ts';
import type { Wanted } from './wanted-hold.ts';

export interface AuthorizationHandlersDeps {
  readonly database: Database;
  readonly askAuthorization: ReturnType<typeof createAskAuthorization>;
  readonly tools: ToolDirectory;
  readonly passOf: PassOf;
  readonly readStanding: ReadStanding;
  readonly fillBalances: FillBalances;
  readonly settleAccounts: SettleAccounts;
  readonly showAuthorization: ShowAuthorization;
  readonly clock: Clock;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maxBytes = 64 * 1_024;

export function createAuthorizationHandlers(deps: AuthorizationHandlersDeps) {
  const { database, askAuthorization, showAuthorization, tools, passOf, clock } = deps;
  const askAuthorizationHandler: Handler = async (request, response) => {
    const { value } = parseBody(askAuthorizationSchema, await readJsonBody(request, { maxBytes }));
    const asker = askerOf(request);
    const { hold, room } = await askAuthorization(asker, withKeyOf(request, value));
    sendJson(response, 201, await showAuthorization(hold, { asker, room }));
  };

  const getAuthorization: Handler = async (request, response) => {
    sendJson(response, 200, await showAuthorization(await findSeen(request), { asker: askerOf(request) }));
  };

  const increaseAuthorization: Handler = async (request, response) => {
    const { value } = parseBody(increaseAuthorizationSchema, await readJsonBody(request, { maxBytes }));
    await answerMore(request, response, { max: quantitiesOfMax(value.max) });
  };

  const extendAuthorization: Handler = async (request, response) => {
    const { value } = parseBody(extendAuthorizationSchema, await readJsonBody(request, { maxBytes }));
    await answerMore(request, response, { ttlMs: value.ttl_seconds * 1_000, reference: value.reference });
  };

  const listAuthorizations: Handler = async (request, response) => {
    const { limit, cursor, reference } = parseQuery(authorizationsQuerySchema, request.url ?? '');
    const asker = askerOf(request);
    const of = { askerId: askerIdOf(asker), reference, atMs: clock.now() };
    const page = await listOpenHolds(database, { ...of, limit, ...pagePosition('authorizations', cursor) });
    const shown = await Promise.all(
      page.rows.map(async (hold) => ({ hold, api: await showAuthorization(hold, { asker }) })),
    );
    const cursorOf = ({ hold }: (typeof shown)[number]) => [hold.askedAtMs, hold.holdId];
    sendJson(
      response,
      200,
      toListPage('authorizations', { ...page, rows: shown, limit, cursorOf, toApi: ({ api }) => api }),
    );
  };

  const releaseAuthorization: Handler = async (request, response) => {
    const { holdId } = await findAsked(request);
    const hold = await releaseHold(database, holdId);
    if (hold?.state !== 'open' && hold?.state !== 'released') throw authorizationNotOpen(clock.now());
    response.writeHead(204).end();
  };

  return {
    askAuthorization: askAuthorizationHandler,
    listAuthorizations,
    getAuthorization,
    increaseAuthorization,
    extendAuthorization,
    releaseAuthorization,
  };

  async function answerMore(
    request: IncomingMessage,
    response: ServerResponse,
    wanted: Omit<Wanted, 'nowMs'>,
  ): Promise<void> {
    const { holdId, toolId, accountId } = await findAsked(request);
    const asker = askerOf(request);
    const tool = await tools.lookUp(toolId);
    const increase = { ...wanted, holdId, asker, tool, nowMs: clock.now() };
    const { hold, room } = increasedBy(await increaseHold(database, increase, deps), { ...increase, accountId });
    sendJson(response, 200, await showAuthorization(hold, { asker, room }));
  }

  function askerOf(request: IncomingMessage): Asker {
    return { accountId: accountIdOf(request), pass: passOf(request) };
  }

  /** Only who asked may change an authorization: a consumer who released one would take the call from its builder. */
  async function findAsked(request: IncomingMessage): Promise<Hold> {
    const hold = await find(request);
    if (hold?.askerId !== askerIdOf(askerOf(request))) throw notFoundBy(request);
    return hold;
  }

  async function findSeen(request: IncomingMessage): Promise<Hold> {
    const asker = askerOf(request);
    const hold = await find(request);
    const isSeen = hold?.askerId === askerIdOf(asker) || (hold && pays(asker, hold) && mayRead(principalOf(request)));
    if (hold === undefined || isSeen !== true) throw notFoundBy(request);
    return hold;
  }

  /** The hold of an event without an authorization is no authorization. */
  async function find(request: IncomingMessage): Promise<Hold | undefined> {
    const holdId = paramsOf(request)['authorization_id'] ?? '';
    const [hold] = isUuid(holdId) ? await findHolds(database, [holdId]) : [];
    return hold?.eventId === hold?.holdId ? undefined : hold;
  }
}

/** An API key for `events` alone sees what such keys ask for, and nothing else of its account. */
function mayRead(principal: Principal): boolean {
  return principal.kind !== 'api_key' || principal.can === undefined || principal.can.includes('read');
}

/** The `Idempotency-Key` header is the key where the body has none. */
function withKeyOf(request: IncomingMessage, asked: AskAuthorization): AskAuthorization {
  return { ...asked, idempotency_key: keyOfBodyOr(request, asked.idempotency_key) };
}

function notFoundBy(request: IncomingMessage): AppError {
  return authorizationNotFound(paramsOf(request)['authorization_id']);
}

function increasedBy(
  decision: IncreaseDecision,
  { asker, accountId, nowMs }: { readonly asker: Asker; readonly accountId: string; readonly nowMs: number },
) {
  const isPayer = pays(asker, { accountId });
  switch (decision.kind) {
    case 'increased':
      return decision;
    case 'no_room':
      throw spendingCapReached({ ...decision, isPayer });
    case 'past_due':
      throw pastDue(isPayer);
    case 'absent':
      throw authorizationNotFound();
    case 'not_open':
      throw authorizationNotOpen(nowMs);
  }
}
