import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import { capturedEventId } from '@tollgate/kernel/event-id';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { withAncestors, type Pass } from '../../src/passes/pass.ts';
import { altered } from '../support/gate/dying-database.ts';
import type { LoggedEvent, TestCap } from '../support/gate/gate-world.ts';
import { capture, eventOf, hashOf, take, wishOf } from '../support/gate/take.ts';
import { useGate } from '../support/gate/use-gate.ts';

/** A call costs a cent. */
const { world, gate, tool } = useGate('0.01');
const centMicros = 10_000n;
let accountId: string;

beforeEach(() => void (accountId = randomUUID()));

const asking = (pass: Pass) => ({ accountId, tool, window: undefined, nowMs: world.nowMs, ttlMs: 60_000, pass });
const cents = (count: number): TestCap => ({ amountMicros: BigInt(count) * centMicros, window: 'day' });

/** A gateway that could not decide in time is asked again, as clients do. */
async function takeInTheEnd(at: Gate, wish: HoldWish): Promise<string> {
  const bodyHash = bodyHashOf({ tool_id: wish.toolId, success: true });
  for (;;) {
    const { kind } = await take(at, { ...wish, bodyHash });
    if (kind !== 'unavailable') return kind === 'repeat' ? 'held' : kind;
  }
}

/** A call that a gateway took before it knew of any cap: nothing holds its money. */
function unheld(pass: Pass): LoggedEvent {
  const event = eventOf(wishOf({ ...asking(pass), state: 'captured' }));
  return { ...event, holdExpiresAtMs: Number.POSITIVE_INFINITY };
}

describe('F320 a tree of passes', () => {
  /** Two children of each, down to the fourth level. Each level is tighter than the calls of the one below it. */
  async function growTree(caps: readonly number[], parent?: Pass): Promise<Pass[]> {
    const [cap, ...below] = caps;
    if (cap === undefined) return [];
    const pass = await world.addPass(accountId, cents(cap), parent);
    const subtrees = [await growTree(below, pass), await growTree(below, pass)];
    return [pass, ...subtrees.flat()];
  }

  it('of four levels lets exactly as many of 1,000 calls through as the caps above them have room for, at three gateways', async () => {
    const gates = [world.openGate(), world.openGate(), world.openGate()];
    const tree = await growTree([500, 600, 200, 110]);
    const [root] = tree;
    const leaves = tree.filter(({ ancestors }) => ancestors.length === 3);
    expect([tree.length, leaves.length]).toEqual([15, 8]);
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const [pass, at] = [leaves[index % leaves.length], gates[index % gates.length]];
        if (pass === undefined || at === undefined) throw new Error('no such leaf or gateway');
        return { pass, kind: await takeInTheEnd(at.gate, wishOf(asking(pass))) };
      }),
    );
    const held = answers.filter(({ kind }) => kind === 'held');
    expect(held).toHaveLength(500); // 8 leaves of 110 at 4 passes of 200, and the root of 500
    for (const { passId, cap } of tree) {
      const below = held.filter(({ pass }) => [...pass.ancestorIds, pass.passId].includes(passId));
      expect(await world.capOf(passId)).toEqual({ spent: 0n, held: BigInt(below.length) * centMicros });
      expect(BigInt(below.length) * centMicros).toBeLessThanOrEqual(cap?.amountMicros ?? 0n);
    }
    expect(await world.capOf(root?.passId ?? '')).toEqual({ spent: 0n, held: 500n * centMicros });
    expect(await world.capsExceeded()).toEqual([]);
  }, 60_000);

  it('is charged at every level for a call of the last one, and each of the others holds nothing of it any more', async () => {
    const [root, child] = await growTree([100, 50]);
    if (root === undefined || child === undefined) throw new Error('no tree');
    const wish = wishOf({ ...asking(child), state: 'captured' });
    expect((await take(gate.gate, wish)).kind).toBe('held');
    await world.count([eventOf(wish)]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    for (const { passId } of [root, child]) expect(await world.capOf(passId)).toEqual({ spent: centMicros, held: 0n });
  });

  it('feels a lowered cap of its root at the last level', async () => {
    const [root, child] = await growTree([100, 50]);
    if (root === undefined || child === undefined) throw new Error('no tree');
    expect((await take(gate.gate, wishOf(asking(child)))).kind).toBe('held');
    await world.setPassCap(root, cents(1));
    expect(await take(gate.gate, wishOf(asking(child)))).toMatchObject({
      kind: 'no_room',
      cap: { ownerId: root.passId },
    });
  });
});

