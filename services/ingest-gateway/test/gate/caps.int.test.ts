import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { releaseHold } from '../../src/gate/authorizations/release-hold.ts';
import type { HoldWish } from '../../src/gate/authorizations/hold.ts';
import { altered } from '../support/gate/dying-database.ts';
import { openPausingGate } from '../support/gate/pausing-gate.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { type Asking, capture, eventOf, hashOf, take, wishOf } from '../support/gate/take.ts';
import { capturedEventId } from '@tollgate/kernel/event-id';
import type { Price } from '@tollgate/contracts/tools/price';
import { bodyHashOf } from '@tollgate/contracts/events/event-record';
import type { Tool } from '../../src/tools/tool.ts';
import { type TestAuthorization, charging, perCall, perMillisecond, putBudget } from '../support/gate/charging.ts';
import { type GateWorld, type LoggedEvent, createGateWorld } from '../support/gate/gate-world.ts';
import type { Gate } from '../../src/gate/gate.ts';
import { type GatewayUnderTest, startGateway } from '../support/gateway-under-test.ts';
import { useGateway } from '../support/use-gateway.ts';

/** A gateway for which every cap is ten times as high. */
function deluded(database: Database): Database {
  return altered(database, (tx) => async (statement, values) => {
    const rows = await tx.query(statement, values);
    const isLook = typeof statement !== 'string' && statement.name === 'gate.lock_caps';
    return (isLook ? rows.map((row) => ({ ...row, cap_micros: 5_000_000n })) : rows) as never;
  });
}

const cent: Price = {
  currency: 'usd',
  charges: [
    { name: null, metric: { type: 'calls' }, model: { type: 'per_unit', unit_price_usd: '0.01' }, free_quantity: '0' },
  ],
  bill_failed_calls: false,
};
const startMs = Date.parse('2026-11-21T12:34:56.789Z');

/** A gateway that could not decide in time is asked again, as clients do. */
async function takeInTheEnd(gate: Gate, wish: HoldWish): Promise<string> {
  const bodyHash = bodyHashOf({ tool_id: wish.toolId, success: true });
  for (;;) {
    const { kind } = await take(gate, { ...wish, bodyHash });
    if (kind !== 'unavailable') return kind === 'repeat' ? 'held' : kind;
  }
}
let beside: GatewayUnderTest;

const asks = 40;

describe('holds within caps', () => {
  const { world, gate, tool } = useGate();
  let accountId: string;
  beforeEach(async () => {
    accountId = randomUUID();
    await world.setBudget(accountId, 500_000n, 'month');
  });

  const wish = (state: HoldWish['state'] = 'open') =>
    wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs: 60_000, state });

  async function hold(state?: HoldWish['state']): Promise<HoldWish> {
    const one = wish(state);
    expect((await take(gate.gate, one)).kind).toBe('held');
    return one;
  }

  const sums = () => world.capOf(accountId);

  describe('F105 two gateways at the last of a cap', () => {
    it('decide one after the other: the second finds no room, and never has to ask again', async () => {
      await hold();
      const slow = openPausingGate(world, 'gate.put_holds');
      const first = take(slow.gate, wish());
      await slow.reached;
      let isDecided = false;
      const second = take(gate.gate, wish()).finally(() => (isDecided = true));
      await eventually(async () => isDecided || (await isLockAwaited(world.owner)), { withinMs: 10_000 });
      slow.resume();
      expect([(await first).kind, (await second).kind]).toEqual(['held', 'no_room']);
      expect(await sums()).toEqual({ spent: 0n, held: 500_000n });
    });
  });

  describe('F247 the database', () => {
    it('refuses a hold above its cap, whatever a gateway has decided', async () => {
      await hold();
      await hold();
      expect((await take(world.openDyingGate(deluded).gate, wish())).kind).toBe('unavailable');
      expect(await sums()).toEqual({ spent: 0n, held: 500_000n });
    });

    it('refuses it for a pass too, and lets the last micro-dollar be held', async () => {
      const pass = await world.addPass(accountId, { amountMicros: 300_000n, window: 'day' });
      const asked = { accountId, tool, window: undefined, nowMs: world.nowMs, ttlMs: 60_000, pass };
      expect((await take(gate.gate, wishOf(asked))).kind).toBe('held');
      const raise = (by: number) =>
        gate.database.query('update gate.cap_state set held_micros = held_micros + $2 where owner_id = $1', [
          pass.passId,
          by,
        ]);
      await expect(raise(50_001)).rejects.toThrow('cannot hold 300001');
      await expect(raise(50_000)).resolves.toEqual([]);
    });

    it('lets calls be settled and released whose cap was lowered since, and holds no more', async () => {
      const [counted, open] = [await hold('captured'), await hold()];
      await world.setBudget(accountId, 10_000n, 'month');
      await world.count([eventOf(counted)]);
      await gate.settle({ accountId, nowMs: world.nowMs });
      expect(await sums()).toEqual({ spent: 250_000n, held: 250_000n });
      await releaseHold(gate.database, open.holdId);
      expect(await sums()).toEqual({ spent: 250_000n, held: 0n });
      expect((await take(gate.gate, wish())).kind).toBe('no_room');
      expect((await take(world.openDyingGate(deluded).gate, wish())).kind).toBe('unavailable');
    });

    it('stores what was on its way when a cap is set, also if that is more', async () => {
      const asked = { accountId, tool, window: undefined, nowMs: world.nowMs, ttlMs: 60_000 };
      for (let n = 0; n < 3; n += 1) expect((await take(gate.gate, wishOf(asked))).kind).toBe('held');
      expect((await take(gate.gate, wish())).kind).toBe('no_room');
      expect(await sums()).toEqual({ spent: 0n, held: 750_000n });
    });
  });
});

