import { randomUUID } from 'node:crypto';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import { capturedEventId } from '@tollgate/kernel/event-id';
import { formatUsd, micros } from '@tollgate/kernel/money';
import { passCaps } from '../../../src/gate/caps/account-caps.ts';
import { boundCall } from '../../../src/gate/deciding/bound-call.ts';
import type { CaptureDecision } from '../../../src/gate/authorizations/capture-holds.ts';
import type { Gate, HoldAnswer, Unavailable } from '../../../src/gate/gate.ts';
import type { CapWish, HoldWish, Quantities } from '../../../src/gate/authorizations/hold.ts';
import { lineKeyAt, wishOfLines } from '../../../src/gate/settling/lines.ts';
import { ancestorIdsOf, type Pass } from '../../../src/passes/pass.ts';
import { balanceCap } from '../../../src/gate/caps/balance-caps.ts';
import { windowsBetween, type WindowKind } from '../../../src/passes/spending-window.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { perCall } from './charging.ts';
import type { LoggedEvent } from './gate-world.ts';

export interface Asking {
  readonly accountId: string;
  readonly tool: Tool;
  /** The window of its budget; undefined if it has none. */
  readonly window: WindowKind | undefined;
  /** Since when its balance has a cap; undefined: it has none. */
  readonly balanceSinceMs?: number | undefined;
  readonly nowMs: number;
  readonly ttlMs: number;
  readonly max?: Quantities;
  readonly state?: HoldWish['state'];
  /** The consumer's; then the builder of the tool asks. */
  readonly pass?: Pass | undefined;
  readonly callCount?: number;
}

const nothing: Quantities = { durationMs: 0, measures: {} };

export function wishOf(asking: Asking): HoldWish {
  const { accountId, tool, nowMs, ttlMs, max = nothing, state = 'open' } = asking;
  const { pass, callCount = 1 } = asking;
  const holdId = randomUUID();
  const askerId = askerOf(asking);
  const expiresAtMs = nowMs + ttlMs;
  const span = { fromMs: nowMs, toMs: expiresAtMs };
  const call = { consumerId: accountId, max, success: true, ...span };
  const eachMicros = boundCall(tool, call);
  const caps = [...ownCaps(asking, span), ...passCaps(pass, span)];
  const kind = state === 'captured' ? 'known' : 'one';
  return {
    holdId,
    accountId,
    askerId,
    passId: pass?.passId ?? null,
    ancestorIds: ancestorIdsOf(pass),
    toolId: tool.toolId,
    priceId: tool.prices[0]?.priceId ?? '',
    eventId: capturedEventId(holdId, askerId),
    max,
    callCount,
    micros: micros(eachMicros * BigInt(callCount)),
    caps,
    between: span,
    ...wishOfLines({ tool, call: { ...call, kind }, eachMicros, caps, pass }),
    approveAboveMicros: undefined,
    isPastDue: false,
    state,
    bodyHash: state === 'captured' ? bodyHashOf({ tool_id: tool.toolId, success: true }) : undefined,
    askedAtMs: nowMs,
    expiresAtMs,
    reference: null,
  };
}

function askerOf({ accountId, tool, pass }: Asking): string {
  return pass === undefined ? accountId : tool.ownerId;
}

function ownCaps(
  { accountId: ownerId, window, balanceSinceMs }: Asking,
  span: Parameters<typeof passCaps>[1],
): CapWish[] {
  const windows = window === undefined ? [] : windowsBetween(window, span);
  const caps = windows.map((each): CapWish => ({ ...each, scope: 'account', ownerId }));
  return balanceSinceMs === undefined ? caps : [...caps, balanceCap(ownerId, balanceSinceMs)];
}

/** The tool as if each call had always cost so much. */
export function atPrice(tool: Tool, eachMicros: bigint): Tool {
  const price = perCall(formatUsd(micros(eachMicros)));
  return { ...tool, prices: tool.prices.map((span) => ({ ...span, price })) };
}

export function take(gate: Gate, wish: HoldWish): Promise<HoldAnswer> {
  return new Promise((resolve) => gate.take(wish, resolve));
}

/** The event of a captured hold, as the log has it: a successful call that is dated when it was asked for. */
export function eventOf({ accountId, eventId, passId, toolId, bodyHash = '', ...wish }: HoldWish): LoggedEvent {
  const times = { occurredAtMs: wish.askedAtMs, holdExpiresAtMs: wish.expiresAtMs };
  return { eventId, accountId, passId, toolId, bodyHash, ...times, success: true, durationMs: 0, metadata: {} };
}

export interface CaptureAt {
  readonly tool: Tool;
  readonly nowMs: number;
  readonly quantities?: Quantities;
  readonly callIndex?: number | undefined;
  readonly bodyHash?: string;
}

/** Returns the hash of the event that captures. */
export function hashOf({ toolId }: Pick<HoldWish, 'toolId'>): string {
  return bodyHashOf({ tool_id: toolId, success: true });
}

export function capture(
  gate: Gate,
  wish: HoldWish,
  { tool, nowMs, quantities = wish.max, callIndex, bodyHash = hashOf(wish) }: CaptureAt,
): Promise<CaptureDecision | Unavailable> {
  return new Promise((resolve) =>
    gate.capture(
      {
        holdId: wish.holdId,
        callIndex,
        eventId: capturedEventId(wish.holdId, wish.askerId, callIndex),
        askerId: wish.askerId,
        toolId: wish.toolId,
        bodyHash,
        receivedAtMs: nowMs,
        quantities,
        bound: ({ accountId }) =>
          boundCall(tool, { consumerId: accountId, max: quantities, success: true, fromMs: nowMs, toMs: nowMs }),
        lineKey: () => lineKeyAt(tool, nowMs),
      },
      resolve,
    ),
  );
}
