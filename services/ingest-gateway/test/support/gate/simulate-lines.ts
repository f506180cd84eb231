import { randomUUID } from 'node:crypto';
import { hourMs, minuteMs } from '@tollgate/kernel/durations';
import { micros } from '@tollgate/kernel/money';
import { periodOf } from '@tollgate/kernel/period';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import { rateSlowly } from '@tollgate/testkit/pricing/rate-slowly';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { accountCaps, passCaps } from '../../../src/gate/caps/account-caps.ts';
import { balanceCap } from '../../../src/gate/caps/balance-caps.ts';
import { boundCall } from '../../../src/gate/deciding/bound-call.ts';
import { capChangesOf } from '../../../src/gate/settling/change-lines.ts';
import { decideHolds, type HoldDecision } from '../../../src/gate/deciding/decide-holds.ts';
import {
  capKeyOf,
  type CapState,
  type CapWish,
  type HoldWish,
  type Quantities,
} from '../../../src/gate/authorizations/hold.ts';
import {
  addCalls,
  nothing,
  toLineQuantities,
  wishOfLines,
  withQuantities,
  type Line,
} from '../../../src/gate/settling/lines.ts';
import { ownLineKeyOf } from '../../../src/gate/settling/sql-line.ts';
import { windowAt } from '../../../src/passes/spending-window.ts';
import { priceAt, type Tool } from '../../../src/tools/tool.ts';
import { randomPrice } from './random-price.ts';

/** The differences that were found in a world of calls under caps, and how much of it was tried. */
export interface LinesSimulation {
  readonly differences: readonly string[];
  readonly asked: number;
  readonly held: number;
  readonly inLines: number;
  /** Asked with nothing in flight, and their room was enough. */
  readonly hadToFit: number;
}

interface Live {
  readonly wish: HoldWish;
  readonly tool: Tool;
  readonly decision: Extract<HoldDecision, { kind: 'held' }>;
  /** The calls that are not settled, and not given back. */
  callsLeft: number;
}

const accountId = randomUUID();
const passId = randomUUID();
const versionEdgeMs = Date.parse('2026-11-30T22:00:00.000Z');
const startMs = versionEdgeMs - hourMs;
const monthEdgeMs = Date.parse('2026-12-01T00:00:00.000Z');
/** The greatest quantities that a call may have: small, so that each can be tried. */
const most = { durationMs: 9, tokens: 5 };
const chargesMax = 3;

/**
 * Asks, gives back and counts calls in any order, all in memory: the decisions are the gate's, the money is the price list's.
 * Around an edge of two price versions and one of two months.
 */
