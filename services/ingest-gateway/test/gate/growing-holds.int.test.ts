import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Transaction } from '@tollgate/database/database';
import { micros } from '@tollgate/kernel/money';
import {
  captureCalls,
  captureHolds,
  dropEndedHolds,
  expireHolds,
  lockHolds,
  lockLiveHolds,
  lockMoneyOfHolds,
  raiseHold,
  sumCalls,
} from '../../src/gate/sql-hold.ts';
import { listAccountsToSettle, listExpiredCaptures, readHeldEvents } from '../../src/gate/sql-settlement.ts';
import { createGateWorld, type GateWorld, type TestGate } from '../support/gate/gate-world.ts';

const holds = 20_000;

let world: GateWorld;
let gate: TestGate;
beforeAll(async () => {
  world = await createGateWorld(Date.parse('2026-11-21T12:34:56.789Z'));
  gate = world.openGate();
  await world.owner.query('alter table gate.hold set (autovacuum_enabled = off)'); // it would plan anew what is prepared
});
afterAll(() => world.stop());

const noCall = () => ({
  bookId: randomUUID(),
  holdId: randomUUID(),
  eventId: randomUUID(),
  micros: 1n,
  bodyHash: 'AA==',
});

async function useHolds(tx: Transaction): Promise<void> {
  await lockHolds(tx, [randomUUID()]);
  await lockMoneyOfHolds(tx, [randomUUID()]);
  await captureHolds(tx, [noCall()]);
  await captureCalls(tx, [noCall()]);
  await sumCalls(tx, randomUUID());
  await raiseHold(tx, { holdId: randomUUID(), micros: micros(1n), max: { durationMs: 0, measures: {} } });
  await lockLiveHolds(tx, [randomUUID()]);
  await readHeldEvents(tx, [randomUUID()]);
  await listExpiredCaptures(tx, [randomUUID()], world.nowMs);
  await expireHolds(tx, [randomUUID()], world.nowMs);
  await listAccountsToSettle(tx, { watermarkMs: world.nowMs, all: false });
  await dropEndedHolds(tx, { beforeMs: world.nowMs, max: 100 });
}

/** Rows that scans of the whole table have read in this transaction. */
async function rowsScanned(tx: Transaction): Promise<number> {
  const text = `select seq_tup_read::int as rows from pg_stat_xact_user_tables where schemaname = 'gate' and relname = 'hold'`;
  const [row] = await tx.query<{ rows: number }>(text);
  return row?.rows ?? 0;
}

it('never walks the table of holds, also when thousands came since the gateway started', async () => {
  const read = await gate.database.transaction(async (tx) => {
    for (let time = 0; time < 10; time += 1) await useHolds(tx); // by now, PostgreSQL keeps the plans of prepared statements
    await world.owner.query(
      `insert into gate.hold (hold_id, account_id, asker_id, tool_id, price_id, event_id, max, micros, cap_ids, state, asked_at, expires_at)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'tool', gen_random_uuid(), gen_random_uuid(), '{}', 1, '{}',
         'settled', timestamptz '2026-11-20', timestamptz '2026-11-20' from generate_series(1, ${holds})`,
    );
    const before = await rowsScanned(tx);
    await useHolds(tx);
    return (await rowsScanned(tx)) - before;
  });
  expect(read).toBe(0);
}, 60_000);
