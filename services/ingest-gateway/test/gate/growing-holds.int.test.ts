import { randomUUID } from 'node:crypto';
import { useOnce } from '@tollgate/testkit/use-world';
import { beforeAll, expect, it } from '@jest/globals';
import type { Transaction } from '@tollgate/database/database';
import { micros } from '@tollgate/kernel/money';
import { captureCalls, findCapturedCalls, countCapturedCalls } from '../../src/gate/authorizations/sql-call.ts';
import { listOpenHolds } from '../../src/gate/authorizations/sql-open-hold.ts';
import { captureHolds, endBooks, lockHolds, raiseHold } from '../../src/gate/authorizations/sql-hold.ts';
import {
  dropEndedHolds,
  expireHolds,
  lockLiveHolds,
  lockMoneyOfHolds,
} from '../../src/gate/settling/sql-settled-hold.ts';
import { lockLines, lockLinesOf, sumInFlight } from '../../src/gate/settling/sql-line.ts';
import { listAccountsToSettle, listExpiredCaptures, readHeldEvents } from '../../src/gate/settling/sql-settlement.ts';
import { createGateWorld, type TestGate } from '../support/gate/gate-world.ts';

const holds = 20_000;

const world = useOnce(() => createGateWorld(Date.parse('2026-11-21T12:34:56.789Z')));
let gate: TestGate;
beforeAll(async () => {
  gate = world.openGate();
  for (const table of ['hold', 'captured_call'])
    // it would plan anew what is prepared
    await world.owner.query(`alter table gate.${table} set (autovacuum_enabled = off)`);
});

const noCall = () => ({
  holdId: randomUUID(),
  callIndex: 0,
  eventId: randomUUID(),
  bodyHash: 'A'.repeat(43),
  expiresAtMs: world.nowMs,
});

async function useHolds(tx: Transaction): Promise<void> {
  await lockHolds(tx, [randomUUID()]);
  await lockMoneyOfHolds(tx, [randomUUID()]);
  await captureHolds(tx, [noCall()]);
  await captureCalls(tx, [noCall()]);
  await findCapturedCalls(tx, [noCall()]);
  await countCapturedCalls(tx, { accountId: randomUUID(), holdId: randomUUID() });
  await endBooks(tx, [randomUUID()], 'released');
  const max = { durationMs: 0, measures: {} };
  const untilMs = { expiresAtMs: world.nowMs, reference: null };
  await raiseHold(tx, { holdId: randomUUID(), micros: micros(1n), max, eachMicros: null, lineKeys: [], ...untilMs });
  await listOpenHolds(tx, { askerId: randomUUID(), reference: 'job', atMs: world.nowMs, limit: 20 });
  await lockLines(tx, [{ accountId: randomUUID(), priceId: randomUUID(), period: '2026-11' }]);
  await lockLinesOf(tx, [randomUUID()]);
  await sumInFlight(tx, [randomUUID()]);
  await lockLiveHolds(tx, [randomUUID()]);
  await readHeldEvents(tx, [randomUUID()]);
  await listExpiredCaptures(tx, [randomUUID()], world.nowMs);
  await expireHolds(tx, [randomUUID()], world.nowMs);
  await listAccountsToSettle(tx, { watermarkMs: world.nowMs, all: false });
  await dropEndedHolds(tx, { beforeMs: world.nowMs, max: 100 });
}

/** Rows that scans of the whole table have read in this transaction. */
async function rowsScanned(tx: Transaction): Promise<number> {
  const text = `select sum(seq_tup_read)::int as rows from pg_stat_xact_user_tables
    where schemaname = 'gate' and relname in ('hold', 'captured_call', 'line')`;
  const [row] = await tx.query<{ rows: number }>(text);
  return row?.rows ?? 0;
}

it('never walks the tables of holds and calls, also when thousands came since the gateway started', async () => {
  const read = await gate.database.transaction(async (tx) => {
    // From here on, PostgreSQL keeps the plans of prepared statements.
    for (let time = 0; time < 10; time += 1) await useHolds(tx);
    await world.owner.query(
      `insert into gate.hold (hold_id, account_id, asker_id, tool_id, price_id, event_id, max, held_micros, cap_ids, state, asked_at, expires_at)
       select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'tool', gen_random_uuid(), gen_random_uuid(), '{}', 1, '{}',
         'settled', timestamptz '2026-11-20', timestamptz '2026-11-20' from generate_series(1, ${holds})`,
    );
    await world.owner.query(
      `insert into gate.captured_call (account_id, book_id, call_index, event_id, micros, body_hash)
       select gen_random_uuid(), gen_random_uuid(), 0, gen_random_uuid(), 1, '' from generate_series(1, ${holds})`,
    );
    const before = await rowsScanned(tx);
    await useHolds(tx);
    return (await rowsScanned(tx)) - before;
  });
  expect(read).toBe(0);
}, 60_000);
