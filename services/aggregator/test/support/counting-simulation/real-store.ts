import { randomUUID } from 'node:crypto';
import { toIso } from '@tollgate/kernel/clock';
import type pg from 'pg';
import { dropEventDaysBefore } from '../../../src/retention/sql-day-tables.ts';
import { startMs, topic, type CountingFixture } from '../counting-fixture.ts';
import { failingAt } from '../failing-at.ts';
import type { CountedRows, CountedTable } from './counted-rows.ts';
import { measure, measuredTool } from './report.ts';
import type { SimulatedStore } from './simulated-store.ts';

/** The aggregator's own store on PostgreSQL, emptied. */
export async function createRealStore(fixture: CountingFixture): Promise<SimulatedStore> {
  const { store, dayTables, database, owner } = fixture;
  await owner.query(`truncate usage.log_topic, usage.cursor, usage.event, usage.event_key, usage.rollup,
    usage.rollup_measure, usage.pass_rollup, usage.pass_rollup_measure, usage.dead_letter`);
  return {
    ...store,
    async breakOff(flush, statement) {
      const broken = fixture.storeOver(failingAt(database, statement));
      await broken.commit(flush, undefined).catch(() => undefined);
    },
    async dropEventDaysBefore(date) {
      const tables = await dropEventDaysBefore(database, date); // event_20261121
      dayTables.forget();
      return tables.map((table) => table.replace(/^event_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'));
    },
    async watermark() {
      const cursors = await owner.query<{ partition: number; at: string }>(
        `select partition, extract(epoch from counted_through) * 1000 as at from usage.cursor
         where topic = $1 and counted_through > '-infinity'`,
        [topic],
      );
      return {
        countedThrough: await fixture.watermark(),
        partitions: new Map(cursors.rows.map(({ partition, at }) => [partition, Number(at)])),
      };
    },
    rows: () => readRows(owner),
  };
}

/** A price that sums the measure of the simulation, in force at all times. */
export async function putMeasuredPrice(owner: pg.Client): Promise<void> {
  const createdAt = toIso(startMs);
  await owner.query('insert into billing.tool (tool_id, owner_id, name, created_at) values ($1, $2, $1, $3)', [
    measuredTool,
    randomUUID(),
    createdAt,
  ]);
  await owner.query(
    `insert into billing.tool_price (price_id, tool_id, effective_from, price, measures, created_at)
     values ($1, $2, null, '{}', $3, $4)`,
    [randomUUID(), measuredTool, [measure], createdAt],
  );
}

const queries: Record<CountedTable, string> = {
  cursors: `select concat_ws(' ', partition, next_offset) as line from usage.cursor`,
  keys: `select concat_ws(' ', event_id, consumer_id, rtrim(translate(encode(body_hash, 'base64'), '+/', '-_'), '='),
      ${iso('occurred_at')}) as line from usage.event_key`,
  events: `select concat_ws(' ', consumer_id, event_id, tool_id, ${iso('occurred_at')}, ${iso('received_at')}, success::text,
      coalesce(duration_ms::text, '-'), coalesce(metadata ->> '${measure}', '-'), coalesce(idempotency_key, '-'), coalesce(pass_id::text, '-')) as line
    from usage.event`,
  rollups: `select concat_ws(' ', consumer_id, tool_id, left(${iso('hour')}, 13), success::text, pass_id, calls, duration_ms) as line
    from usage.rollup_v1`,
  measures: `select concat_ws(' ', consumer_id, tool_id, left(${iso('hour')}, 13), success::text, pass_id, total) as line
    from usage.rollup_measure_v1`,
  deadLetters: `select concat_ws(' ', partition, log_offset, code, coalesce(consumer_id::text, '-'),
      coalesce(event_id::text, '-')) as line from usage.dead_letter`,
};

function iso(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

async function readRows(owner: pg.Client): Promise<CountedRows> {
  const rows = {} as Record<CountedTable, string[]>; // filled below
  for (const table of Object.keys(queries) as CountedTable[])
    rows[table] = (await owner.query<{ line: string }>(queries[table])).rows.map(({ line }) => line);
  return rows;
}
