import { measuresOf, type Price } from '@tollgate/contracts/tools/price';
import { addDecimals, formatDecimal, multiplyDecimals, parseDecimal } from '@tollgate/kernel/decimal';
import type { Micros } from '@tollgate/kernel/money';
import { hourMs } from '@tollgate/kernel/durations';
import { periodBounds, periodOf } from '@tollgate/kernel/period';
import { boundLine, isLinear, type Alone } from '@tollgate/pricing/bound-line';
import type { LineQuantities } from '@tollgate/pricing/quantity-of';
import type { Pass } from '../../passes/pass.ts';
import { priceAt, pricesBetween, type Tool } from '../../tools/tool.ts';
import type { BoundedCall } from '../deciding/bound-call.ts';
import type { CallLines, LineId } from '../deciding/call-lines.ts';
import type { CapState, CapWish, Hold, HoldWish, Quantities } from '../authorizations/hold.ts';

/** A row of gate.line. */
export interface Line extends LineId {
  readonly accountId: string;
  readonly toolId: string;
  /** The quantities that the last settlement has seen counted. */
  readonly settled: LineQuantities;
  /** The most that all holds in the line can add. */
  readonly inFlight: LineQuantities;
  readonly alone: Alone | null;
  /** The money that each cap that covers the line holds for it. */
  readonly heldMicros: Micros;
  /** The watermark of `settled`. */
  readonly countedThroughMs: number;
  /** Until the watermark has passed this, calls may be counted that no gateway registered. */
  readonly openAtMs: number;
  /** When the last of its holds ends that lasts longer than an hour. */
  readonly lastEndMs: number;
}

/**
 * Undefined where it is of no use to know what was used before: all prices are linear, or the call costs nothing. A call that
 * may happen at both sides of an edge, of price versions or of months, may fall into several lines.
 */
export function linesOf(tool: Tool, call: BoundedCall & { readonly kind: Alone }): CallLines | undefined {
  const { consumerId, max, success, kind, ...between } = call;
  const prices = pricesBetween(tool, between).filter(({ price }) => success || price.bill_failed_calls);
  if (tool.ownerId === consumerId || prices.every(({ price }) => isLinear(price))) return undefined;
  const each = prices.flatMap(({ priceId, price, startMs, endMs }) => {
    const [fromMs, toMs] = [Math.max(startMs, between.fromMs), Math.min(endMs - 1, between.toMs)];
    return periodsBetween(fromMs, toMs).map((period) => ({ toolId: tool.toolId, priceId, period, price }));
  });
  return { each, call: toLineQuantities(max), kind };
}

export interface WishOfLines {
  readonly tool: Tool;
  readonly call: BoundedCall & { readonly kind: Alone };
  /** The most that the call can come to, whatever was used before. */
  readonly eachMicros: Micros;
  readonly caps: readonly CapWish[];
  readonly pass: Pick<Pass, 'perCallMaxMicros'> | undefined;
  /** A call that comes to more needs an approval. Undefined: it does not. */
  readonly approveAboveMicros?: Micros | undefined;
}

/**
 * The lines of a call, if any of its caps goes by them. A cap of a day, of an account, does not: it covers a part of a line that
 * calls of other days move. Calls of such an account are held one by one, in each cap.
 */
export function wishOfLines(wish: WishOfLines): Pick<HoldWish, 'lines' | 'perCallMaxMicros'> {
  const { tool, call, eachMicros, caps, pass, approveAboveMicros } = wish;
  const maxMicros = pass?.perCallMaxMicros;
  const perCallMaxMicros = maxMicros !== undefined && eachMicros > maxMicros ? maxMicros : undefined;
  const hasLimit = caps.length > 0 || perCallMaxMicros !== undefined || approveAboveMicros !== undefined;
  const isOfUse = eachMicros > 0n && !isAnyPartOfLine(caps) && hasLimit;
  return { lines: isOfUse ? linesOf(tool, call) : undefined, perCallMaxMicros };
}

/**
 * Until when the money of a hold must last. In a line, another call in flight may be the one that costs: it ends within an hour,
 * as all do but those of which the line knows. `lines` is undefined for a hold that stands in none.
 */
