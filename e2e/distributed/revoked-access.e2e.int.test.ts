import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { openKafkaAccess, type KafkaAccess } from '@tollgate/testkit/kafka/kafka-access';
import { startKafkaNodes, type KafkaNodes } from '@tollgate/testkit/kafka/start-kafka-nodes';
import type { Load } from '@tollgate/testkit/load/start-load';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';
import { untilRefusing } from './until-refusing.ts';

const describeKafka = await describeWithKafka();

const user = 'tollgate';
const password = 'never-to-be-seen-in-a-log';
const denial = 'Kafka denies us access; trying again';
const observedMs = 10_000;
/** Each try of a request waits longer than the one before it, up to half a second; and a minute has few of them. */
const triesMax = 5 * (observedMs / 1_000);

describeOfMinutes('a Kafka that asks who comes', () => {
  describeKafka('and lets the services in, until it does not', () => {
    let database: TestDatabase;
    let kafka: KafkaNodes;
    let access: KafkaAccess;
    let shape: KafkaShape;
    let gateway: ServiceProcess;
    let aggregator: ServiceProcess;
    let load: Load;
    let isProven = false;

    beforeAll(async () => {
      database = await testDatabase();
      kafka = await startKafkaNodes({
        count: 1,
        asksWho: true,
        settings: {
          'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
          'super.users': 'User:ANONYMOUS', // who comes by the inside
          'connections.max.reauth.ms': 12_000, // clients are asked again, so that what is revoked ends
        },
      });
      access = await openKafkaAccess(kafka.insideAddress);
      await access.givePassword(user, password);
      await access.allow(user, usageEventsTopic);
      shape = await openKafkaShape({
        name: 'revoked-access',
        urlFor: database.urlFor,
        ownerUrl: database.ownerUrl,
        partitions: 2,
        kafka: {
          address: kafka.insideAddress,
          brokers: kafka.addresses,
          destroy: kafka.destroy,
        },
        settings: { KAFKA_USERNAME: user, KAFKA_PASSWORD: password },
      });
      const services = ['ingest-gateway', 'aggregator', 'auth', 'billing'] as const;
      [gateway, aggregator] = (await Promise.all(services.map((name) => shape.deployment.add(name)))) as [
        ServiceProcess,
        ServiceProcess,
      ];
      load = await shape.startLoad({ clients: 2 });
      await eventually(() => load.acknowledged() > 100, { withinMs: 60_000 });
    }, 240_000);
    afterAll(async () => {
      await shape?.destroy(isProven);
      await access?.close();
      await database?.drop();
    });

    it('F29 answers 503 without the right to write, says why, does not spin, and goes on when it is given back', async () => {
      await access.denyWriting(user, usageEventsTopic);
      const { tries, reasons } = await observeDenied();
      expect(tries).toBeLessThan(triesMax);
      expect(reasons).toContain('authorized');
      await access.allow(user, usageEventsTopic);
      await eventually(goesOn(), { withinMs: 20_000 });
    }, 120_000);

    it('F29 answers 503 without credentials; a reader that may not come in ends and says why; both go on when they are given back', async () => {
      await access.takePassword(user);
      const { tries, reasons } = await observeDenied();
      expect(tries).toBeLessThan(triesMax);
      expect(reasons).toContain('SASL SCRAM SHA512 authentication failed');
      expect((await aggregator.exited).code).toBe(1);
      expect(aggregator.output()).toContain('SASL SCRAM SHA512 authentication failed');
      await access.givePassword(user, password);
      await eventually(goesOn(), { withinMs: 20_000 });
      await shape.deployment.add('aggregator'); // as its supervisor would

      const report = await shape.judge();
      process.stderr.write(`revoked access: ${JSON.stringify(report)}\n`);
      expect(report).toMatchObject({ violations: [], lost: 0, doubled: 0, invented: 0 });
      expect(shape.deployment.output()).not.toContain(password);
      isProven = true;
    }, 240_000);

    /** Waits until nothing is acknowledged any more, and tells what the gateway does meanwhile. */
    async function observeDenied() {
      await untilRefusing(gateway, { forMs: 2_000, withinMs: 60_000 });
      const linesBefore = denials().length;
      await untilRefusing(gateway, { forMs: observedMs, withinMs: observedMs });
      const lines = denials().slice(linesBefore);
      return { tries: lines.length, reasons: lines.join('\n') };
    }

    function denials(): string[] {
      return gateway
        .output()
        .split('\n')
        .filter((line) => line.includes(denial));
    }

    function goesOn(): () => boolean {
      const from = load.acknowledged();
      return () => load.acknowledged() > from + 50;
    }
  });
});
