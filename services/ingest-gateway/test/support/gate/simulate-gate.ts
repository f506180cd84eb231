import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import type { Database } from '@tollgate/database/database';
import { hourMs, minuteMs } from '@tollgate/kernel/durations';
import { capturedEventId } from '@tollgate/kernel/event-id';
import { hourOf, periodOf } from '@tollgate/kernel/period';
import type { CountedUsage } from '@tollgate/pricing/counted-usage';
import type { RatedPrices } from '@tollgate/pricing/rated-price';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { balanceCap, createFillBalances } from '../../../src/gate/caps/balance-caps.ts';
import type { HoldWish, Quantities } from '../../../src/gate/authorizations/hold.ts';
import { increaseHold } from '../../../src/gate/authorizations/increase-hold.ts';
import { createReadStanding, type ReadStanding } from '../../../src/gate/deciding/read-standing.ts';
import { dropEndedHolds } from '../../../src/gate/settling/sql-settled-hold.ts';
import { releaseHold } from '../../../src/gate/authorizations/release-hold.ts';
import type { Pass } from '../../../src/passes/pass.ts';
import type { WindowKind } from '../../../src/passes/spending-window.ts';
import type { Tool } from '../../../src/tools/tool.ts';
import { compareHeld, comparePass, compareSpent } from './compare-caps.ts';
import { dyingDatabase, unheardDatabase } from './dying-database.ts';
import { createGateWorld, prepaid, withAllowance } from './gate-world.ts';
import type { GateWorld, LoggedEvent, TestGate } from './gate-world.ts';
import { growBranch } from './grow-branch.ts';
import { randomPrice } from './random-price.ts';
import { createRatedLog } from './rated-log.ts';
import { simulateBalance, type SimulatedBalance } from './simulate-balance.ts';
import { capture, take, wishOf, type Asking } from './take.ts';
import { sumOf, withoutZeros } from './sums-of-months.ts';

export interface GateSimulation {
  /** The differences that were found; empty if all is well. */
  readonly differences: readonly string[];
  readonly steps: number;
  /** Writes that left a cap with more than it allows, and months that came to more. */
  readonly over: number;
  /** The money that was still held, or missing from what is spent, in the end. */
  readonly lost: number;
  readonly counted: number;
  readonly refused: number;
  readonly died: number;
  /** Holds that stood in lines. */
  readonly inLines: number;
  /** Holds that were given more time. */
  readonly extended: number;
}

interface Consumer {
  readonly accountId: string;
  readonly window: WindowKind;
  capMicros: bigint;
  /** The balance of a prepaid account. */
  readonly balance: SimulatedBalance | undefined;
}

interface Asked {
  readonly wish: HoldWish;
  readonly tool: Tool;
  readonly window: WindowKind;
}

const windowKinds = ['day', 'month', 'total'] as const;
/** Several gateways decide about many requests in one transaction each. */
const roundStepsMax = 24;
/** The sums are compared with the holds, and with all events added up anew. */
const roundsPerFullCompare = 25;
/** A month and a day end in every world, also in a short one, and prices change before them. */
const startMs = Date.parse('2026-11-30T20:00:00.000Z');
/** A gateway that asks, captures or releases dies by then, and one that settles, which has more statements. */
const diesBy = { deciding: 9, settling: 24 };

const readUnbalanced = createReadStanding({
  consumerCredit: 'postpaid',
  allowanceMicros: undefined,
  refusesPastDue: false,
});

/** Plays a world of gateways that hold, capture, release and settle, and die, and compares it with plain rating. */
export async function simulateGate(
  random: SeededRandom,
  { steps }: { readonly steps: number },
): Promise<GateSimulation> {
  const world = await createGateWorld(startMs, random.chance(0.5) ? prepaid : withAllowance);
  const simulation = await startSimulation(world, random);
  try {
    const { differences, figures } = simulation;
    let played = 0;
    for (let round = 1; played < steps && differences.length === 0; round += 1) {
      played += await simulation.playRound();
      await simulation.compare(`step ${played}`);
      if (round % roundsPerFullCompare === 0) await simulation.compareAnew(`step ${played}`);
    }
    const over = differences.length;
    if (over === 0) await simulation.finish();
    return { ...figures, differences, steps: played, over, lost: differences.length - over };
  } finally {
    await world.stop();
  }
}

