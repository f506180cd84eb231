import type { IncomingMessage, ServerResponse } from 'node:http';
import { extendAuthorizationSchema, increaseAuthorizationSchema } from '@tollgate/contracts/spending/authorizations';
import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { parseBody } from '@tollgate/runtime/http/requests/parse';
import { readJsonBody } from '@tollgate/runtime/http/requests/read-json-body';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { ToolDirectory } from '../../tools/tool-directory.ts';
import type { Asker } from '../deciding/find-payer.ts';
import { quantitiesOfMax } from '../deciding/quantities.ts';
import { authorizationNotFound, authorizationNotOpen, pastDue, spendingCapReached } from '../deciding/refusals.ts';
import type { FindNamedHold } from './find-named-hold.ts';
import { increaseHold, type IncreaseDecision, type IncreaseDeps } from './increase-hold.ts';
import { pays, type ShowAuthorization } from './show-authorization.ts';
import type { Wanted } from './wanted-hold.ts';

export interface MoreHandlersDeps extends IncreaseDeps {
  readonly database: Database;
  readonly tools: ToolDirectory;
  readonly showAuthorization: ShowAuthorization;
  readonly clock: Clock;
  readonly find: FindNamedHold;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maxBytes = 64 * 1_024;

/** More of an authorization: for a greater call, or for a longer one. */
export function createMoreHandlers({ database, tools, showAuthorization, clock, find, ...deps }: MoreHandlersDeps) {
  const increaseAuthorization: Handler = async (request, response) => {
    const { value } = parseBody(increaseAuthorizationSchema, await readJsonBody(request, { maxBytes }));
    sendJson(response, 200, await giveMore(request, { max: quantitiesOfMax(value.max) }));
  };

  const extendAuthorization: Handler = async (request, response) => {
    const { value } = parseBody(extendAuthorizationSchema, await readJsonBody(request, { maxBytes }));
    const { ttl_seconds: ttl, reference } = value;
    sendJson(response, 200, await giveMore(request, { ttlMs: ttl * 1_000, reference }));
  };

  return { increaseAuthorization, extendAuthorization };

  async function giveMore(request: IncomingMessage, wanted: Omit<Wanted, 'nowMs'>) {
    const { holdId, toolId, accountId } = await find.findAsked(request);
    const asker = find.askerOf(request);
    const tool = await tools.lookUp(toolId);
    const increase = { ...wanted, holdId, asker, tool, nowMs: clock.now() };
    const { hold, room } = increasedBy(await increaseHold(database, increase, deps), { ...increase, accountId });
    return showAuthorization(hold, { asker, room });
  }
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