describe('F94 what a gateway held before it heard of a cap', () => {
  const { world, gate, tool } = useGate();
  let accountId: string;
  beforeEach(() => void (accountId = randomUUID()));

  const asking = () => ({ accountId, tool, window: undefined, nowMs: world.nowMs, ttlMs: 60_000 });

  /** Takes it at a gateway that has not heard of the cap, and counts its first call. */
  async function countUnheard(wish: HoldWish, callIndex?: number): Promise<void> {
    expect((await take(gate.gate, wish)).kind).toBe('held');
    expect((await capture(gate.gate, wish, { tool, nowMs: world.nowMs, callIndex })).kind).toBe('captured');
    const eventId = capturedEventId(wish.holdId, wish.askerId, callIndex);
    await world.count([{ ...eventOf(wish), eventId, bodyHash: hashOf(wish) }]);
    await gate.settle({ accountId, nowMs: world.nowMs });
  }

  it.each([
    ['a call', 1, undefined],
    ['a call of a book', 2, 0],
  ])('counts in the day of a budget: %s', async (_, callCount, callIndex) => {
    await world.setBudget(accountId, 1_000_000n, 'day');
    expect((await take(gate.gate, wishOf({ ...asking(), window: 'day' }))).kind).toBe('held');
    await countUnheard(wishOf({ ...asking(), callCount }), callIndex);
    expect(await world.capOf(accountId)).toEqual({ spent: 250_000n, held: 250_000n });
  });

  it.each(['day', 'total'] as const)('counts in the cap of a pass, long after: by %s', async (window) => {
    const pass = await world.addPass(accountId, undefined);
    const capped = await world.setPassCap(pass, { amountMicros: 1_000_000n, window });
    expect((await take(gate.gate, wishOf({ ...asking(), pass: capped }))).kind).toBe('held');
    await world.moveWatermark(world.nowMs + 5_001);
    await countUnheard(wishOf({ ...asking(), pass }));
    expect(await world.capOf(pass.passId)).toEqual({ spent: 250_000n, held: 250_000n });
  });
});

