/**
 * Whether money may be held for a call, and which caps must have room for it. A new authorization and more for an old one are
 * both judged here, so more is never asked less than a new one. They differ in where their facts are from: a new one goes by
 * what the gateway knows (`ask-authorization.ts`), more of one by what PostgreSQL has (`increase-hold.ts`).
 */
import type { AppError } from '@tollgate/kernel/app-error';
import type { Micros } from '@tollgate/kernel/money';
import { suspendedAccount } from '@tollgate/runtime/auth/token-refusals';
import { ancestorIdsOf, pausedPass, refuseTool, type Pass } from '../../passes/pass.ts';
import type { Tool } from '../../tools/tool.ts';
import { toolNotFound } from '../../tools/tool-not-found.ts';
import { accountCaps, passCaps } from '../caps/account-caps.ts';
import { isGoodPass, type Asker, type Payer } from './find-payer.ts';
import { boundCall, type BoundedCall } from './bound-call.ts';
import type { CapWish, HoldWish } from '../authorizations/hold.ts';
import { wishOfLines } from '../settling/lines.ts';
import { passRefused, refuseDearCall } from './refusals.ts';
import { pays } from '../authorizations/show-authorization.ts';
import type { Budget } from '../caps/sql-budget.ts';

/** How the account stands that is to pay. */
export interface Standing {
  readonly isSuspended: boolean;
  readonly isPastDue: boolean;
  readonly budget: Budget | undefined;
  /** The cap of its balance, if it has one. */
  readonly balanceCaps: readonly CapWish[];
}

export interface CallToJudge {
  readonly asker: Asker;
  readonly payer: Payer;
  readonly toolId: string;
  readonly tool: Tool | undefined;
  readonly standing: Standing;
  readonly nowMs: number;
  /** When the authorization expires. An event can capture it until then. */
  readonly expiresAtMs: number;
  /** The most that one call can have. */
  readonly callOf: (tool: Tool) => BoundedCall;
}

export interface JudgedCall extends Pick<
  HoldWish,
  'ancestorIds' | 'lines' | 'perCallMaxMicros' | 'approveAboveMicros'
> {
  readonly tool: Tool;
  /** The most that a call can come to, whatever was used before. */
  readonly eachMicros: Micros;
  readonly caps: readonly CapWish[];
  /** Then nothing may be held that costs something. */
  readonly isPastDue: boolean;
}

/** Throws what the call is refused with, whatever room its caps have. The order of the checks is part of the interface. */
export function judgeCall(call: CallToJudge): JudgedCall {
  const { asker, payer, toolId, tool, standing, nowMs, expiresAtMs, callOf } = call;
  const { pass } = payer;
  const refusal = refuseAccount(call) ?? (pass && (refusePass(pass, call) ?? refuseTool(pass, toolId)));
  if (refusal !== undefined) throw refusal;
  if (tool === undefined || tool.isArchived) throw toolNotFound(toolId, tool);
  const bounded = callOf(tool);
  const eachMicros = boundCall(tool, bounded);
  const between = { fromMs: nowMs, toMs: expiresAtMs };
  const { budget, balanceCaps, isPastDue } = standing;
  const caps = [...accountCaps(budget, between), ...passCaps(pass, between), ...balanceCaps];
  const approveAboveMicros = pass?.approveAboveMicros;
  const line = { tool, call: { ...bounded, kind: 'one' }, eachMicros, caps, pass } as const;
  const ofLines = wishOfLines({ ...line, approveAboveMicros });
  const tooDear = ofLines.lines === undefined ? refuseDearCall(pass, eachMicros, pays(asker, payer)) : undefined;
  if (tooDear !== undefined) throw tooDear;
  return { tool, eachMicros, caps, ancestorIds: ancestorIdsOf(pass), ...ofLines, approveAboveMicros, isPastDue };
}

/** How an account stands that hands out passes is no business of a builder's. */
function refuseAccount({ asker, payer, standing, nowMs }: CallToJudge): AppError | undefined {
  if (!standing.isSuspended) return undefined;
  return asker.accountId === payer.accountId ? suspendedAccount() : passRefused(nowMs);
}

function refusePass(pass: Pass, { asker, tool, nowMs }: CallToJudge): AppError | undefined {
  if (asker.pass !== undefined && pass.isPaused) return pausedPass();
  return isGoodPass(pass, { asker, tool, nowMs }) ? undefined : passRefused(nowMs);
}