describe('F320 a pass that gets a cap while others are parts of it', () => {
  let root: Pass;
  let leaf: Pass;
  beforeEach(async () => {
    root = await world.addPass(accountId, undefined);
    leaf = await world.addPass(accountId, undefined, await world.addPass(accountId, undefined, root));
  });

  const capped = async (amount: number): Promise<Pass> => {
    root = await world.setPassCap(root, cents(amount));
    return withAncestors(leaf, [root]);
  };

  it('has spent what they have spent before, and holds what is on its way with them', async () => {
    await world.setBudget(accountId, 1_000n * centMicros, 'month'); // so the call has a hold
    const live = wishOf({ ...asking(leaf), window: 'month' });
    expect((await take(gate.gate, live)).kind).toBe('held');
    await world.count([unheld(leaf), unheld(leaf), unheld(root)]);
    world.nowMs += 60_000;
    const bounded = await capped(10);
    expect((await take(gate.gate, wishOf({ ...asking(bounded), window: 'month' }))).kind).toBe('held');
    expect(await world.capOf(root.passId)).toEqual({ spent: 3n * centMicros, held: 2n * centMicros });
    await world.count([unheld(leaf)]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await world.capOf(root.passId)).toEqual({ spent: 4n * centMicros, held: 2n * centMicros });
  });

  it('pays for a call of a part that a gateway took before it heard of the cap, long after', async () => {
    const bounded = await capped(10);
    expect((await take(gate.gate, wishOf(asking(bounded)))).kind).toBe('held');
    await world.moveWatermark(world.nowMs + 5_001);
    const wish = wishOf(asking(leaf));
    expect((await take(gate.gate, wish)).kind).toBe('held');
    expect((await capture(gate.gate, wish, { tool, nowMs: world.nowMs })).kind).toBe('captured');
    const eventId = capturedEventId(wish.holdId, wish.askerId, undefined);
    await world.count([{ ...eventOf(wish), eventId, bodyHash: hashOf(wish) }]);
    await gate.settle({ accountId, nowMs: world.nowMs });
    expect(await world.capOf(root.passId)).toEqual({ spent: centMicros, held: centMicros });
  });

  it('is asked for by the windows that it has now, also where a gateway has not heard of them', async () => {
    const stale = asking(withAncestors(leaf, [root]));
    await world.setPassCap(root, cents(1));
    await world.setBudget(accountId, 1_000n * centMicros, 'month');
    const kinds: string[] = [];
    for (let call = 0; call < 2; call += 1)
      kinds.push((await take(gate.gate, wishOf({ ...stale, window: 'month' }))).kind);
    expect(kinds).toEqual(['held', 'held']); // the second one had a row of the budget, and was not settled first
    expect(await world.capOf(root.passId)).toEqual({ spent: 0n, held: centMicros });
  });
});

describe('a call with a pass that has neither parent nor child', () => {
  const ofTrees = ['gate.find_passes_above', 'gate.find_parts_of_pass', 'gate.find_ancestors'];

  /** The statements about trees that a call takes until it is settled, from the first one of a new cap on. */
  async function statementsOf(pass: Pass): Promise<string[]> {
    const named = new Set<string>();
    const noting = world.openDyingGate((database) =>
      altered(database, (tx) => (statement, values, last) => {
        if (typeof statement !== 'string') named.add(statement.name);
        return tx.query(statement, values, last);
      }),
    );
    const wish = wishOf({ ...asking(pass), state: 'captured' });
    expect((await take(noting.gate, wish)).kind).toBe('held');
    await world.count([eventOf(wish)]);
    await noting.settle({ accountId, nowMs: world.nowMs });
    expect(named).toContain('gate.put_holds');
    return ofTrees.filter((name) => named.has(name));
  }

  it('takes no statement more than before there were children', async () => {
    const root = await world.addPass(accountId, cents(100));
    expect(await statementsOf(root)).toEqual([]);
    const child = await world.addPass(accountId, cents(10), root);
    expect(await statementsOf(child)).toEqual(['gate.find_passes_above', 'gate.find_ancestors']);
  });
});