export function simulateLines(random: SeededRandom, steps: number): LinesSimulation {
  const tools = [randomTool(random), randomTool(random)] as const;
  const prices: RatedPrices = new Map(tools.flatMap(ratedPricesOf));
  const priceOf = (line: Line) => {
    const price = prices.get(line.priceId)?.price;
    if (price === undefined) throw new Error('a line of no price');
    return price;
  };
  const limits = {
    account: random.chance(0.7) ? randomMicros(random) : undefined,
    balance: random.chance(0.7) ? randomMicros(random) : undefined,
    pass: randomMicros(random),
  };
  const caps = new Map<string, CapState>();
  const lines = new Map<string, Line>();
  const live: Live[] = [];
  let counted: readonly CountedUsage[] = [];
  const differences: string[] = [];
  const figures = { asked: 0, held: 0, inLines: 0, hadToFit: 0 };

  for (let step = 0; step < steps && differences.length === 0; step += 1) {
    const roll = random.next();
    if (roll < 0.5 || live.length === 0) ask();
    else if (roll < 0.6) giveBack();
    else settle();
    compare();
  }
  return { differences, ...figures };

  function ask(): void {
    const tool = random.pick(tools);
    const wish = randomWish(tool);
    for (const line of wish.lines?.each ?? []) openLine(line);
    const facts = {
      caps: [...caps.values()],
      lines: [...lines.values()],
      holds: [],
      approvals: [],
      pastDue: new Set<string>(),
    };
    const mustFit = live.length === 0 && fits(wish, tool);
    const { decisions, changedLines } = decideHolds([wish], { ...facts, watermarkMs: undefined });
    const [decision] = decisions;
    figures.asked += 1;
    figures.hadToFit += Number(mustFit);
    if (decision?.kind === 'held') {
      changeLines(changedLines);
      for (const capId of decision.capIds) hold(capId, decision.micros);
      live.push({ wish, tool, decision, callsLeft: wish.callCount });
      figures.held += 1;
      figures.inLines += Number(decision.lineKeys.length > 0);
    } else if (mustFit) differences.push(`refused, though it fits: ${show(wish, decision)}`);
  }

  function randomWish(tool: Tool): HoldWish {
    const nowMs = random.pick([startMs, versionEdgeMs - minuteMs, versionEdgeMs, monthEdgeMs - minuteMs, monthEdgeMs]);
    const isEvent = random.chance(0.5);
    const toMs = isEvent ? nowMs : nowMs + random.pick([5_000, 5 * minuteMs]);
    const callCount = isEvent || random.chance(0.7) ? 1 : random.integer(2, 4);
    const max = randomQuantities(random);
    const pass = random.chance(0.5) ? passOf(limits.pass) : undefined;
    const call = { consumerId: accountId, max, success: true, fromMs: nowMs, toMs };
    const eachMicros = boundCall(tool, call);
    const wished = capsOf(nowMs, toMs, pass);
    for (const cap of wished) openCap(cap);
    return {
      holdId: randomUUID(),
      accountId,
      askerId: accountId,
      passId: pass?.passId ?? null,
      ancestorIds: [],
      toolId: tool.toolId,
      priceId: '',
      eventId: '',
      max,
      callCount,
      micros: micros(eachMicros * BigInt(callCount)),
      caps: wished,
      between: { fromMs: nowMs, toMs },
      ...wishOfLines({ tool, call: { ...call, kind: isEvent ? 'known' : 'one' }, eachMicros, caps: wished, pass }),
      approveAboveMicros: undefined,
      isPastDue: false,
      state: isEvent ? 'captured' : 'open',
      bodyHash: undefined,
      askedAtMs: nowMs,
      expiresAtMs: toMs,
      reference: null,
    };
  }

  function capsOf(fromMs: number, toMs: number, pass: ReturnType<typeof passOf> | undefined): CapWish[] {
    const between = { fromMs, toMs };
    const budget = limits.account === undefined ? undefined : budgetOf(limits.account);
    const balance = limits.balance === undefined ? [] : [balanceCap(accountId, 0)];
    return [...accountCaps(budget, between), ...passCaps(pass, between), ...balance];
  }

  function openCap(cap: CapWish): void {
    const key = capKeyOf(cap);
    if (caps.has(key)) return;
    const spentMicros = cap.scope === 'pass' ? 0n : spentOf(cap);
    const covered = capChangesOf({ before: [], after: [...lines.values()], caps: [{ ...cap, accountId } as CapState] });
    const [change] = covered;
    const limit = limits[cap.scope];
    caps.set(key, {
      ...cap,
      capId: BigInt(caps.size + 1),
      accountId,
      capMicros: micros(limit ?? 0n),
      spentMicros: micros(spentMicros),
      heldMicros: micros(change?.held ?? 0n),
    });
  }

  function openLine(of: Pick<Line, 'priceId' | 'period' | 'toolId'>): void {
    const key = ownLineKeyOf({ accountId, ...of });
    if (lines.has(key)) return;
    const { toolId, priceId, period } = of;
    const settled = { settled: nothing, inFlight: nothing, alone: null, heldMicros: micros(0n) };
    const empty = { accountId, toolId, priceId, period, ...settled, countedThroughMs: 0, openAtMs: 0, lastEndMs: 0 };
    lines.set(key, withQuantities(empty, priceOf(empty), { settled: countedOf(empty) }));
  }

  function countedOf({ priceId, period }: Line) {
    const isBilled = ({ success }: CountedUsage) => success || (prices.get(priceId)?.price.bill_failed_calls ?? false);
    return counted
      .filter((usage) => usage.priceId === priceId && usage.period === period && isBilled(usage))
      .reduce((sum, usage) => addCalls(sum, usage, 1), nothing);
  }

  function changeLines(after: readonly Line[]): void {
    const before = after.flatMap((line) => lines.get(ownLineKeyOf(line)) ?? []);
    for (const { capId, held } of capChangesOf({ before, after, caps: [...caps.values()] })) hold(capId, held);
    for (const line of after) lines.set(ownLineKeyOf(line), line);
  }

  function hold(capId: bigint, more: bigint): void {
    for (const [key, cap] of caps)
      if (cap.capId === capId) caps.set(key, { ...cap, heldMicros: micros(cap.heldMicros + more) });
  }

  /** A call of a hold is over: it was counted, or nothing came of it. */
  function leave(one: Live): void {
    const { wish, decision } = one;
    one.callsLeft -= 1;
    if (one.callsLeft === 0) live.splice(live.indexOf(one), 1);
    for (const capId of decision.capIds) hold(capId, -(decision.micros / BigInt(wish.callCount)));
    const keys = new Set(decision.lineKeys);
    const left = [...lines.values()].filter(({ priceId, period }) => keys.has(`${priceId}/${period}`));
    changeLines(
      left.map((line) => {
        const settled = countedOf(line);
        const inFlight = addCalls(line.inFlight, toLineQuantities(wish.max), -1);
        return withQuantities(line, priceOf(line), { settled, inFlight });
      }),
    );
  }

  function giveBack(): void {
    const one = live[random.integer(0, live.length - 1)];
    if (one?.wish.state === 'open') leave(one);
  }

  function settle(): void {
    const one = live[random.integer(0, live.length - 1)];
    if (one === undefined) return;
    const { wish, tool, decision } = one;
    const before = rated();
    const isWhole = wish.state === 'captured' || random.chance(0.5);
    const quantities = isWhole ? wish.max : partOf(random, wish.max);
    const atMs = random.pick([wish.askedAtMs, wish.expiresAtMs]);
    const success = wish.state === 'captured' || random.chance(0.8);
    counted = [...counted, usageOf(tool, { atMs, quantities, success })];
    const all = [...lines.values()].map((line) => withQuantities(line, priceOf(line), { settled: countedOf(line) }));
    leave(one);
    changeLines(
      all.map((line) =>
        withQuantities(line, priceOf(line), { inFlight: lines.get(ownLineKeyOf(line))?.inFlight ?? nothing }),
      ),
    );
    const marginal = rated() - before;
    for (const [key, cap] of caps) {
      const each = decision.micros / BigInt(wish.callCount);
      const ofPass = wish.passId === null ? 0n : marginal < each ? marginal : each;
      const spentMicros = cap.scope === 'pass' ? cap.spentMicros + ofPass : spentOf(cap);
      caps.set(key, { ...cap, spentMicros: micros(spentMicros) });
    }
  }

  function rated(of: readonly CountedUsage[] = counted): bigint {
    return [...rateSlowly(of, prices).values()].reduce((sum, amount) => sum + amount, 0n);
  }

  function spentOf(cap: CapWish, of: readonly CountedUsage[] = counted): bigint {
    return rated(of.filter(({ period }) => cap.scope === 'balance' || period === periodOf(cap.startMs)));
  }

  /**
   * Whether all that the call can come to fits, tried quantity by quantity. A call that may fall into two lines need not fit, nor
   * one at a linear price to the last micro-dollar: its bound has room for rounding.
   */
  function fits(wish: HoldWish, tool: Tool): boolean {
    if (wish.callCount > 1 || (wish.lines?.each.length ?? 1) > 1) return false;
    const rounding = wish.lines === undefined ? BigInt(chargesMax) : 0n;
    return possible(wish).every((quantities) => {
      const after = [...counted, usageOf(tool, { atMs: wish.askedAtMs, quantities, success: true })];
      const marginal = rated(after) - rated();
      return wish.caps.every((wished) => {
        const cap = caps.get(capKeyOf(wished));
        if (cap === undefined) return false;
        return marginal + rounding <= 0n || cap.spentMicros + marginal + rounding <= cap.capMicros;
      });
    });
  }

  function compare(): void {
    for (const cap of caps.values()) {
      const { scope, spentMicros, heldMicros, capMicros } = cap;
      if (heldMicros < 0n) differences.push(`the ${scope} holds ${heldMicros}`);
      if (spentMicros + heldMicros > capMicros)
        differences.push(`the ${scope} has spent ${spentMicros} and holds ${heldMicros} of ${capMicros}`);
      if (live.length === 0 && heldMicros !== 0n) differences.push(`the ${scope} holds ${heldMicros} for nothing`);
    }
  }
}

