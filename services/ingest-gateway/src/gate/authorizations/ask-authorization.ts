import { hash } from 'node:crypto';
import {
  ttlSecondsDefault,
  type AskAuthorization,
  type AuthorizedMax,
} from '@tollgate/contracts/spending/authorizations';
import { isSlug } from '@tollgate/contracts/forms/slug';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { capturedEventId } from '@tollgate/kernel/event-id';
import { micros } from '@tollgate/kernel/money';
import { uuidV7, uuidV8 } from '@tollgate/kernel/uuid';
import { invalidRequest } from '@tollgate/runtime/http/requests/invalid-request';
import { priceAt, pricesBetween, type Tool } from '../../tools/tool.ts';
import type { ToolDirectory } from '../../tools/tool-directory.ts';
import type { BalanceCaps } from '../caps/balance-caps.ts';
import type { BoundedCall } from '../deciding/bound-call.ts';
import type { BudgetDirectory } from '../caps/budget-directory.ts';
import { askerIdOf, type Asker, type FindPayer, type Payer } from '../deciding/find-payer.ts';
import type { TakeApproved, Taken } from '../approvals/take-approved.ts';
import { noCallsOf, type Hold, type HoldWish } from './hold.ts';
import { judgeCall, type JudgedCall, type Standing } from '../deciding/judge-call.ts';
import { quantitiesOfMax, unboundedQuantities } from '../deciding/quantities.ts';
import { approvalRequired, callTooDear, pastDue, spendingCapReached } from '../deciding/refusals.ts';
import type { PastDueAccounts } from '../deciding/past-due-accounts.ts';
import type { Room } from '../deciding/room.ts';
import { pays } from './show-authorization.ts';

export interface AskAuthorizationDeps {
  readonly takeApproved: TakeApproved;
  readonly tools: ToolDirectory;
  readonly budgets: Pick<BudgetDirectory, 'of'>;
  readonly balances: Pick<BalanceCaps, 'of'>;
  readonly pastDueAccounts: Pick<PastDueAccounts, 'has'>;
  readonly isSuspended: (accountId: string) => boolean;
  readonly findPayer: FindPayer;
  readonly clock: Clock;
}

export interface Asked {
  readonly hold: Hold;
  /** Undefined for a repeat: it is asked for later, if at all. */
  readonly room: Room | undefined;
}

/** Returns the page on which the owner of the pass answers. */
export type ApprovalUrl = (approvalId: string) => string;

/** Holds the most that its calls can come to. Throws what the request is refused with. */
export function createAskAuthorization(deps: AskAuthorizationDeps) {
  const { takeApproved, tools, findPayer, clock } = deps;
  return async function askAuthorization(
    asker: Asker,
    asked: AskAuthorization,
    approvalUrl: ApprovalUrl,
  ): Promise<Asked> {
    const { tool_id: toolId, pass: passKey, ttl_seconds: ttl = ttlSecondsDefault } = asked;
    const tool = tools.known(toolId) ?? (isSlug(toolId) ? await tools.lookUp(toolId) : undefined);
    const payer = await findPayer({ asker, passKey, tool, nowMs: clock.now() });
    const nowMs = clock.now();
    const expiresAtMs = nowMs + ttl * 1_000;
    const call = judgeCall({
      asker,
      payer,
      toolId,
      tool,
      standing: knownStanding(deps, payer.accountId),
      nowMs,
      expiresAtMs,
      callOf: (of) => boundAsk(of, { asked, accountId: payer.accountId, fromMs: nowMs, toMs: expiresAtMs }),
    });
    const wish = toWish({ asker, asked, payer, call, askedAtMs: nowMs, expiresAtMs });
    return toAsked(await takeApproved(wish), { wish, isPayer: pays(asker, payer), approvalUrl });
  };
}

/** How the account stands as far as this gateway knows, at most a second old while PostgreSQL can be reached. */
function knownStanding(
  { isSuspended, budgets, balances, pastDueAccounts }: AskAuthorizationDeps,
  accountId: string,
): Standing {
  return {
    isSuspended: isSuspended(accountId),
    isPastDue: pastDueAccounts.has(accountId),
    budget: budgets.of(accountId),
    balanceCaps: balances.of(accountId),
  };
}