describe('lines', () => {
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

  function unheld({ toolId }: Tool, eventId: string): LoggedEvent {
    const times = { occurredAtMs: world.nowMs, holdExpiresAtMs: world.nowMs + 60_000 };
    const bodyHash = bodyHashOf({ tool_id: toolId, success: true });
    return { eventId, accountId, passId: null, toolId, bodyHash, ...times, success: true, durationMs: 0, metadata: {} };
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
});

describe('lanes', () => {
  const { world, gate, tool } = useGate();

  /** An account whose id ends with this digit, and that has a budget with a row. */
  async function accountOf(lastDigit: string): Promise<string> {
    const accountId = `${randomUUID().slice(0, -1)}${lastDigit}`;
    await world.setBudget(accountId, 1_000_000n, 'month');
    expect(await ask(accountId)).toBe('held');
    return accountId;
  }

  async function ask(accountId: string): Promise<string> {
    const asking = { accountId, tool, window: 'month' as const, nowMs: world.nowMs, ttlMs: 60_000 };
    return (await take(gate.gate, wishOf(asking))).kind;
  }

  it('decides about one account while the row of another, of the other lane, is locked', async () => {
    const [locked, free] = [await accountOf('0'), await accountOf('1')];
    const { waiting, decided } = await world.owner.transaction(async (tx) => {
      await tx.query('select from gate.cap_state where owner_id = $1 for update', [locked]);
      const asked = ask(locked);
      return { waiting: asked, decided: await ask(free) };
    });
    expect([decided, await waiting]).toEqual(['held', 'held']);
  });
});

describe('F105 a burst at a cap', () => {
  const suite = {} as { world: GateWorld };
  beforeAll(async () => void (suite.world = await createGateWorld(startMs)));
  afterAll(() => suite.world.stop());

  it('lets exactly 500 of 1,000 authorizations of a cent through to a cap of 5 dollars, at three gateways, each time', async () => {
    const { world } = suite;
    const tool = await world.addTool([[null, cent]]);
    const gates = [world.openGate(), world.openGate(), world.openGate()];
    for (let round = 0; round < 20; round += 1) {
      const accountId = randomUUID();
      await world.setBudget(accountId, 5_000_000n, 'month');
      const asked = Array.from({ length: 1_000 }, () =>
        wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs: 300_000 }),
      );
      const answers = await Promise.all(
        asked.map(async (wish, index) => {
          const at = gates[index % gates.length];
          return at && takeInTheEnd(at.gate, wish);
        }),
      );
      expect(answers.filter((kind) => kind === 'held')).toHaveLength(500);
      expect(answers.filter((kind) => kind === 'no_room')).toHaveLength(500);
    }
  }, 120_000);
});

describe('changing windows', () => {
  const gateway = useGateway();
  beforeAll(async () => void (beside = await startGateway({ beside: gateway })));
  afterAll(() => beside.stop());

  it('F279 a consumer that keeps changing its windows refuses no call, of its own or of others', async () => {
    const [consumer, other] = [await gateway.newAccount(), await gateway.newAccount()];
    const toolId = await charging(gateway, perMillisecond('0.01'));
    await putBudget(gateway, other.token, { amount_usd: 1_000, window: 'month' });
    const made = await gateway.send<{ id: string; key: string }>('POST', '/v1/passes', {
      token: consumer.token,
      body: { name: 'agent', tools: '*', cap: { amount_usd: 1_000, window: 'day' } },
    });
    let isOver = false;
    let changes = 0;
    const keepChanging = async (change: (cap: object) => Promise<{ status: number }>) => {
      for (let time = 0; !isOver; time += 1) {
        const { status } = await change({ amount_usd: 1_000, window: time % 2 === 0 ? 'month' : 'day' });
        if (status < 300) changes += 1;
      }
    };
    const changeCap = (cap: object) =>
      gateway.send('PATCH', `/v1/passes/${made.body.id}`, { token: consumer.token, body: { cap } });
    const changeBudget = (body: object) => gateway.send('PUT', '/v1/billing/budget', { token: consumer.token, body });
    /** The statuses that were refused, of authorizations and of more for each. */
    const askAll = async (by: GatewayUnderTest, token: string) => {
      const statuses: number[] = [];
      for (let time = 0; time < asks; time += 1) {
        const body = { tool_id: toolId, max: { duration_ms: 10 } };
        const held = await by.send<TestAuthorization>('POST', '/v1/authorizations', { token, body });
        const more = { token, body: { max: { duration_ms: 20 } } };
        statuses.push(held.status, (await by.send('POST', `/v1/authorizations/${held.body.id}/increase`, more)).status);
      }
      return statuses.filter((status) => status >= 300);
    };
    const changing = Promise.all([changeCap, changeCap, changeBudget].map(keepChanging));
    const refused = await Promise.all(
      [gateway, beside].flatMap((by) => [askAll(by, made.body.key), askAll(by, other.token)]),
    );
    isOver = true;
    await changing;
    expect(changes).toBeGreaterThan(10);
    expect(refused).toEqual([[], [], [], []]);
  }, 60_000);
});