async function startSimulation(world: GateWorld, random: SeededRandom) {
  const tools: Tool[] = [];
  for (let index = 0; index < 4; index += 1)
    tools.push(
      await world.addTool([
        [null, randomPrice(random)],
        [hourOf(startMs) + 2 * hourMs, randomPrice(random)],
        [Date.parse('2026-12-01T00:00:00.000Z'), randomPrice(random)],
      ]),
    );
  const prices: RatedPrices = new Map(
    tools.flatMap((tool) =>
      tool.prices.map(({ priceId, price, startMs: fromMs }) => {
        const effectiveFromMs = Number.isFinite(fromMs) ? fromMs : null;
        return [priceId, { priceId, toolId: tool.toolId, builderId: tool.ownerId, effectiveFromMs, price }] as const;
      }),
    ),
  );
  const consumers = (['month', 'day', 'month', 'day'] as const).map((window, index): Consumer => {
    const accountId = randomUUID();
    const balance =
      index < 2 ? undefined : simulateBalance({ world, random, accountId, rate: (of) => sumOf(rated.countedOf(of)) });
    return { accountId, window, capMicros: BigInt(random.integer(20, 2_000)) * 10_000n, balance };
  });
  for (const { accountId, capMicros, window } of consumers) await world.setBudget(accountId, capMicros, window);
  await world.moveWatermark(startMs);
  const passes: Pass[] = [];
  for (const [index, { accountId }] of consumers.entries()) {
    const cap = { amountMicros: BigInt(random.integer(10, 1_000)) * 10_000n, window: windowKinds[index] ?? 'total' };
    passes.push(await world.addPass(accountId, undefined), ...(await growBranch(world, random, { accountId, cap })));
  }
  const gates = [world.openGate(), world.openGate(), world.openGate()];
  const asked: Asked[] = [];
  const rated = createRatedLog({ prices, toUsage });
  let uncounted: LoggedEvent[] = [];
  /** Sent by a gateway that was frozen: they come into the log when they come. */
  const frozen: LoggedEvent[] = [];
  const differences: string[] = [];
  const figures = { counted: 0, refused: 0, died: 0, inLines: 0, extended: 0 };
  const paysBefore = new Set(consumers.flatMap(({ accountId, balance }) => (balance ? [accountId] : [])));
  /** Balances have the rows that asks wish for. */
  const readStanding: ReadStanding = async (tx, accountId) => {
    const balanceCaps = paysBefore.has(accountId) ? [balanceCap(accountId, 0)] : [];
    return { ...(await readUnbalanced(tx, accountId)), balanceCaps };
  };
  const gateNow = (): TestGate => random.pick(gates as [TestGate, ...TestGate[]]);
  const consumerNow = (): Consumer => random.pick(consumers as [Consumer, ...Consumer[]]);

  async function ask(): Promise<void> {
    const { accountId, window, balance } = consumerNow();
    const tool = random.pick(tools as [Tool, ...Tool[]]);
    const wish = randomWish({ accountId, tool, window, balanceSinceMs: balance && 0 });
    const { state } = wish;
    const decision = await take((await gateThatMayDie()).gate, wish);
    const { kind } = decision;
    if (kind === 'no_room') figures.refused += 1;
    if (kind === 'unavailable' && state === 'open' && random.chance(0.5)) asked.push({ wish, tool, window });
    if (decision.kind !== 'held') return;
    figures.inLines += Number(decision.lineKeys.length > 0);
    if (state === 'open') asked.push({ wish, tool, window });
    else append(wish, wish.max, wish.eventId);
  }

  function randomWish(of: Pick<Asking, 'accountId' | 'tool' | 'window' | 'balanceSinceMs'>): HoldWish {
    const state = random.chance(0.4) ? 'captured' : 'open';
    const ttlMs = random.pick([30_000, 5 * minuteMs, hourMs]);
    const pass = random.chance(0.5) ? random.pick(passesOf(of.accountId)) : undefined;
    const callCount = state === 'open' && random.chance(0.3) ? random.integer(2, 4) : 1;
    return wishOf({ ...of, nowMs: world.nowMs, ttlMs, max: quantities(), state, pass, callCount });
  }

  /** The append may fail, may hang, or its answer may be lost. */
  function append(wish: HoldWish, { durationMs, measures }: Quantities, eventId: string): void {
    const { accountId, passId, toolId, expiresAtMs: holdExpiresAtMs } = wish;
    const success = random.chance(0.9);
    const bodyHash = bodyHashOf({ tool_id: toolId, success: true });
    const occurredAtMs = Math.min(world.nowMs, holdExpiresAtMs - 1);
    const event = { eventId, accountId, passId, toolId, bodyHash, occurredAtMs, holdExpiresAtMs, success, durationMs };
    const logged = { ...event, metadata: measures };
    if (random.chance(0.8)) {
      uncounted.push(logged);
      rated.sent(logged);
    } else if (random.chance(0.5)) frozen.push(logged);
  }

  async function captureOne(): Promise<void> {
    const one = asked[random.integer(0, Math.max(0, asked.length - 1))];
    if (one === undefined) return;
    const { wish, tool } = one;
    const less = random.chance(0.3) ? { durationMs: Math.floor(wish.max.durationMs / 2), measures: {} } : wish.max;
    const callIndex = wish.callCount === 1 ? undefined : random.integer(0, wish.callCount - 1);
    const at = { tool, nowMs: world.nowMs, quantities: less, callIndex };
    const tries = [capture(gateNow().gate, wish, at), capture((await gateThatMayDie()).gate, wish, at)];
    if (random.chance(0.2)) void releaseHold(gateNow().database, wish.holdId).catch(() => undefined);
    for (const decision of await Promise.all(tries))
      if (decision.kind === 'captured') {
        const { expiresAtMs } = decision.hold;
        append({ ...wish, expiresAtMs }, less, capturedEventId(wish.holdId, wish.askerId, callIndex));
      }
  }

  /** More of a hold, or one for longer. A gateway that dies may have raised it all the same: its calls are captured with less then. */
  async function increase(): Promise<void> {
    const index = random.integer(0, Math.max(0, asked.length - 1));
    const one = asked[index];
    if (one === undefined) return;
    const { wish, tool } = one;
    const { database, settleAccounts } = await gateThatMayDie();
    const asker = { accountId: wish.askerId, pass: undefined };
    const wanted = random.chance(0.5)
      ? { max: quantities() }
      : { ttlMs: random.pick([minuteMs, 2 * hourMs, 5 * hourMs]) };
    const increased = { ...wanted, holdId: wish.holdId, asker, tool, nowMs: world.nowMs };
    const fillBalances = createFillBalances(world.rules);
    const decision = await increaseHold(database, increased, { readStanding, fillBalances, settleAccounts }).catch(
      () => undefined,
    );
    if (decision?.kind === 'no_room') figures.refused += 1;
    if (decision?.kind !== 'increased') return;
    const { max, expiresAtMs } = decision.hold;
    figures.extended += Number(expiresAtMs > wish.expiresAtMs);
    asked[index] = { ...one, wish: { ...wish, max, expiresAtMs } };
  }

  async function release(): Promise<void> {
    const one = asked[random.integer(0, Math.max(0, asked.length - 1))];
    if (one !== undefined) await releaseHold((await gateThatMayDie()).database, one.wish.holdId).catch(() => undefined);
  }

  /** There is one aggregator: it counts one batch after the other. */
  const count = inOrder(countSome);

  async function countSome(): Promise<void> {
    const share = random.integer(0, uncounted.length);
    const now = uncounted.slice(0, share);
    uncounted = uncounted.slice(share);
    if (frozen.length > 0 && random.chance(0.2)) now.push(...frozen.splice(0, 1));
    await countAll(now);
    if (uncounted.length === 0) await world.moveWatermark(world.nowMs - 6_000);
  }

  async function countAll(events: readonly LoggedEvent[]): Promise<void> {
    const counted = new Set(await world.count(events));
    for (const event of events) rated.arrived(event, counted.has(event));
    figures.counted += counted.size;
  }

  async function settle(): Promise<void> {
    const at = await gateThatMayDie(diesBy.settling);
    const settledBy = (one: TestGate) =>
      one.settleAccounts(random.chance(0.5) ? [consumerNow()] : consumers, world.nowMs).catch(() => undefined);
    const other = random.chance(0.3) ? settledBy(gateNow()) : undefined;
    await settledBy(at);
    await other;
  }

  async function raiseSomePass(): Promise<void> {
    const index = random.integer(0, passes.length - 1);
    const pass = passes[index];
    if (pass?.cap === undefined) return;
    const amountMicros = pass.cap.amountMicros + BigInt(random.integer(1, 200)) * 10_000n;
    passes[index] = await world.setPassCap(pass, { amountMicros, window: pass.cap.window });
  }

  function passesOf(accountId: string): [Pass, ...Pass[]] {
    return passes.filter((pass) => pass.accountId === accountId) as [Pass, ...Pass[]]; // each consumer has some
  }

  async function raiseBudget(): Promise<void> {
    const consumer = consumerNow();
    consumer.capMicros += BigInt(random.integer(1, 300)) * 10_000n;
    await world.setBudget(consumer.accountId, consumer.capMicros, consumer.window);
  }

  async function moveMoney(): Promise<void> {
    await consumerNow().balance?.move();
  }

  function advance(): void {
    world.nowMs += random.pick([1_000, 1_000, 20_000, minuteMs, 10 * minuteMs, hourMs]);
  }

  /** Everything at once. */
  async function burst(): Promise<void> {
    await Promise.all([ask(), ask(), ask(), ask(), captureOne(), settle(), money()]);
  }

  async function gateThatMayDie(statementsMax = diesBy.deciding): Promise<TestGate> {
    if (!random.chance(0.15)) return gateNow();
    figures.died += 1;
    const at = random.integer(1, statementsMax);
    const around = random.chance(0.3) ? unheardDatabase : (database: Database) => dyingDatabase(database, at);
    return world.openDyingGate(around);
  }

  function quantities(): Quantities {
    return { durationMs: random.integer(0, 40), measures: { tokens: String(random.integer(0, 60)) } };
  }

  /** Two at once could end in the other order, and lower a cap. */
  const [raise, raisePass, money] = [inOrder(raiseBudget), inOrder(raiseSomePass), inOrder(moveMoney)];
  const kinds = [
    ask,
    ask,
    ask,
    captureOne,
    captureOne,
    increase,
    increase,
    release,
    count,
    count,
    settle,
    settle,
    raise,
    raisePass,
    money,
    money,
    money,
    burst,
  ] as const;
  return {
    differences,
    figures,
    /** One step, or several at once. */
    async playRound(): Promise<number> {
      if (random.chance(0.5)) advance();
      const count = random.chance(0.2) ? 1 : random.integer(2, roundStepsMax);
      await Promise.all(Array.from({ length: count }, () => random.pick(kinds)()));
      return count;
    },
    compare,
    compareAnew,
    finish,
  };

  async function compare(when: string): Promise<void> {
    for (const written of await world.capsExceeded()) differences.push(`${when}: ${written}`);
    for (const { accountId, capMicros, window, balance } of consumers) {
      const accepted = rated.acceptedOf(accountId);
      if (balance !== undefined)
        differences.push(...balance.compare(sumOf(accepted)).map((what) => `${when}: ${what}`));
      if (window !== 'month') continue;
      for (const [period, spent] of accepted)
        if (spent > capMicros) differences.push(`${when}: ${accountId} has ${spent} of ${capMicros} in ${period}`);
    }
  }

  /** Held is the sum of the live holds, spent what the settled ones came to, and the oracle's sums are those of its events. */
  async function compareAnew(when: string): Promise<void> {
    for (const what of await compareHeld(world.owner)) differences.push(`${when}: ${what}`);
    for (const { accountId } of consumers)
      if (!isDeepStrictEqual(withoutZeros(rated.acceptedOf(accountId)), withoutZeros(rated.acceptedAnew(accountId))))
        differences.push(`${when}: the oracle of ${accountId} has lost count`);
  }

  function toUsage(event: LoggedEvent): CountedUsage {
    const tool = tools.find(({ toolId }) => toolId === event.toolId);
    const inForce = tool?.prices.find(
      (price) => price.startMs <= hourOf(event.occurredAtMs) && hourOf(event.occurredAtMs) < price.endMs,
    );
    return {
      period: periodOf(event.occurredAtMs),
      consumerId: event.accountId,
      priceId: inForce?.priceId ?? '',
      success: event.success,
      calls: 1n,
      durationMs: BigInt(event.durationMs),
      measures: new Map(Object.entries(event.metadata)),
    };
  }

  /** Nothing is on its way: all is counted, and the watermark has passed every hold. */
  async function finish(): Promise<void> {
    await countAll(uncounted);
    uncounted = [];
    world.nowMs += 7 * hourMs;
    await world.moveWatermark(world.nowMs - 6_000);
    await countAll(frozen); // too late
    await gateNow().settleAccounts(consumers, world.nowMs);
    await compare('the end');
    await compareAnew('the end');
    const held = await world.owner.query<{ owner_id: string; held_micros: bigint }>(
      'select owner_id, held_micros from gate.cap_state where held_micros <> 0',
    );
    for (const row of held) differences.push(`${row.owner_id} has ${row.held_micros} held in the end`);
    for (const { accountId } of consumers)
      differences.push(...(await compareSpent(world.owner, accountId, rated.countedOf(accountId))));
    for (const { balance } of consumers) if (balance !== undefined) differences.push(...(await balance.compareLeft()));
    for (const pass of passes) differences.push(...(await comparePass(world.owner, pass)));
    await dropEndedHolds(world.owner, { beforeMs: world.nowMs, max: 1_000_000 });
    await compareAnew('without ended holds');
  }
}

/** One after the other. */
function inOrder(work: () => Promise<void>): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(work));
}
