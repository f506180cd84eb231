import { AppError } from '@tollgate/kernel/app-error';
import { timeIfMoved, toIso } from '@tollgate/kernel/clock';
import { isPlainName } from '@tollgate/kernel/text';
import { formatUsd, zeroMicros, type Micros } from '@tollgate/kernel/money';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { Pass } from '../../passes/pass.ts';
import { invalidRequest } from '@tollgate/runtime/http/requests/invalid-request';
import type { OfferedApproval } from '../approvals/approval.ts';
import type { CapState, Hold } from '../authorizations/hold.ts';
import { roomIn } from './room.ts';
import { resetsAtOf } from '../../passes/spending-window.ts';

export interface NoRoom {
  readonly cap: CapState;
  readonly neededMicros: Micros;
  /** Only the account that pays sees the figures. */
  readonly isPayer: boolean;
  /** The way in which the owner of the pass can let the call through. */
  readonly approval?: LinkedApproval | undefined;
}

/** An approval with its page. */
export interface LinkedApproval extends OfferedApproval {
  readonly url: string;
}

/** An allowance of which nothing is left is refused as what it needs: somebody has to pay. */
export function spendingCapReached({ cap, neededMicros, isPayer, approval }: NoRoom): AppError {
  const code = cap.boundBy === 'allowance' && roomIn(cap) <= 0n ? 'payment_required' : 'spending_cap_reached';
  const resetsAt = resetsAtOf(cap);
  if (!isPayer) {
    const message = `The consumer’s spending cap has no room for this call.${wayToApprove(approval, isPayer)}`;
    return code === 'payment_required'
      ? consumerMustPay()
      : new AppError(code, message, { members: { resets_at: resetsAt, ...approvalMember(approval) } });
  }
  const { capMicros, spentMicros, heldMicros } = cap;
  const limit = {
    scope: cap.boundBy === 'allowance' ? 'allowance' : cap.scope,
    cap_usd: toUsdNumber(capMicros),
    spent_usd: toUsdNumber(spentMicros),
    held_usd: toUsdNumber(heldMicros),
    needed_usd: toUsdNumber(neededMicros),
    resets_at: resetsAt,
  };
  const parts = `${formatUsd(spentMicros)} are spent, ${formatUsd(heldMicros)} are held, and this call can come to ${formatUsd(neededMicros)}`;
  const message = `${nameOf(cap)} has no room for this call: ${parts}. ${wayOut(cap)}${wayToApprove(approval, isPayer)}`;
  return new AppError(code, message, { members: { limit, resets_at: resetsAt, ...approvalMember(approval) } });
}

export interface UnapprovedCall extends Pick<NoRoom, 'isPayer' | 'approval'> {
  readonly neededMicros: Micros;
  /** Calls that come to more need an approval. */
  readonly aboveMicros: Micros | undefined;
}

export function approvalRequired({ neededMicros, aboveMicros, isPayer, approval }: UnapprovedCall): AppError {
  const above = `A call with this pass that can come to more than ${formatUsd(aboveMicros ?? zeroMicros)} USD needs your approval, and this one can come to ${formatUsd(neededMicros)} USD.`;
  const told = isPayer ? above : 'The call needs the approval of the owner of the pass.';
  const message = `${told}${wayToApprove(approval, isPayer) || ' It was refused; it can be asked for again in some minutes.'}`;
  return new AppError('approval_required', message, { members: { resets_at: null, ...approvalMember(approval) } });
}

/** More for an authorization that was given without an approval of so much, or with one. */
export function approvalOfMoreRequired(): AppError {
  const message =
    'The call would need an approval of the owner of the pass. Release this authorization, and ask for a new one with the greater `max`.';
  return new AppError('approval_required', message, { members: { resets_at: null } });
}

function approvalMember(approval: LinkedApproval | undefined) {
  if (approval === undefined) return {};
  const { approvalId, url, expiresAtMs } = approval;
  return { approval: { id: approvalId, url, expires_at: toIso(expiresAtMs) } };
}

function wayToApprove(approval: LinkedApproval | undefined, isPayer: boolean): string {
  if (approval === undefined) return '';
  const who = isPayer ? 'You can approve it' : 'The owner of the pass can approve it';
  return ` ${who} until ${toIso(approval.expiresAtMs)} at ${approval.url}`;
}

function nameOf({ scope, boundBy, capMicros }: CapState): string {
  const usd = `${formatUsd(capMicros)} USD`;
  if (boundBy === 'allowance') return `The allowance without a payment method, of which ${usd} can be spent,`;
  return scope === 'balance' ? `The balance, of which ${usd} can be spent,` : `The spending cap of ${usd}`;
}

