import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createSettleAccounts } from '../../src/gate/settling/settle-accounts.ts';
import { createSettleRounds } from '../../src/gate/settling/settle-rounds.ts';
import { altered } from '../support/gate/dying-database.ts';
import { useGate } from '../support/gate/use-gate.ts';
import { eventOf, take, wishOf } from '../support/gate/take.ts';

/** More than share one settlement. */
const accounts = 150;

const { world, gate, tool } = useGate('0.1');

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

const log = createLogger({ name: 'gate-test', level: 'silent' });

function openRounds() {
  const { settleAccounts, database } = gate;
  const clock = { now: () => world.nowMs, monotonicMs: () => world.nowMs };
  return createSettleRounds({ database, settleAccounts, rules: { ...world.rules, refusesPastDue: false }, clock, log });
}

it('F106 settles all accounts in a round, and an account that cannot be settled holds up no other', async () => {
  const accountIds: string[] = [];
  for (let n = 0; n < accounts; n += 1) accountIds.push(await putCounted());
  const [broken = ''] = accountIds;
  // The settlement of this account fails at its write, as by a defect.
  const refuse = `alter table gate.settled_month add constraint broken check (account_id <> '${broken}') not valid`;
  await world.owner.query(refuse);
  const rounds = openRounds();
  await rounds.runNow();
  expect(await unsettled()).toEqual([broken]);
  await world.owner.query('alter table gate.settled_month drop constraint broken');
  await rounds.runNow();
  expect(await unsettled()).toEqual([]);
}, 60_000);

it('frees in one round all holds that have expired, however many an account has', async () => {
  const accountId = randomUUID();
  await world.setBudget(accountId, 1_000_000_000n, 'month');
  const asked = { accountId, tool, window: 'month' as const, nowMs: world.nowMs, ttlMs: 60_000 };
  const wishes = Array.from({ length: 2_500 }, () => wishOf(asked));
  const answers = await Promise.all(wishes.map((wish) => take(gate.gate, wish)));
  expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['held']));
  world.nowMs += 120_000;
  await world.moveWatermark(world.nowMs - 6_000);
  await openRounds().runNow();
  const held = `select held_micros from gate.cap_state where account_id = $1`;
  expect(await world.owner.query(held, [accountId])).toEqual([{ held_micros: 0n }]);
  const states = `select state, count(*)::int as holds from gate.hold where account_id = $1 group by state`;
  expect(await world.owner.query(states, [accountId])).toEqual([{ state: 'expired', holds: 2_500 }]);
}, 60_000);

it('reads no live holds for a wish whose row there is already', async () => {
  const accountId = await putCounted();
  const names: string[] = [];
  const watched = altered(gate.database, (tx) => (statement, values, last) => {
    if (typeof statement !== 'string') names.push(statement.name);
    return tx.query(statement, values, last);
  });
  const wished = wishOf({ accountId, tool, window: 'month', nowMs: world.nowMs, ttlMs: 60_000 }).caps;
  await createSettleAccounts(watched)([{ accountId, wished }], world.nowMs);
  expect(names).toContain('gate.lock_caps_of');
  expect(names).not.toContain('gate.lock_live_holds');
});
