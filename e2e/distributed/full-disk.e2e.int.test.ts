import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startEmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { migrate } from '@tollgate/database/migrate';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import type { Load } from '@tollgate/testkit/load/start-load';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { mountSmallDisk, trySmallDisk, type TestDisk } from '@tollgate/testkit/disks';
import { startKillablePostgres, type KillablePostgres } from '../storm/killable-postgres.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();
const bytes = 512 * 1024 * 1024;
const describeDisk = await describeWhere('a PostgreSQL on a disk of its own', trySmallDisk);

const log = createLogger({ name: 'full-disk', level: 'silent' });
const acknowledgedMin = 1_000;
const caughtUpMax = 500;
const lagMin = 2_000;
const noSpace = 'No space left on device';
const fillLogFile = `select pg_logical_emit_message(false, 'full-disk', repeat('x', 16 * 1024 * 1024))`;

describeOfMinutes('a PostgreSQL on a disk that is full', () => {
  describeKafka('beside a Kafka that has room', () => {
    describeDisk('and then has room itself', () => {
      const folder = mkdtempSync(join(tmpdir(), 'tollgate-full-disk-'));
      chmodSync(folder, 0o711); // root's PostgreSQL runs as somebody else, who must get through
      const disks: Partial<Record<'data' | 'wal', TestDisk>> = {};
      let postgres: KillablePostgres;
      let shape: KafkaShape;
      let aggregator: ServiceProcess;
      let load: Load;
      let isProven = false;

      beforeAll(async () => {
        for (const name of ['data', 'wal'] as const) {
          mkdirSync(join(folder, name), { mode: 0o711 });
          disks[name] = await mountSmallDisk(join(folder, name), { bytes });
        }
        const dataDir = join(folder, 'data/disk/tollgate');
        await makeMigrated(dataDir);
        moveWal(dataDir, join(folder, 'wal/disk'));
        postgres = await startKillablePostgres(dataDir, log);
        const { urlFor, ownerUrl } = postgres;
        shape = await openKafkaShape({ name: 'full-disk', urlFor, ownerUrl, partitions: 2 });
        const services = ['aggregator', 'auth', 'billing', 'ingest-gateway'] as const;
        [aggregator] = (await Promise.all(services.map((name) => shape.deployment.add(name)))) as [ServiceProcess];
        load = await shape.startLoad({ clients: 2 });
        await eventually(async () => load.acknowledged() > acknowledgedMin && (await lag()) < caughtUpMax, {
          withinMs: 60_000,
        });
      }, 180_000);
      afterAll(async () => {
        await shape?.destroy(isProven);
        await postgres?.stop();
        for (const disk of Object.values(disks)) await disk.destroy();
        rmSync(folder, { recursive: true, force: true });
      });

      it('F39 lets the lag grow where no row fits any more, takes events all the while, and catches up when there is room', async () => {
        await disks.data?.fill();
        await eventually(() => aggregator.output().includes(noSpace), { withinMs: 60_000 });
        await eventually(async () => (await lag()) > lagMin, { withinMs: 60_000, everyMs: 200 });
        disks.data?.free();
        await eventually(async () => (await lag()) < caughtUpMax, { withinMs: 60_000, everyMs: 200 });
      }, 200_000);

      it('F39 comes through the end of a PostgreSQL that has no room for its log: nothing that was acknowledged is lost', async () => {
        await disks.wal?.fill();
        await eventually(isGoneWithItsReserve, { withinMs: 60_000 });
        const acknowledged = load.acknowledged();
        await eventually(() => load.acknowledged() > acknowledged + lagMin, { withinMs: 60_000 });
        disks.wal?.free();
        await postgres.kill(); // what is left of it
        await postgres.start(); // as its supervisor would
        await eventually(async () => (await lag()) < caughtUpMax, { withinMs: 60_000, everyMs: 200 });

        const { unknown } = await expectCountedOnce(shape, 'full disk');
        expect(unknown).toBe(0);
        isProven = true;
      }, 180_000);

      /** Records that are not counted yet. */
      const lag = () => asOwner((client) => shape.log.lag(client));

      async function asOwner<Result>(ask: (client: OracleDatabase) => Promise<Result>): Promise<Result> {
        const client = await connectOracleDatabase(postgres.ownerUrl);
        client.on('error', () => undefined); // its server ends
        try {
          return await ask(client);
        } finally {
          await client.end();
        }
      }

      /** It has log files in reserve, of 16 MB each: the load alone would take half a minute to use them up. */
      async function isGoneWithItsReserve(): Promise<boolean> {
        const refusal = await asOwner((client) => client.query(fillLogFile)).catch(
          (error: NodeJS.ErrnoException) => error,
        );
        return 'code' in refusal && refusal.code === 'ECONNREFUSED';
      }
    });
  });
});

async function makeMigrated(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  try {
    await migrate({ ownerUrl: postgres.ownerUrl, rolePasswords: postgres.rolePassword, log });
  } finally {
    await postgres.stop();
  }
}

/** As `initdb --waldir` does it. */
function moveWal(dataDir: string, toDisk: string): void {
  const [from, to] = [join(dataDir, 'postgres', 'pg_wal'), join(toDisk, 'pg_wal')];
  execFileSync('cp', ['-a', from, to]);
  rmSync(from, { recursive: true });
  symlinkSync(to, from);
}
