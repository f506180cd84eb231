import { hash } from 'node:crypto';
import { ttlSecondsDefault, type AskAuthorization, type AuthorizedMax } from '@tollgate/contracts/authorizations';
import { isSlug } from '@tollgate/contracts/slug';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { capturedEventId } from '@tollgate/kernel/event-id';
import { micros } from '@tollgate/kernel/money';
import { uuidV7, uuidV8 } from '@tollgate/kernel/uuid';
import { invalidRequest } from '@tollgate/runtime/http/invalid-request';
import { pricesBetween, type PriceSpan, type Tool } from '../tools/tool.ts';
import { toolNotFound } from '../tools/tool-not-found.ts';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { accountCaps, passCaps } from './account-caps.ts';
import type { BalanceCaps } from './balance-caps.ts';
import { boundCall } from './bound-call.ts';
import type { BudgetDirectory } from './budget-directory.ts';
import { askerIdOf, type Asker, type FindPayer, type Payer } from './find-payer.ts';
import type { Gate, HoldAnswer } from './gate.ts';
import { noCallsOf, type Hold, type HoldWish } from './hold.ts';
import { quantitiesOfMax, unboundedQuantities } from './quantities.ts';
import { pastDue, refuseDearCall, spendingCapReached } from './refusals.ts';
import type { PastDueAccounts } from './past-due-accounts.ts';
import type { Room } from './room.ts';

export interface AskAuthorizationDeps {
  readonly gate: Gate;
  readonly tools: ToolDirectory;
  readonly budgets: Pick<BudgetDirectory, 'of'>;
  readonly balances: Pick<BalanceCaps, 'of'>;
  readonly pastDueAccounts: Pick<PastDueAccounts, 'has'>;
  readonly findPayer: FindPayer;
  readonly clock: Clock;
}

export interface Asked {
  readonly hold: Hold;
  /** Undefined for a repeat: it is asked for later, if at all. */
  readonly room: Room | undefined;
}

/** Holds the most that its calls can come to. Throws what the request is refused with. */
export function createAskAuthorization(deps: AskAuthorizationDeps) {
  const { gate, tools, budgets, balances, pastDueAccounts, findPayer, clock } = deps;
  return async function askAuthorization(asker: Asker, asked: AskAuthorization): Promise<Asked> {
    const { tool_id: toolId, pass: passKey } = asked;
    const tool = tools.known(toolId) ?? (isSlug(toolId) ? await tools.lookUp(toolId) : undefined);
    const payer = await findPayer({ asker, passKey, toolId, tool });
    if (tool === undefined || tool.isArchived) throw toolNotFound(toolId, tool);
    const isPayer = asker.pass === undefined && asker.accountId === payer.accountId;
    const wish = toWish(asker, { asked, tool, payer });
    const refusal = refuseDearCall(payer.pass, micros(wish.micros / BigInt(wish.callCount)), isPayer);
    if (refusal !== undefined) throw refusal;
    return toAsked(await new Promise<HoldAnswer>((resolve) => gate.take(wish, resolve)), wish, isPayer);
  };

  function toWish(
    asker: Asker,
    { asked, tool, payer }: { asked: AskAuthorization; tool: Tool; payer: Payer },
  ): HoldWish {
    const { count: callCount = 1, ttl_seconds: ttl = ttlSecondsDefault, idempotency_key: key } = asked;
    const max = maxOf(asked, tool);
    const { accountId, pass } = payer;
    const askerId = askerIdOf(asker);
    const askedAtMs = clock.now();
    const expiresAtMs = askedAtMs + ttl * 1_000;
    const between = { fromMs: askedAtMs, toMs: expiresAtMs };
    const [price] = requireBounds(tool, { accountId, max, ...between });
    const holdId = key === undefined ? uuidV7(askedAtMs) : uuidV8('authorization', askerId, key);
    const quantities = quantitiesOfMax(max);
    const eachMicros = boundCall(tool, { consumerId: accountId, max: quantities, success: true, ...between });
    return {
      holdId,
      accountId,
      askerId,
      passId: pass?.passId ?? null,
      toolId: tool.toolId,
      priceId: price?.priceId ?? holdId,
      eventId: capturedEventId(holdId, askerId),
      max: quantities,
      callCount,
      micros: micros(eachMicros * BigInt(callCount)),
      caps: [...accountCaps(budgets.of(accountId), between), ...passCaps(pass, between), ...balances.of(accountId)],
      isPastDue: pastDueAccounts.has(accountId),
      state: 'open',
      bodyHash: key === undefined ? undefined : requestHashOf(asked, payer),
      askedAtMs,
      expiresAtMs,
    };
  }
}

function maxOf({ max }: AskAuthorization, { defaultMax }: Tool): AuthorizedMax {
  return max ?? defaultMax ?? {};
}

interface ToBound {
  readonly accountId: string;
  readonly max: AuthorizedMax;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The prices that may be in force. Throws 400 for what they count and `max` does not bound. */
function requireBounds(tool: Tool, { accountId, max, fromMs, toMs }: ToBound): readonly PriceSpan[] {
  const prices = pricesBetween(tool, { fromMs, toMs });
  const unbounded = tool.ownerId === accountId ? [] : unboundedQuantities(prices, max);
  if (unbounded.length === 0) return prices;
  throw invalidRequest('The most that the call can have is not bounded.', unbounded);
}

function toAsked(answer: HoldAnswer, wish: HoldWish, isPayer: boolean): Asked {
  switch (answer.kind) {
    case 'held': {
      const { capIds, room } = answer;
      return { hold: { ...wish, ...noCallsOf(wish), capIds, chargedMicros: null }, room };
    }
    case 'repeat':
      if (isOther(answer.hold, wish)) throw keyReused();
      return { hold: answer.hold, room: undefined };
    case 'no_room':
      throw spendingCapReached({ cap: answer.cap, neededMicros: wish.micros, isPayer });
    case 'past_due':
      throw pastDue(isPayer);
    case 'unavailable':
      throw answer.error;
  }
}

/** Once it is captured, the hash of a hold is that of its event. */
function isOther({ accountId, state, bodyHash }: Hold, wish: HoldWish): boolean {
  return accountId !== wish.accountId || (state === 'open' && bodyHash !== wish.bodyHash);
}

/** Two requests with one key must be the same request. A rotated pass is the same pass. */
function requestHashOf(asked: AskAuthorization, { accountId, pass }: Payer): string {
  const { tool_id: toolId, max = {}, ttl_seconds: ttl = ttlSecondsDefault, count = 1 } = asked;
  const metadata = Object.entries(max.metadata ?? {}).sort(([left], [right]) => (left < right ? -1 : 1));
  const rest = count === 1 && pass === undefined ? [] : [accountId, pass?.passId ?? null, count];
  const canonical = JSON.stringify([toolId, max.duration_ms ?? null, metadata, ttl, ...rest]);
  return hash('sha256', canonical, 'buffer').subarray(0, 16).toString('base64url');
}

function keyReused(): AppError {
  return new AppError('idempotency_key_reused', 'This idempotency_key was first used for another authorization.');
}
