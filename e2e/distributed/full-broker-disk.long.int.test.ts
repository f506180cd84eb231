import { mountSmallDisk, trySmallDisk } from '@tollgate/testkit/disks';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { startKafka } from '@tollgate/testkit/kafka/start-kafka';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { itWith, openFolder } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape } from './kafka-shape.ts';
import { untilAllRefused } from './until-all-refused.ts';

const bytes = 256 * 1024 * 1024;
const services = ['ingest-gateway', 'aggregator', 'auth', 'billing'] as const;

const describeDisk = await describeWhere('a Kafka on a disk of its own', async () => {
  await findKafkaJars();
  await trySmallDisk();
});

describeInTurn(describeDisk)('a broker under load whose disk is full', () => {
  const it = itWith(async (undo) => {
    const disk = await mountSmallDisk(openFolder('full-broker', undo), { bytes });
    undo(() => disk.destroy());
    const kafka = await startKafka({ parentFolder: disk.path });
    const shape = await openKafkaShape({ name: 'full-broker', partitions: 2, kafka, services }, undo);
    const load = await shape.startLoad({ clients: 2 });
    await load.goesOn(1_000);
    return { disk, kafka, shape, load };
  });

  it('F30 makes the gateway answer 503, and keeps what it acknowledged until it has room and is started', async (opened) => {
    const { disk, kafka, shape, load } = opened;
    await disk.fill();
    await untilAllRefused(shape.deployment.router, load);
    disk.free();
    await kafka.kill(); // it has ended or no longer uses the disk: a supervisor starts it again in both cases
    await kafka.start();
    await load.goesOn(1_000);
    await expectCountedOnce(shape, 'full broker');
  }, 240_000);
});
