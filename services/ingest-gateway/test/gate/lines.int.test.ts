import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Price } from '@tollgate/contracts/tools/price';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import type { Tool } from '../../src/tools/tool.ts';
import { perCall } from '../support/gate/charging.ts';
import type { LoggedEvent } from '../support/gate/gate-world.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { eventOf, take, wishOf, type Asking } from '../support/gate/take.ts';

const { world, gate } = useGate();
let accountId: string;
beforeEach(() => void (accountId = randomUUID()));

function freeFirst(free: string): Promise<Tool> {
  const price = perCall('1');
  const charges = price.charges.map((charge) => ({ ...charge, free_quantity: free }));
  return world.addTool([[null, { ...price, charges } satisfies Price]]);
}

const asking = (tool: Tool, more: Partial<Asking> = {}) =>
  wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs: 60_000, state: 'captured', ...more });
const kind = async (wish: ReturnType<typeof asking>) => (await take(gate.gate, wish)).kind;

/** Long after the budget was set, so that all calls of the account were held. */
async function setOldBudget(amountMicros: bigint): Promise<void> {
  await world.setBudget(accountId, amountMicros, 'month');
  world.nowMs += 60_000;
  await world.moveWatermark(world.nowMs - 6_000);
}

async function count(events: readonly LoggedEvent[]): Promise<void> {
  await world.count(events);
  await gate.settle({ accountId, nowMs: world.nowMs });
}

describe('F254 calls in flight of one line', () => {
  it('hold what they can come to together, whichever of them is counted first', async () => {
    const tool = await freeFirst('1');
    await setOldBudget(1_000_000n);
    const [first, second] = [asking(tool), asking(tool)];
    expect([await kind(first), await kind(second)]).toEqual(['held', 'held']);
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 1_000_000n });
    await count([eventOf(second)]); // it is the free one now
    expect(await world.capOf(accountId)).toEqual({ spent: 0n, held: 1_000_000n });
    expect(await kind(asking(tool))).toBe('no_room');
    await count([eventOf(first)]);
    expect(await world.capOf(accountId)).toEqual({ spent: 1_000_000n, held: 0n });
  });

  it('are in the row of a cap that is made while they are in flight', async () => {
    const tool = await freeFirst('1');
    await setOldBudget(9_000_000n);
    expect([await kind(asking(tool)), await kind(asking(tool))]).toEqual(['held', 'held']);
    const wish = asking(tool, { balanceSinceMs: 0 });
    await take(gate.gate, wish);
    const rows = await world.owner.query('select held_micros::int as held from gate.cap_state where owner_id = $1', [
      accountId,
    ]);
    expect(rows).toEqual([{ held: 1_000_000 }, { held: 1_000_000 }]);
  });
});

it('F255 a pass is charged at most what was held for its call, and the account the rest', async () => {
  const tool = await freeFirst('1');
  await setOldBudget(9_000_000n);
  const pass = await world.addPass(accountId, { amountMicros: 500_000n, window: 'month' });
  const [ofPass, other] = [asking(tool, { pass }), asking(tool)];
  expect([await kind(ofPass), await kind(other)]).toEqual(['held', 'held']);
  await count([eventOf(other)]); // takes the free call
  await count([eventOf(ofPass)]);
  expect(await world.capOf(pass.passId)).toEqual({ spent: 0n, held: 0n });
  expect(await world.capOf(accountId)).toEqual({ spent: 1_000_000n, held: 0n });
});

describe('F256 before all is counted that came before the first cap of an account', () => {
  it('a call is held as if nothing were free, since calls that nobody held may take what is', async () => {
    const tool = await freeFirst('2');
    const before = [randomUUID(), randomUUID()].map((eventId): LoggedEvent => unheld(tool, eventId));
    await world.setBudget(accountId, 900_000n, 'month');
    expect(await kind(asking(tool))).toBe('no_room');
    await world.count(before);
    world.nowMs += 60_000;
    await world.moveWatermark(world.nowMs - 6_000);
    expect(await kind(asking(tool))).toBe('no_room');
  });

  it('and by its line once it is counted', async () => {
    const tool = await freeFirst('2');
    await world.setBudget(accountId, 900_000n, 'month');
    expect(await kind(asking(tool))).toBe('no_room');
    world.nowMs += 60_000;
    await world.moveWatermark(world.nowMs - 6_000);
    expect([await kind(asking(tool)), await kind(asking(tool)), await kind(asking(tool))]).toEqual([
      'held',
      'held',
      'no_room',
    ]);
  });
});

function unheld({ toolId }: Tool, eventId: string): LoggedEvent {
  const times = { occurredAtMs: world.nowMs, holdExpiresAtMs: world.nowMs + 60_000 };
  const bodyHash = bodyHashOf({ tool_id: toolId, success: true });
  return { eventId, accountId, passId: null, toolId, bodyHash, ...times, success: true, durationMs: 0, metadata: {} };
}
