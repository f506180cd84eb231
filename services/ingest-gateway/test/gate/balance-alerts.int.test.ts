import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createDatabase, type Queryable } from '@tollgate/database/database';
import { toIso } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { useGate } from '../support/gate/use-gate.ts';
import { putCredit } from '../support/gate/put-money.ts';
import { eventOf, take, wishOf } from '../support/gate/take.ts';

const { world, gate, tool } = useGate();
let accountId: string;
beforeEach(async () => {
  accountId = randomUUID();
  await putCredit(money(), 100n);
  await world.owner.query(
    `insert into billing.balance_threshold (account_id, below_cents, armed_at) values ($1, 80, $2), ($1, 30, $2)`,
    [accountId, toIso(world.nowMs)],
  );
});

const money = () => ({ owner: world.owner, accountId, nowMs: world.nowMs });

/** A call that is counted and settled. */
async function call(): Promise<void> {
  const asked = { accountId, tool, window: undefined, balanceSinceMs: 0, nowMs: world.nowMs, ttlMs: 60_000 };
  const wish = wishOf({ ...asked, state: 'captured' });
  expect((await take(gate.gate, wish)).kind).toBe('held');
  await world.count([eventOf(wish)]);
  await settle();
}

async function settle(): Promise<void> {
  world.nowMs += 1_000;
  await gate.settle({ accountId, nowMs: world.nowMs });
}

/** The thresholds that were crossed, in cents, in the order of their alerts. */
async function crossed(): Promise<number[]> {
  const rows = await world.owner.query<{ below: number }>(
    'select below_cents::int as below from billing.balance_threshold_alert where account_id = $1 order by raised_at, below_cents desc',
    [accountId],
  );
  return rows.map(({ below }) => below);
}

const compare = (db: Queryable) =>
  db.query('select billing.raise_balance_alerts($1, null, $2)', [accountId, toIso(world.nowMs)]);

describe('a balance that falls below its thresholds', () => {
  it('F237 is an alert for each as its calls are settled, once, and again after it was filled', async () => {
    await call();
    expect(await crossed()).toEqual([80]);
    await settle();
    await call();
    expect(await crossed()).toEqual([80]);
    await call();
    expect(await crossed()).toEqual([80, 30]);
    await putCredit(money(), 29n);
    await settle();
    expect(await crossed()).toEqual([80, 30]);
    await call();
    expect(await crossed()).toEqual([80, 30, 30]);
  });

  it('F237 counts what is held as not spent', async () => {
    const asked = { accountId, tool, window: undefined, balanceSinceMs: 0, nowMs: world.nowMs, ttlMs: 60_000 };
    for (let n = 0; n < 4; n += 1) expect((await take(gate.gate, wishOf(asked))).kind).toBe('held');
    await settle();
    expect(await crossed()).toEqual([]);
  });

  it('F237 is raised once where another compares by what it read before', async () => {
    await call();
    await putCredit(money(), 50n);
    await settle(); // 1.25 are left: the first threshold is armed again
    const log = createLogger({ name: 'gate-test', level: 'silent' });
    const other = createDatabase({ url: world.database.urlFor('billing_worker'), name: 'test-other', log });
    let compared: Promise<unknown> = Promise.resolve();
    await world.owner.transaction(async (tx) => {
      await tx.query('lock table billing.balance_threshold_alert in access exclusive mode');
      await tx.query('update gate.cap_state set spent_micros = spent_micros + 500000 where owner_id = $1', [accountId]);
      await compare(tx); // 0.75 are left
      compared = compare(other);
      await eventually(() => isLockAwaited(world.owner), { withinMs: 10_000 });
    });
    await compared;
    await other.stop();
    world.nowMs += 1_000;
    await compare(world.owner);
    expect(await crossed()).toEqual([80, 80]);
  });
});
