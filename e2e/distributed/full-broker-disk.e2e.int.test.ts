import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import type { Load } from '@tollgate/testkit/load/start-load';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { mountSmallDisk, trySmallDisk, type TestDisk } from '@tollgate/testkit/disks';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';
import { untilAllRefused } from './until-all-refused.ts';

const diskBytes = 256 * 1024 * 1024;

const describeDisk = await describeWhere('a Kafka on a disk of its own', async () => {
  await findKafkaJars();
  await trySmallDisk();
});

describeOfMinutes('a broker under load', () => {
  describeDisk('whose disk is full', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-full-broker-'));
    let database: TestDatabase;
    let disk: TestDisk;
    let kafka: KafkaBroker;
    let shape: KafkaShape;
    let load: Load;
    let isProven = false;

    beforeAll(async () => {
      database = await testDatabase();
      disk = await mountSmallDisk(folder, { bytes: diskBytes });
      kafka = await startKafka({ parentFolder: disk.path });
      const { urlFor, ownerUrl } = database;
      shape = await openKafkaShape({ name: 'full-broker', urlFor, ownerUrl, partitions: 2, kafka });
      const services = ['ingest-gateway', 'aggregator', 'auth', 'billing'] as const;
      await Promise.all(services.map((name) => shape.deployment.add(name)));
      load = await shape.startLoad({ clients: 2 });
      await eventually(() => load.acknowledged() > 1_000, { withinMs: 60_000 });
    }, 180_000);
    afterAll(async () => {
      await shape?.destroy(isProven);
      await disk?.destroy();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('F30 is answered for by 503, and what it had acknowledged is there when it has room again and is started', async () => {
      await disk.fill();
      const before = await untilAllRefused(shape.deployment.router, load);
      disk.free();
      await kafka.kill(); // it has ended, or uses the disk no more: either way somebody starts it again
      await kafka.start();
      await eventually(() => load.acknowledged() > before + 1_000, { withinMs: 60_000 });
      await expectCountedOnce(shape, 'full broker');
      isProven = true;
    }, 240_000);
  });
});