function randomTool(random: SeededRandom): Tool {
  const edges = [-Infinity, versionEdgeMs, Infinity] as const;
  const spanOf = (startMs: number, endMs: number) => {
    return { startMs, endMs, measures: ['tokens'], priceId: randomUUID(), price: randomPrice(random) };
  };
  const versions = [spanOf(edges[0], edges[1]), spanOf(edges[1], edges[2])];
  return {
    toolId: `tool-${randomUUID()}`,
    ownerId: randomUUID(),
    isArchived: false,
    resource: null,
    defaultMax: null,
    prices: versions,
  };
}

function ratedPricesOf({ toolId, ownerId: builderId, prices }: Tool) {
  return prices.map(({ priceId, price, startMs: fromMs }) => {
    const effectiveFromMs = Number.isFinite(fromMs) ? fromMs : null;
    return [priceId, { priceId, toolId, builderId, effectiveFromMs, price }] as const;
  });
}

function randomMicros(random: SeededRandom): bigint {
  return random.pick([0n, BigInt(random.integer(1, 100)) * 10_000n, BigInt(random.integer(100, 1_000)) * 10_000n]);
}

function randomQuantities(random: SeededRandom): Quantities {
  return {
    durationMs: random.integer(0, most.durationMs),
    measures: { tokens: String(random.integer(0, most.tokens)) },
  };
}

