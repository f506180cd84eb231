import type { IncomingMessage, ServerResponse } from 'node:http';
import { askAuthorizationSchema, increaseAuthorizationSchema } from '@tollgate/contracts/authorizations';
import type { Database } from '@tollgate/database/database';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import type { Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { isUuid } from '@tollgate/kernel/uuid';
import { parseBody } from '@tollgate/runtime/http/parse';
import { readJsonBody } from '@tollgate/runtime/http/read-json-body';
import { accountIdOf, paramsOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import type { createAskAuthorization } from './ask-authorization.ts';
import { boundCall } from './bound-call.ts';
import { leastOf } from './decide-holds.ts';
import type { Hold } from './hold.ts';
import { increaseHold, type IncreaseDecision } from './increase-hold.ts';
import { quantitiesOfMax } from './quantities.ts';
import { authorizationNotFound, authorizationNotOpen, spendingCapReached } from './refusals.ts';
import { releaseHold } from './release-hold.ts';
import { findCaps } from './sql-cap-state.ts';
import { findHolds } from './sql-hold.ts';

export interface AuthorizationHandlersDeps {
  readonly database: Database;
  readonly askAuthorization: ReturnType<typeof createAskAuthorization>;
  readonly tools: ToolDirectory;
  readonly clock: Clock;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maxBytes = 64 * 1_024;

export function createAuthorizationHandlers({ database, askAuthorization, tools, clock }: AuthorizationHandlersDeps) {
  const askAuthorizationHandler: Handler = async (request, response) => {
    const { value } = parseBody(askAuthorizationSchema, await readJsonBody(request, { maxBytes }));
    const { hold, remainingMicros } = await askAuthorization(accountIdOf(request), value);
    sendJson(response, 201, toApi(hold, remainingMicros));
  };

  const getAuthorization: Handler = async (request, response) => {
    const hold = await findOwn(request);
    sendJson(response, 200, toApi(hold, await remainingOf(hold)));
  };

  const increaseAuthorization: Handler = async (request, response) => {
    const { value } = parseBody(increaseAuthorizationSchema, await readJsonBody(request, { maxBytes }));
    const { holdId, toolId } = await findOwn(request);
    const tool = tools.known(toolId) ?? (await tools.lookUp(toolId));
    if (tool === undefined) throw authorizationNotFound();
    const decision = await increaseHold(database, {
      holdId,
      askerId: accountIdOf(request),
      max: quantitiesOfMax(value.max),
      nowMs: clock.now(),
      bound: ({ accountId: consumerId, askedAtMs: fromMs, expiresAtMs: toMs, max }) =>
        boundCall(tool, { consumerId, max, success: true, fromMs, toMs }),
    });
    sendJson(response, 200, answerOf(decision));
  };

  const releaseAuthorization: Handler = async (request, response) => {
    const { holdId } = await findOwn(request);
    const hold = await releaseHold(database, holdId);
    if (hold?.state !== 'open' && hold?.state !== 'released') throw authorizationNotOpen();
    response.writeHead(204).end();
  };

  return { askAuthorization: askAuthorizationHandler, getAuthorization, increaseAuthorization, releaseAuthorization };

  async function findOwn(request: IncomingMessage): Promise<Hold> {
    const holdId = paramsOf(request)['authorization_id'] ?? '';
    const accountId = accountIdOf(request);
    const [hold] = isUuid(holdId) ? await findHolds(database, [holdId]) : [];
    // An event that was authorized and captured in one has the event's own id, and is no authorization of the caller.
    const isOwn = hold?.accountId === accountId || hold?.askerId === accountId;
    if (hold === undefined || !isOwn || hold.eventId === hold.holdId) throw authorizationNotFound();
    return hold;
  }

  async function remainingOf({ capIds }: Hold): Promise<Micros | null> {
    const caps = await findCaps(database, capIds);
    return leastOf(caps.map(({ capMicros, spentMicros, heldMicros }) => capMicros - spentMicros - heldMicros));
  }
}

function answerOf(decision: IncreaseDecision) {
  switch (decision.kind) {
    case 'increased':
      return toApi(decision.hold, decision.remainingMicros);
    case 'no_room':
      throw spendingCapReached({ ...decision, isPayer: true });
    case 'absent':
      throw authorizationNotFound();
    case 'not_open':
      throw authorizationNotOpen();
  }
}

function toApi(hold: Hold, remainingMicros: Micros | null) {
  const isHeld = hold.state === 'open' || hold.state === 'captured';
  return {
    id: hold.holdId,
    consumer_id: hold.accountId,
    tool_id: hold.toolId,
    pass_id: hold.passId,
    price_id: hold.priceId,
    count: 1,
    state: hold.state,
    held_usd: isHeld ? toUsdNumber(hold.micros) : 0,
    charged_usd: hold.chargedMicros === null ? null : toUsdNumber(hold.chargedMicros),
    remaining_usd: remainingMicros === null ? null : toUsdNumber(remainingMicros),
    expires_at: toIso(hold.expiresAtMs),
  };
}
