import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { startReplicatedPostgres } from '@tollgate/testkit/replicated-postgres';
import { itWith, openFolder } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();

const counts = ['cursors', 'events', 'keys', 'calls'] as const;
type Counted = Record<(typeof counts)[number], number>;

const countRows = `select (select sum(next_offset) from usage.cursor)::int as cursors,
  (select count(*) from usage.event)::int as events, (select count(*) from usage.event_key)::int as keys,
  (select sum(calls) from usage.rollup_v1)::int as calls`;

const clients = 4;
const lostForMs = 3_000;
const services = ['auth', 'billing', 'ingest-gateway', 'aggregator', 'aggregator'] as const;

describeInTurn(describeKafka)('a standby that lacks the last commits and takes the place of the primary', () => {
  const it = itWith(async (undo) => {
    const postgres = await startReplicatedPostgres(openFolder('replicated', undo));
    undo(() => postgres.destroy());
    const shape = await openKafkaShape({ name: 'fail-over', database: postgres, partitions: 4, services }, undo);
    return { postgres, shape };
  });

  it('F36 counts all once: cursor, keys and rollups go back together, and the log restores the rest', async (opened) => {
    const { postgres, shape } = opened;
    const counted = (ownerUrl = postgres.ownerUrl): Promise<Counted> =>
      withOracleDatabase(ownerUrl, async (database) => {
        const [row] = (await database.query<Counted>(countRows)).rows;
        if (row === undefined) throw new Error('the query returns one row');
        return row;
      });

    await shape.startLoad({ clients });
    await eventually(async () => (await counted()).events > 2_000, { withinMs: 60_000 });
    await postgres.cutReplication();
    const kept = await counted();
    await sleep(lostForMs);
    const before = await counted();
    let back = before;
    await postgres.failOver(async (standbyUrl) => void (back = await counted(standbyUrl)));
    await eventually(async () => (await counted()).cursors > before.cursors, { withinMs: 60_000 });

    const { unknown } = await expectCountedOnce(shape, 'fail-over', { kept, before, back });
    expect(unknown).toBe(0);
    for (const what of counts) expect(back[what]).toBeLessThan(before[what]);
    expect(back.calls).toBe(back.events);
  }, 240_000);
});