export function lastEndOf(
  { nowMs, expiresAtMs }: { readonly nowMs: number; readonly expiresAtMs: number },
  lines: readonly Pick<Line, 'lastEndMs'>[] | undefined,
): number {
  if (lines === undefined) return expiresAtMs;
  return Math.max(expiresAtMs, nowMs + hourMs, ...lines.map(({ lastEndMs }) => lastEndMs));
}

/** The line of an event of this time. */
export function lineKeyAt(tool: Tool, atMs: number): string | undefined {
  const price = priceAt(tool, atMs);
  return price && lineKeyOf({ priceId: price.priceId, period: periodOf(atMs) });
}

function periodsBetween(fromMs: number, toMs: number): string[] {
  const periods: string[] = [];
  for (let atMs = fromMs; atMs <= toMs; atMs = periodBounds(periodOf(atMs)).end) periods.push(periodOf(atMs));
  return periods;
}

export function toLineQuantities({ durationMs, measures }: Quantities): LineQuantities {
  return { calls: 1n, durationMs: BigInt(durationMs), measures: new Map(Object.entries(measures)) };
}

export const nothing: LineQuantities = { calls: 0n, durationMs: 0n, measures: new Map() };

export function isNothing({ calls }: LineQuantities): boolean {
  return calls === 0n;
}

/** Adds a call so many times; takes it away if that is below 0. */
export function addCalls(to: LineQuantities, call: LineQuantities, times: number): LineQuantities {
  const by = BigInt(times);
  const measures = new Map(to.measures);
  for (const [key, amount] of call.measures) {
    const added = multiplyDecimals(parseDecimal(amount), { units: by, scale: 0 });
    measures.set(key, formatDecimal(addDecimals(parseDecimal(measures.get(key) ?? '0'), added)));
  }
  return { calls: to.calls + by * call.calls, durationMs: to.durationMs + by * call.durationMs, measures };
}

export function lineKeyOf({ priceId, period }: LineId): string {
  return `${priceId}/${period}`;
}

export function fromLineKey(key: string): LineId {
  const [priceId = '', period = ''] = key.split('/');
  return { priceId, period };
}

/** Whether a cap covers the whole of a line: a month of an account, or a balance. A day, or a pass, covers a part. */
export function coversLines({ scope, startMs, endMs }: CapWish): boolean {
  return (
    scope === 'balance' || (scope === 'account' && endMs === periodBounds(periodOf(startMs)).end && isMonth(startMs))
  );
}

/** Whether one of the caps is a day of an account: calls that must fit into it stand in no line. */
export function isAnyPartOfLine(caps: readonly CapWish[]): boolean {
  return caps.some((cap) => cap.scope === 'account' && !coversLines(cap));
}

function isMonth(startMs: number): boolean {
  return periodBounds(periodOf(startMs)).start === startMs;
}

export function coversLine(cap: CapWish, { period }: LineId): boolean {
  return coversLines(cap) && (cap.scope === 'balance' || periodOf(cap.startMs) === period);
}

/** Whether a cap holds the money of a hold by itself, or that of one of its lines. */
export function isCapOfHold(cap: CapState, { capIds, lineKeys }: Pick<Hold, 'capIds' | 'lineKeys'>): boolean {
  return capIds.includes(cap.capId) || lineKeys.some((key) => coversLine(cap, fromLineKey(key)));
}

/** Since then all that is counted of the line was registered by the gateways. */
export function isOpen({ countedThroughMs, openAtMs }: Line): boolean {
  return countedThroughMs >= openAtMs;
}

/** The line with other quantities, and with what it holds then. */
export function withQuantities(
  line: Line,
  price: Price,
  { settled = line.settled, inFlight = line.inFlight, alone = line.alone }: Partial<Line>,
): Line {
  const kept = {
    settled: countedBy(price, settled),
    inFlight: countedBy(price, inFlight),
    alone: isNothing(inFlight) ? null : alone,
  };
  return { ...line, ...kept, heldMicros: boundLine(price, kept) };
}

/** A caller may bound more than the price sums. */
function countedBy(price: Price, { measures, ...quantities }: LineQuantities): LineQuantities {
  const summed = measuresOf(price).flatMap((key): [string, string][] => {
    const amount = measures.get(key);
    return amount === undefined ? [] : [[key, amount]];
  });
  return { ...quantities, measures: new Map(summed) };
}
