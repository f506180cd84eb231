import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createMetrics, type Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { createDatabase } from '@tollgate/database/database';
import type { NightlyCheck } from '@tollgate/runtime/jobs/nightly-check';
import { eventually } from '@tollgate/testkit/eventually';
import { stopWhileWaiting } from '@tollgate/testkit/stop-while-waiting';
import { batchOf, countingFixture, usageEvent } from '../support/counting-fixture.ts';
import { createNightlyRollupCheck } from '../../src/rollups/check-rollups-nightly.ts';

const fixture = countingFixture();
let checks: NightlyCheck[] = [];
let clock: MovableClock;
let said = '';
const destination = { write: (line: string) => void (said += line) };
const log = createLogger({ name: 'nightly-test', level: 'error', destination });

beforeEach(async () => {
  await fixture.reset();
  await fixture.owner.query('truncate usage.rollup_check');
  clock = createMovableClock(Date.parse('2026-11-20T12:00:00Z'), { isFrozen: true });
  said = '';
});
afterEach(async () => {
  await Promise.all(checks.map((check) => check.stop()));
  checks = [];
});

function newCheck(metrics: Metrics = createMetrics({ service: 'aggregator' })): NightlyCheck {
  const url = fixture.test.urlFor('aggregator_worker');
  const database = createDatabase({ url, name: 'nightly-test', maxConnections: 1, whenStopped: 'cancel', log });
  const check = createNightlyRollupCheck({ database, clock, log, metrics });
  checks.push(check);
  return check;
}

async function known() {
  const { rows } = await fixture.owner.query<{ due_at: Date; checked_at: Date | null; differences: string | null }>(
    'select due_at, checked_at, differences from usage.rollup_check',
  );
  return rows.map((row) => [row.due_at.toISOString(), row.checked_at?.toISOString() ?? null, row.differences]);
}

describe('the nightly comparison of rollups and events', () => {
  it('F42 waits for the night, then names the rows that were altered, once for all processes', async () => {
    await fixture.newReader()(batchOf([usageEvent({ duration_ms: 5 }), usageEvent({ tool_id: 'llm' })]));
    const metrics = createMetrics({ service: 'aggregator' });
    const both = [newCheck(metrics), newCheck(metrics)];
    await fixture.owner.query("update usage.rollup set calls = 7 where tool_id = 'llm'");
    await Promise.all(both.map((check) => check.look()));
    expect(await known()).toEqual([['2026-11-21T04:00:00.000Z', null, null]]);

    clock.set(Date.parse('2026-11-21T04:03:00Z'));
    await Promise.all(both.map((check) => check.look()));
    expect(await known()).toEqual([['2026-11-22T04:00:00.000Z', '2026-11-21T04:03:00.000Z', '2']]);
    expect(await metrics.registry.metrics()).toContain('rollup_differences{service="aggregator"} 2');
    expect(said.match(/kept {4}\S+ llm \d+ t calls 7 0/g)).toHaveLength(1);
    expect(said).not.toContain(' weather ');

    await fixture.owner.query("update usage.rollup set calls = 1 where tool_id = 'llm'");
    clock.set(Date.parse('2026-11-22T04:00:00Z'));
    await Promise.all(both.map((check) => check.look()));
    expect((await known())[0]?.[2]).toBe('0');
    expect(await metrics.registry.metrics()).toContain('rollup_differences{service="aggregator"} 0');
  });

  it('F87 stops at once, and another process checks again', async () => {
    const check = newCheck();
    await check.look();
    clock.set(Date.parse('2026-11-21T04:00:00Z'));
    await fixture.owner.query('begin; lock table usage.rollup in access exclusive mode');
    const stopMs = () => stopWhileWaiting(newCheck(), isWaiting);
    await eventually(async () => (await stopMs()) < 1_000, { withinMs: 5_000 }); // 2 s, as a lock is given up
    await fixture.owner.query('rollback');
    checks = [];
    clock.set(Date.parse('2026-11-21T05:00:00Z'));
    await newCheck().look();
    expect(await known()).toEqual([['2026-11-22T04:00:00.000Z', '2026-11-21T05:00:00.000Z', '0']]);
  });
});

const isWaiting = () =>
  fixture.valueOf<boolean>(`select exists (select from pg_locks
    where not granted and relation = 'usage.rollup'::regclass
      and database = (select oid from pg_database where datname = current_database()))`);
