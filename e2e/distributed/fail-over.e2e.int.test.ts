import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { connectOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { startReplicatedPostgres, type ReplicatedPostgres } from '@tollgate/testkit/replicated-postgres';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();

const counts = ['cursors', 'events', 'keys', 'calls'] as const;
type Counted = Record<(typeof counts)[number], number>;

const clients = 4;
const lostForMs = 3_000;

describeOfMinutes('a standby that has not got the last commits', () => {
  describeKafka('and takes the place of the primary', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-replicated-'));
    chmodSync(folder, 0o711); // root's PostgreSQL runs as somebody else, who must get through
    let postgres: ReplicatedPostgres;
    let shape: KafkaShape;
    let isProven = false;

    beforeAll(async () => {
      postgres = await startReplicatedPostgres(folder);
      const { urlFor, ownerUrl } = postgres;
      shape = await openKafkaShape({ name: 'fail-over', urlFor, ownerUrl, partitions: 4 });
      const services = ['auth', 'billing', 'ingest-gateway', 'aggregator', 'aggregator'] as const;
      await Promise.all(services.map((name) => shape.deployment.add(name)));
    }, 180_000);
    afterAll(async () => {
      await shape?.destroy(isProven);
      await postgres?.destroy();
      rmSync(folder, { recursive: true, force: true });
    });

    it('F36 counts all once: cursor, keys and rollups go back together, and the log restores what was after them', async () => {
      await shape.startLoad({ clients });
      await eventually(async () => (await counted()).events > 2_000, { withinMs: 60_000 });
      await postgres.cutReplication();
      const kept = await counted();
      await sleep(lostForMs);
      const before = await counted();
      let back = before;
      await postgres.failOver(async (ownerUrl) => void (back = await counted(ownerUrl)));
      await eventually(async () => (await counted()).cursors > before.cursors, { withinMs: 60_000 });

      const { unknown } = await expectCountedOnce(shape, 'fail-over', { kept, before, back });
      expect(unknown).toBe(0);
      for (const what of counts) expect(back[what]).toBeLessThan(before[what]);
      expect(back.calls).toBe(back.events);
      isProven = true;
    }, 240_000);

    /** As the primary of this moment has it, if not somebody else. */
    async function counted(ownerUrl = postgres.ownerUrl): Promise<Counted> {
      const client = await connectOracleDatabase(ownerUrl);
      try {
        const { rows } = await client.query<Counted>(
          `select (select sum(next_offset) from usage.cursor)::int as cursors, (select count(*) from usage.event)::int as events,
            (select count(*) from usage.event_key)::int as keys, (select sum(calls) from usage.rollup)::int as calls`,
        );
        const [row] = rows;
        if (row === undefined) throw new Error('one row, always');
        return row;
      } finally {
        await client.end();
      }
    }
  });
});
