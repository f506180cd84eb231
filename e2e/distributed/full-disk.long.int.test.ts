import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { mountSmallDisk, trySmallDisk } from '@tollgate/testkit/disks';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { itWith, openFolder } from '../it-with.ts';
import { startKillablePostgres } from '../storm/killable-postgres.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWithKafka();
const describeDisk = await describeWhere('a PostgreSQL on a disk of its own', trySmallDisk);

const log = createLogger({ name: 'full-disk', level: 'silent' });
const bytes = 512 * 1024 * 1024;
const acknowledgedMin = 1_000;
const caughtUpMax = 500;
const lagMin = 2_000;
const patience = { withinMs: 60_000, everyMs: 200 };
const services = ['aggregator', 'auth', 'billing', 'ingest-gateway'] as const;
/** PostgreSQL has log files of 16 MB in reserve. The load alone would need half a minute to use them up. */
const fillLogFile = `select pg_logical_emit_message(false, 'full-disk', repeat('x', 16 * 1024 * 1024))`;

describeInTurn(describeKafka)('a PostgreSQL on a disk that is full, beside a Kafka that has room', () => {
  describeDisk('and then has room itself', () => {
    const it = itWith(async (undo) => {
      const folder = openFolder('full-disk-data', undo);
      const mountDisk = async (name: string) => {
        mkdirSync(join(folder, name), { mode: 0o711 });
        const disk = await mountSmallDisk(join(folder, name), { bytes });
        undo(() => disk.destroy());
        return disk;
      };
      const [dataDisk, walDisk] = [await mountDisk('data'), await mountDisk('wal')];
      const dataDir = join(dataDisk.path, 'tollgate');
      await (await startKillablePostgres(dataDir, log)).stop(); // it exists now
      moveWal(dataDir, walDisk.path);
      const postgres = await startKillablePostgres(dataDir, log);
      undo(() => postgres.stop());
      const shape = await openKafkaShape({ name: 'full-disk', database: postgres, partitions: 2, services }, undo);
      const load = await shape.startLoad({ clients: 2 });
      const lag = () => withOracleDatabase(postgres.ownerUrl, shape.log.lag);
      const isCaughtUp = async () => (await lag()) < caughtUpMax;
      await eventually(async () => load.acknowledged() > acknowledgedMin && (await isCaughtUp()), patience);
      return { dataDisk, walDisk, postgres, shape, load, isCaughtUp };
    });

    it('F39 lets the lag grow while no row fits, takes events all the while, and catches up', async (opened) => {
      const { dataDisk, postgres, shape, isCaughtUp } = opened;
      const aggregator = shape.deployment.first('aggregator');
      // One connection: after an autovacuum, a new one would have to write a file of the catalogue first.
      await withOracleDatabase(postgres.ownerUrl, async (database) => {
        await dataDisk.fill();
        await eventually(() => aggregator.output().includes('No space left on device'), patience);
        await eventually(async () => (await shape.log.lag(database)) > lagMin, patience);
        dataDisk.free();
      });
      await expect(eventually(isCaughtUp, patience)).resolves.toBe(true);
    }, 200_000);

    it('F39 loses nothing acknowledged when PostgreSQL ends without room for its log', async (opened) => {
      const { walDisk, postgres, shape, load, isCaughtUp } = opened;
      await walDisk.fill();
      const fill = () => withOracleDatabase(postgres.ownerUrl, (database) => database.query(fillLogFile));
      const refusal = () => fill().catch((error: NodeJS.ErrnoException) => error);
      const isGone = async () => ((await refusal()) as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      await eventually(isGone, patience);
      await load.goesOn(lagMin);
      walDisk.free();
      await postgres.kill(); // the processes that are left
      await postgres.start(); // as a supervisor would
      await eventually(isCaughtUp, patience);
      const { unknown } = await expectCountedOnce(shape, 'full disk');
      expect(unknown).toBe(0);
    }, 180_000);
  });
});

/** As `initdb --waldir` does it. */
function moveWal(dataDir: string, toDisk: string): void {
  const [from, to] = [join(dataDir, 'postgres', 'pg_wal'), join(toDisk, 'pg_wal')];
  execFileSync('cp', ['-a', from, to]);
  rmSync(from, { recursive: true });
  symlinkSync(to, from);
}