function partOf(random: SeededRandom, { durationMs, measures }: Quantities): Quantities {
  return {
    durationMs: random.integer(0, durationMs),
    measures: { tokens: String(random.integer(0, Number(measures['tokens']))) },
  };
}

/** An event has its quantities; a call that is asked for may have any up to its most. */
function possible({ state, max }: HoldWish): Quantities[] {
  if (state === 'captured') return [max];
  const durations = Array.from({ length: max.durationMs + 1 }, (_, durationMs) => durationMs);
  const tokens = Array.from({ length: Number(max.measures['tokens']) + 1 }, (_, amount) => String(amount));
  return durations.flatMap((durationMs) => tokens.map((amount) => ({ durationMs, measures: { tokens: amount } })));
}

interface Happened {
  readonly atMs: number;
  readonly quantities: Quantities;
  readonly success: boolean;
}

function usageOf(tool: Tool, { atMs, quantities, success }: Happened): CountedUsage {
  const priceId = priceAt(tool, atMs)?.priceId ?? '';
  return { period: periodOf(atMs), consumerId: accountId, priceId, success, ...toLineQuantities(quantities) };
}

function passOf(amountMicros: bigint) {
  return {
    passId,
    accountId,
    name: 'pass',
    toolIds: undefined,
    isPaused: false,
    tags: {},
    prefix: '',
    lastFour: '',
    createdAtMs: startMs,
    expiresAtMs: undefined,
    perCallMaxMicros: undefined,
    approveAboveMicros: undefined,
    ancestorIds: [],
    ancestors: [],
    cap: { amountMicros: micros(amountMicros), window: 'total' as const, changedAtMs: startMs },
  };
}

function budgetOf(amountMicros: bigint) {
  const { startMs: changedAtMs } = windowAt('total', startMs);
  return {
    accountId,
    amountMicros: micros(amountMicros),
    window: 'month' as const,
    alerts: [],
    changedAtMs,
    changedSeq: 1n,
  };
}

function show(wish: HoldWish, decision: HoldDecision | undefined): string {
  return JSON.stringify({ wish, decision }, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}