function wayOut(cap: CapState): string {
  const resetsAt = resetsAtOf(cap);
  if (cap.boundBy === 'allowance') return 'Set up a payment method to go on.';
  if (cap.scope === 'balance') return 'Top it up to go on.';
  return resetsAt === null ? 'It has no end; raise it to go on.' : `It is free again at ${resetsAt}.`;
}

/** The refusal of a call of an account that is past due. */
export function pastDue(isPayer: boolean): AppError {
  if (!isPayer) return consumerMustPay();
  const message = 'An invoice of this account is past due. New calls go through again once it is paid.';
  return new AppError('payment_required', message, { members: { resets_at: null } });
}

/** One answer for both reasons: how the account stands is no business of a builder's. */
function consumerMustPay(): AppError {
  const message = 'The consumer has to pay what it owes, or to set up a payment method, before it can make this call.';
  return new AppError('payment_required', message, { members: { resets_at: null } });
}

/** The refusal of a call that can come to more than its pass allows for one; undefined if it fits. */
export function refuseDearCall(pass: Pass | undefined, neededMicros: Micros, isPayer: boolean): AppError | undefined {
  const maxMicros = pass?.perCallMaxMicros;
  if (maxMicros === undefined || neededMicros <= maxMicros) return undefined;
  return callTooDear({ maxMicros, neededMicros, isPayer });
}

export interface DearCall {
  readonly maxMicros: Micros | undefined;
  readonly neededMicros: Micros;
  readonly isPayer: boolean;
}

export function callTooDear({ maxMicros = zeroMicros, neededMicros, isPayer }: DearCall): AppError {
  if (!isPayer) {
    const message = 'The call can come to more than the consumer’s pass allows for one.';
    return new AppError('spending_cap_reached', message, { members: { resets_at: null } });
  }
  const limit = {
    scope: 'call',
    cap_usd: toUsdNumber(maxMicros),
    spent_usd: toUsdNumber(zeroMicros),
    held_usd: toUsdNumber(zeroMicros),
    needed_usd: toUsdNumber(neededMicros),
    resets_at: null,
  };
  const message = `A call with this pass may come to ${formatUsd(maxMicros)} USD at most, and this one can come to ${formatUsd(neededMicros)} USD.`;
  return new AppError('spending_cap_reached', message, { members: { limit, resets_at: null } });
}

/** One answer for every pass that cannot be used: a stranger learns nothing about it. */
export function passRefused(nowMs: number): AppError {
  const message = `The pass cannot be used here: it is unknown, revoked, paused or expired, or the tool is not yours. Ask the consumer for a pass that names your tool.${timeIfMoved(nowMs)}`;
  return new AppError('pass_refused', message);
}

/** The refusal of an OAuth token beside a tool, or a key, of another server. */
export function notOfResource(resource: string): AppError {
  const message = `The token is for ${resource}: it opens tools that have this \`resource\`, beside a key of their builder.`;
  return new AppError('tool_not_allowed', message);
}

export function authorizationNotFound(id?: string): AppError {
  const which = id === undefined || !isPlainName(id) ? 'with this id' : `\`${id}\``;
  return new AppError('authorization_not_found', `You have no authorization ${which} for this tool.`);
}

export function noSuchCall({ callCount }: Pick<Hold, 'callCount'>): AppError {
  const message =
    callCount === 1
      ? 'must be left out: the authorization is for one call'
      : `must be a whole number from 0 to ${callCount - 1}, since the authorization is for ${callCount} calls`;
  return invalidRequest(`The call_index ${message}.`, [{ pointer: '/call_index', code: 'invalid_value', message }]);
}

export function authorizationNotOpen(nowMs: number): AppError {
  const message = `The authorization is captured or released, or it has expired. Ask for a new one.${timeIfMoved(nowMs)}`;
  return new AppError('authorization_not_open', message);
}

export function authorizationExceeded(): AppError {
  const message =
    'The event has more than the `max` of its authorization, and nothing was recorded. Increase the authorization, then send the event again.';
  return new AppError('authorization_exceeded', message);
}

/** An earlier request for the same event may or may not have come into the log. */
export function captureUnknown(): AppError {
  const message = 'An earlier request with this event is still being decided; send it again in some seconds.';
  return new AppError('unavailable', message, { retryAfterSeconds: 5 });
}

export function captureConflict(): AppError {
  const message = 'The authorization or the idempotency_key was first used with another event; nothing was counted.';
  return new AppError('idempotency_conflict', message);
}

/** PostgreSQL is away, or caps keep changing: never an unchecked yes. */
export function undecided(cause?: unknown): AppError {
  const message = 'The spending caps cannot be checked at the moment, so the call is not authorized; try again.';
  return new AppError('unavailable', message, { cause, retryAfterSeconds: 1 });
}
