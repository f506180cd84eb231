import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { useGate } from '../support/gate/use-gate.ts';
import { take, wishOf } from '../support/gate/take.ts';

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
