import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { eventually } from '@tollgate/testkit/eventually';
import { openKafkaAccess } from '@tollgate/testkit/kafka/kafka-access';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { startKafka } from '@tollgate/testkit/kafka/start-kafka';
import { describeInTurn } from '@tollgate/testkit/in-turn';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { readSeries } from '@tollgate/testkit/read-series';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { itWith } from '../it-with.ts';
import { expectCountedOnce } from './expect-counted-once.ts';
import { openKafkaShape } from './kafka-shape.ts';

const describeKafka = await describeWhere('Kafka and its own commands', findKafkaJars);

const user = 'tollgate';
const password = 'never-to-be-seen-in-a-log';
const denial = 'Kafka denies us access; trying again';
const notSignedIn = 'SASL SCRAM SHA512 authentication failed';
const observedMs = 10_000;
/** Each retry of a request waits longer than the one before it, up to half a second, so a second has few of them. */
const triesMax = 5 * (observedMs / 1_000);
const services = ['ingest-gateway', 'aggregator', 'auth', 'billing'] as const;
const askingBroker = {
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,PROXY:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT',
  'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
  'listener.name.proxy.scram-sha-512.sasl.jaas.config':
    'org.apache.kafka.common.security.scram.ScramLoginModule required;',
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'super.users': 'User:ANONYMOUS', // clients that do not come by the proxy
  'connections.max.reauth.ms': 12_000, // clients sign in again, so that a revoked password ends their connections
};

describeInTurn(describeKafka)(
  'a Kafka that asks its clients to sign in, admits the services and then refuses them',
  () => {
    const it = itWith(async (undo) => {
      const { address, proxiedAddress: brokers, destroy } = await startKafka({ settings: askingBroker });
      const access = await openKafkaAccess(address);
      undo(() => access.close());
      await access.givePassword(user, password);
      await access.allow(user, usageEventsTopic);
      const kafka = { address, brokers, destroy };
      const settings = { KAFKA_USERNAME: user, KAFKA_PASSWORD: password };
      const shape = await openKafkaShape({ name: 'revoked-access', partitions: 2, kafka, settings, services }, undo);
      const load = await shape.startLoad({ clients: 2 });
      await load.goesOn(100);
      return { access, shape, load, gateway: shape.deployment.first('ingest-gateway') };
    }, 240_000);

    it('F29 answers 503 without the right to write, says why, does not spin, and goes on with it', async (opened) => {
      const { access, load, gateway } = opened;
      await access.denyWriting(user, usageEventsTopic);
      const { tries, reasons } = await observeDenied(gateway);
      expect(tries).toBeLessThan(triesMax);
      expect(reasons).toContain('authorized');
      await access.allow(user, usageEventsTopic);
      await load.goesOn(50);
    }, 120_000);

    it('F29 answers 503 without credentials; the reader ends and says why; both go on with them', async (opened) => {
      const { access, shape, load, gateway } = opened;
      await access.takePassword(user);
      const { tries, reasons } = await observeDenied(gateway);
      expect(tries).toBeLessThan(triesMax);
      expect(reasons).toContain(notSignedIn);
      const aggregator = shape.deployment.first('aggregator');
      expect((await aggregator.exited).code).toBe(1);
      expect(aggregator.output()).toContain(notSignedIn);
      await access.givePassword(user, password);
      await load.goesOn(50);
      await shape.deployment.add('aggregator'); // as a supervisor would

      await expectCountedOnce(shape, 'revoked access');
      expect(shape.deployment.output()).not.toContain(password);
    }, 240_000);
  },
);

/**
 * Waits until the gateway acknowledges nothing for ten seconds, and counts what it logs in these. Connections that have
 * not yet signed in again may take an event before.
 */
async function observeDenied(gateway: ServiceProcess): Promise<{ tries: number; reasons: string }> {
  const denials = () =>
    gateway
      .output()
      .split('\n')
      .filter((line) => line.includes(denial));
  const observe = async () => {
    const before = denials().length;
    return (await refusesFor(gateway, observedMs)) ? denials().slice(before) : undefined;
  };
  const lines = (await eventually(observe, { withinMs: 70_000 })) ?? [];
  return { tries: lines.length, reasons: lines.join('\n') };
}

/** True if a gateway under load records no event for `forMs` from now, and answers 503 instead. */
async function refusesFor(gateway: ServiceProcess, forMs: number): Promise<boolean> {
  const before = await answersOf(gateway);
  await sleep(forMs);
  const after = await answersOf(gateway);
  return after.recorded === before.recorded && after.refused > before.refused;
}

async function answersOf(gateway: ServiceProcess): Promise<{ recorded: number; refused: number }> {
  const valueOf = await readSeries(gateway);
  const countOf = (status: string): number =>
    valueOf('tollgate_http_request_duration_seconds_count', { operation: 'recordEvent', status }) ?? 0;
  return { recorded: countOf('201'), refused: countOf('503') };
}
