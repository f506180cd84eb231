import { randomUUID } from 'node:crypto';
import { bodyHashOf } from '@tollgate/contracts/event-record';
import { uuidV8 } from '@tollgate/kernel/uuid';
import { boundCall } from '../../../src/gate/bound-call.ts';
import type { CaptureDecision } from '../../../src/gate/capture-holds.ts';
import type { Gate, HoldAnswer, Unavailable } from '../../../src/gate/gate.ts';
import type { HoldWish, Quantities } from '../../../src/gate/hold.ts';
import { windowsBetween, type WindowKind } from '../../../src/gate/spending-window.ts';
import type { Tool } from '../../../src/tools/tool.ts';

export interface Asking {
  readonly accountId: string;
  readonly tool: Tool;
  readonly window: WindowKind;
  readonly nowMs: number;
  readonly ttlMs: number;
  readonly max?: Quantities;
  readonly state?: HoldWish['state'];
}

const nothing: Quantities = { durationMs: 0, measures: {} };

export function wishOf({ accountId, tool, window, nowMs, ttlMs, max = nothing, state = 'open' }: Asking): HoldWish {
  const holdId = randomUUID();
  const expiresAtMs = nowMs + ttlMs;
  const span = { fromMs: nowMs, toMs: expiresAtMs };
  return {
    holdId,
    accountId,
    askerId: accountId,
    passId: null,
    toolId: tool.toolId,
    priceId: tool.prices[0]?.priceId ?? '',
    eventId: uuidV8('authorization', holdId),
    max,
    micros: boundCall(tool, { consumerId: accountId, max, success: true, ...span }),
    caps: windowsBetween(window, span).map((each) => ({ ...each, scope: 'account', ownerId: accountId })),
    state,
    bodyHash: state === 'captured' ? bodyHashOf({ tool_id: tool.toolId, success: true }) : undefined,
    askedAtMs: nowMs,
    expiresAtMs,
  };
}

export function take(gate: Gate, wish: HoldWish): Promise<HoldAnswer> {
  return new Promise((resolve) => gate.take(wish, resolve));
}

export function capture(
  gate: Gate,
  wish: HoldWish,
  { tool, nowMs, quantities = wish.max }: { tool: Tool; nowMs: number; quantities?: Quantities },
): Promise<CaptureDecision | Unavailable> {
  return new Promise((resolve) =>
    gate.capture(
      {
        holdId: wish.holdId,
        askerId: wish.askerId,
        toolId: wish.toolId,
        bodyHash: bodyHashOf({ tool_id: wish.toolId, success: true }),
        receivedAtMs: nowMs,
        quantities,
        bound: ({ accountId }) =>
          boundCall(tool, { consumerId: accountId, max: quantities, success: true, fromMs: nowMs, toMs: nowMs }),
      },
      resolve,
    ),
  );
}
