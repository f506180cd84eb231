import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { eventually } from '@tollgate/testkit/eventually';
import { openKafkaAccess, type KafkaAccess } from '@tollgate/testkit/kafka/kafka-access';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import type { Load } from '@tollgate/testkit/load/start-load';
import { describeOfMinutes } from '@tollgate/testkit/minutes';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape, type KafkaShape } from './kafka-shape.ts';
import { refusesFor } from './refuses-for.ts';

const describeKafka = await describeWhere('Kafka and its own commands', findKafkaJars);

const user = 'tollgate';
const password = 'never-to-be-seen-in-a-log';
const denial = 'Kafka denies us access; trying again';
const observedMs = 10_000;
/** Each try of a request waits longer than the one before it, up to half a second; and a minute has few of them. */
const triesMax = 5 * (observedMs / 1_000);

describeOfMinutes('a Kafka that asks who comes', () => {
  describeKafka('and lets the services in, until it does not', () => {
    let database: TestDatabase;
    let kafka: KafkaBroker;
    let access: KafkaAccess;
    let shape: KafkaShape;
    let gateway: ServiceProcess;
    let aggregator: ServiceProcess;
    let load: Load;
    let isProven = false;

    beforeAll(async () => {
      database = await testDatabase();
      kafka = await startKafka({
        settings: {
          'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,PROXY:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
          'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
          'listener.name.proxy.scram-sha-512.sasl.jaas.config':
            'org.apache.kafka.common.security.scram.ScramLoginModule required;',
          'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
          'super.users': 'User:ANONYMOUS', // who does not come by the proxy
          'connections.max.reauth.ms': 12_000, // clients are asked again, so that what is revoked ends
        },
      });
      access = await openKafkaAccess(kafka.address);
      await access.givePassword(user, password);
      await access.allow(user, usageEventsTopic);
      shape = await openKafkaShape({
        name: 'revoked-access',
        urlFor: database.urlFor,
        ownerUrl: database.ownerUrl,
        partitions: 2,
        kafka: {
          address: kafka.address,
          brokers: kafka.proxiedAddress,
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

      await expectCountedOnce(shape, 'revoked access');
      expect(shape.deployment.output()).not.toContain(password);
      isProven = true;
    }, 240_000);

    /**
     * Until nothing is acknowledged for ten seconds: what the gateway says in these. Connections that are still let in,
     * until they are asked again, may take an event before.
     */
    async function observeDenied() {
      const lines = await eventually(
        async () => {
          const linesBefore = denials().length;
          return (await refusesFor(gateway, observedMs)) ? denials().slice(linesBefore) : undefined;
        },
        { withinMs: 70_000 },
      );
      return { tries: lines?.length, reasons: lines?.join('\n') };
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