interface ToWish {
  readonly asker: Asker;
  readonly asked: AskAuthorization;
  readonly payer: Payer;
  readonly call: JudgedCall;
  readonly askedAtMs: number;
  readonly expiresAtMs: number;
}

function toWish({ asker, asked, payer, call, askedAtMs, expiresAtMs }: ToWish): HoldWish {
  const { count: callCount = 1, idempotency_key: key } = asked;
  const { tool, eachMicros, caps, ancestorIds, lines, perCallMaxMicros, approveAboveMicros, isPastDue } = call;
  const { accountId, pass } = payer;
  const askerId = askerIdOf(asker);
  const holdId = key === undefined ? uuidV7(askedAtMs) : uuidV8('authorization', askerId, key);
  return {
    holdId,
    accountId,
    askerId,
    passId: pass?.passId ?? null,
    ancestorIds,
    toolId: tool.toolId,
    priceId: priceAt(tool, askedAtMs)?.priceId ?? holdId,
    eventId: capturedEventId(holdId, askerId),
    max: quantitiesOfMax(maxOf(asked, tool)),
    callCount,
    micros: micros(eachMicros * BigInt(callCount)),
    caps,
    lines,
    perCallMaxMicros,
    approveAboveMicros,
    between: { fromMs: askedAtMs, toMs: expiresAtMs },
    isPastDue,
    state: 'open',
    bodyHash: key === undefined ? undefined : requestHashOf(asked, payer),
    askedAtMs,
    expiresAtMs,
    reference: asked.reference ?? null,
  };
}

function maxOf({ max }: AskAuthorization, { defaultMax }: Tool): AuthorizedMax {
  return max ?? defaultMax ?? {};
}

interface ToBound {
  readonly asked: AskAuthorization;
  readonly accountId: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The most that one call can have. Throws 400 for what prices in force until then count and `max` does not bound. */
function boundAsk(tool: Tool, { asked, accountId, fromMs, toMs }: ToBound): BoundedCall {
  const max = maxOf(asked, tool);
  const prices = pricesBetween(tool, { fromMs, toMs });
  const unbounded = tool.ownerId === accountId ? [] : unboundedQuantities(prices, max);
  if (unbounded.length > 0) throw invalidRequest('The call has no maximum.', unbounded);
  return { consumerId: accountId, max: quantitiesOfMax(max), success: true, fromMs, toMs };
}

interface ToAsked {
  readonly wish: HoldWish;
  readonly isPayer: boolean;
  readonly approvalUrl: ApprovalUrl;
}

function toAsked({ answer, approval: offered }: Taken, { wish, isPayer, approvalUrl }: ToAsked): Asked {
  const approval = offered && { ...offered, url: approvalUrl(offered.approvalId) };
  switch (answer.kind) {
    case 'held': {
      const { room, approvalId: _, ...held } = answer;
      const hold = { ...wish, ...held, chargedMicros: null };
      return { hold: { ...hold, ...noCallsOf(hold) }, room };
    }
    case 'repeat':
      if (isOther(answer.hold, wish)) throw keyReused();
      return { hold: answer.hold, room: undefined };
    case 'no_room':
      throw spendingCapReached({ ...answer, isPayer, approval });
    case 'unapproved':
      throw approvalRequired({ ...answer, aboveMicros: wish.approveAboveMicros, isPayer, approval });
    case 'dear':
      throw callTooDear({ ...answer, maxMicros: wish.perCallMaxMicros, isPayer });
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
  const canonical = JSON.stringify([toolId, max.duration_ms ?? null, metadata, ttl, ...rest, ...namesOf(asked)]);
  return hash('sha256', canonical, 'buffer').subarray(0, 16).toString('base64url');
}

function namesOf({ reference }: AskAuthorization) {
  return reference === undefined ? [] : [{ reference }];
}

function keyReused(): AppError {
  return new AppError('idempotency_key_reused', 'This idempotency_key was first used for another authorization.');
}
