import { hash } from 'node:crypto';
import { ttlSecondsDefault, type AskAuthorization } from '@tollgate/contracts/authorizations';
import { isSlug } from '@tollgate/contracts/slug';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { capturedEventId } from '@tollgate/kernel/event-id';
import type { Micros } from '@tollgate/kernel/money';
import { uuidV7, uuidV8 } from '@tollgate/kernel/uuid';
import { invalidRequest } from '@tollgate/runtime/http/invalid-request';
import type { Tool } from '../tools/tool.ts';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { accountCaps } from './account-caps.ts';
import { boundCall } from './bound-call.ts';
import type { BudgetDirectory } from './budget-directory.ts';
import type { Gate, HoldAnswer } from './gate.ts';
import type { Hold, HoldWish } from './hold.ts';
import { quantitiesOfMax, unboundedQuantities } from './quantities.ts';
import { spendingCapReached } from './refusals.ts';

export interface AskAuthorizationDeps {
  readonly gate: Gate;
  readonly tools: ToolDirectory;
  readonly budgets: Pick<BudgetDirectory, 'of'>;
  readonly clock: Clock;
}

export interface Asked {
  readonly hold: Hold;
  readonly remainingMicros: Micros | null;
}

/** Holds the most that a call can come to. Throws what the request is refused with. */
export function createAskAuthorization({ gate, tools, budgets, clock }: AskAuthorizationDeps) {
  return async function askAuthorization(accountId: string, asked: AskAuthorization): Promise<Asked> {
    const { tool_id: toolId } = asked;
    const tool = tools.known(toolId) ?? (isSlug(toolId) ? await tools.lookUp(toolId) : undefined);
    if (tool === undefined || tool.isArchived) throw new AppError('tool_not_found', 'There is no such tool.');
    const wish = toWish(accountId, { asked, tool });
    return toAsked(await new Promise<HoldAnswer>((resolve) => gate.take(wish, resolve)), wish);
  };

  function toWish(accountId: string, { asked, tool }: { asked: AskAuthorization; tool: Tool }): HoldWish {
    const { max = {}, ttl_seconds: ttlSeconds = ttlSecondsDefault, idempotency_key: key } = asked;
    const askedAtMs = clock.now();
    const expiresAtMs = askedAtMs + ttlSeconds * 1_000;
    const between = { fromMs: askedAtMs, toMs: expiresAtMs };
    const prices = tool.prices.filter(({ startMs, endMs }) => startMs <= expiresAtMs && askedAtMs < endMs);
    const unbounded = tool.ownerId === accountId ? [] : unboundedQuantities(prices, max);
    if (unbounded.length > 0) throw invalidRequest('The most that the call can have is not bounded.', unbounded);
    const holdId = key === undefined ? uuidV7(askedAtMs) : uuidV8('authorization', accountId, key);
    const quantities = quantitiesOfMax(max);
    return {
      holdId,
      accountId,
      askerId: accountId,
      passId: null,
      toolId: tool.toolId,
      priceId: prices[0]?.priceId ?? holdId,
      eventId: capturedEventId(holdId, accountId),
      max: quantities,
      micros: boundCall(tool, { consumerId: accountId, max: quantities, success: true, ...between }),
      caps: accountCaps(budgets.of(accountId), between),
      state: 'open',
      bodyHash: key === undefined ? undefined : requestHashOf(asked),
      askedAtMs,
      expiresAtMs,
    };
  }
}

function toAsked(answer: HoldAnswer, wish: HoldWish): Asked {
  switch (answer.kind) {
    case 'held':
      return {
        hold: { ...wish, capIds: answer.capIds, chargedMicros: null },
        remainingMicros: answer.remainingMicros,
      };
    case 'repeat':
      if (answer.hold.bodyHash !== wish.bodyHash && answer.hold.state === 'open') throw keyReused();
      return { hold: answer.hold, remainingMicros: null };
    case 'no_room':
      throw spendingCapReached({ cap: answer.cap, neededMicros: wish.micros, isPayer: true });
    case 'unavailable':
      throw answer.error;
  }
}

/** Two requests with one key must be the same request. */
function requestHashOf({ tool_id: toolId, max = {}, ttl_seconds: ttl = ttlSecondsDefault }: AskAuthorization): string {
  const metadata = Object.entries(max.metadata ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  const canonical = JSON.stringify([toolId, max.duration_ms ?? null, metadata, ttl]);
  return hash('sha256', canonical, 'buffer').subarray(0, 16).toString('base64url');
}

function keyReused(): AppError {
  return new AppError('idempotency_key_reused', 'This idempotency_key was first used for another authorization.');
}
