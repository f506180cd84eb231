import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createSettleRounds } from '../../src/gate/settle-rounds.ts';
import type { Tool } from '../../src/tools/tool.ts';
import type { GateWorld, TestGate } from '../support/gate/gate-world.ts';
import { openGateWorld } from '../support/gate/open-gate-world.ts';
import { eventOf, take, wishOf } from '../support/gate/take.ts';

/** More than share one settlement. */
const accounts = 150;

let world: GateWorld;
let gate: TestGate;
let tool: Tool;
beforeAll(
  async () => void ({ world, gate, tool } = await openGateWorld(Date.parse('2026-11-21T12:34:56.789Z'), '0.1')),
);
afterAll(() => world.stop());

/** An account with a call that is counted, and not settled. */
async function putCounted(): Promise<string> {
  const accountId = randomUUID();
  await world.setBudget(accountId, 1_000_000n, 'month');
  const asked = { accountId, tool, window: 'month' as const, nowMs: world.nowMs, ttlMs: 60_000 };
  const wish = wishOf({ ...asked, state: 'captured' });
  expect((await take(gate.gate, wish)).kind).toBe('held');
  await world.count([eventOf(wish)]);
  return accountId;
}

async function unsettled(): Promise<string[]> {
  const rows = await world.owner.query<{ account_id: string }>(
    `select account_id from gate.cap_state where held_micros <> 0 or spent_micros <> 100_000`,
  );
  return rows.map((row) => row.account_id);
}

it('F106 settles all accounts in a round, and an account that cannot be settled holds up no other', async () => {
  const accountIds: string[] = [];
  for (let n = 0; n < accounts; n += 1) accountIds.push(await putCounted());
  const [broken = ''] = accountIds;
  // The settlement of this account fails at its write, as by a defect.
  const refuse = `alter table gate.settled_month add constraint broken check (account_id <> '${broken}') not valid`;
  await world.owner.query(refuse);
  const log = createLogger({ name: 'gate-test', level: 'silent' });
  const clock = { now: () => world.nowMs, monotonicMs: () => world.nowMs };
  const { settleAccounts, database } = gate;
  const rules = { ...world.rules, refusesPastDue: false };
  const rounds = createSettleRounds({ database, settleAccounts, rules, clock, log });
  await rounds.runNow();
  expect(await unsettled()).toEqual([broken]);
  await world.owner.query('alter table gate.settled_month drop constraint broken');
  await rounds.runNow();
  expect(await unsettled()).toEqual([]);
}, 60_000);
