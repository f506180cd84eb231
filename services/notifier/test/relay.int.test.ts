import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import {
  notificationsTopic,
  operatorsKey,
  type NotificationRecord,
} from '@tollgate/contracts/webhooks/notification-record';
import { createDatabase, type Database } from '@tollgate/database/database';
import type { StoredRecord } from '@tollgate/event-log/event-log';
import { createKafkaEventLog, type KafkaEventLog } from '@tollgate/event-log/kafka';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { systemClock } from '@tollgate/kernel/clock';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka, testKafka } from '@tollgate/testkit/kafka';
import { useEach } from '@tollgate/testkit/use-world';
import { sealSecret } from '../src/endpoints/webhook-secret.ts';
import { takeOutbox } from '../src/events/sql-take-outbox.ts';
import { createRelayEvents } from '../src/relay/relay-events.ts';
import { sealedWith, startNotifier } from './support/use-notifier.ts';

const describeKafka = await describeWithKafka();
const log = createLogger({ name: 'test', level: 'silent' });
const recordOf = ({ value }: StoredRecord) => JSON.parse(Buffer.from(value).toString()) as NotificationRecord;

describeKafka('F330 the relay to Kafka', () => {
  let address: string;
  let topic: string;
  const world = useEach(async () => {
    const notifier = await startNotifier({ isIdle: true });
    const url = notifier.database.urlFor('notifier_worker');
    const worker = createDatabase({ url, name: 'relay-test', maxConnections: 4, log });
    const kafka = createKafkaEventLog({
      connection: { brokers: [address] },
      topics: {},
      cursorsUrl: url,
      appendDeadlineMs: 5_000,
      clock: systemClock,
      log,
    });
    const stop = async (): Promise<void> => {
      await kafka.stop();
      await worker.stop();
      await notifier.stop();
    };
    return { ...notifier, worker, kafka, stop };
  });

  beforeAll(async () => void ({ address } = await testKafka()), 90_000);
  beforeEach(() => void (topic = `told.${randomUUID()}`));

  const makeTopic = (name = topic) =>
    eventually(
      () =>
        mendTopics({
          connection: { brokers: [address] },
          topics: { [name]: { partitions: 1, replicationFactor: 1 } },
          log,
        }),
      { withinMs: 20_000 },
    );
  const relayBy = (worker: Database) => createRelayEvents({ worker, appender: world.kafka, topic, log });
  const take = () =>
    takeOutbox(world.worker, { rowsMax: 500, nowMs: world.realTime.now(), mailTypes: [], isRelayed: true });
  const waiting = async () => (await world.owner.query('select from notify.relay')).length;
  const toldIds = async () =>
    new Set((await world.owner.query<{ id: string }>('select event_id as id from notify.event')).map(({ id }) => id));

  it('hands on each event once while all goes well, with its account as the key', async () => {
    const accounts = [await world.newAccount(), await world.newAccount()].map(({ accountId }) => accountId);
    await makeTopic();
    for (let number = 0; number < 10; number += 1)
      for (const accountId of accounts) await world.tell(accountId, { data: { number } });
    await world.owner.query(`select auth.tell('account.registered', null, '{}', is_operators => true)`);
    await take();
    await Promise.all([relayBy(world.worker).runNow(), relayBy(world.worker).runNow()]);
    const records = await readAll(world.kafka, topic);
    expect(records).toHaveLength((await toldIds()).size);
    expect(new Set(records.map((record) => recordOf(record).id))).toEqual(await toldIds());
    for (const record of records) expect(record.key).toBe(recordOf(record).account_id ?? operatorsKey);
    const own = records.filter(({ key }) => key === accounts[0]).map((record) => recordOf(record));
    const numbers = own.filter(({ type }) => type === 'invoice.paid').map(({ data }) => data['number']);
    expect(numbers.toSorted((left, right) => Number(left) - Number(right))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(records.map((record) => recordOf(record)).filter(({ account_id: to }) => to === null)).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'account.registered', account_id: null })]),
    );
  });

  it('loses no event without the topic, nor one whose commit was lost after Kafka took it: that one comes twice', async () => {
    const { accountId } = await world.newAccount();
    for (let number = 0; number < 5; number += 1) await world.tell(accountId, { data: { number } });
    await take();
    const all = await waiting();
    await relayBy(world.worker).runNow(); // there is no topic
    expect(await waiting()).toBe(all);
    await makeTopic();
    const dying: Database = {
      ...world.worker,
      transaction: (work, options) =>
        world.worker.transaction(async (tx) => {
          await work(tx);
          throw new Error('the relay died');
        }, options),
    };
    await relayBy(dying).runNow();
    expect(await waiting()).toBe(all);
    await relayBy(world.worker).runNow();
    expect(await waiting()).toBe(0);
    const ids = (await readAll(world.kafka, topic)).map((record) => recordOf(record).id);
    expect(ids).toHaveLength(2 * all);
    expect(new Set(ids)).toEqual(await toldIds());
  });

  it('holds up no webhook while Kafka is away, and hands on afterwards what was told meanwhile', async () => {
    const ada = await world.newAccount();
    const receiver = await world.receiver();
    const box = createSealedBox({ secret: sealedWith, purpose: 'webhook-endpoint' });
    await world.registerRow(ada, { url: receiver.url, secret: sealSecret.bind(undefined, box) });
    const cut = await world.startBeside({ RELAY_TO: 'kafka', KAFKA_BROKERS: '127.0.0.1:9' });
    await world.tell(ada.accountId);
    await eventually(() => receiver.received.length === 1, { withinMs: 10_000 });
    expect(await waiting()).toBeGreaterThan(0);
    await cut.stop();
    await makeTopic(notificationsTopic);
    await world.startBeside({ RELAY_TO: 'kafka', KAFKA_BROKERS: address });
    await eventually(async () => (await waiting()) === 0, { withinMs: 20_000 });
    const relayed = (await readAll(world.kafka, notificationsTopic)).map((record) => recordOf(record).id);
    expect(relayed).toContain(receiver.received[0]?.headers['webhook-id']);
  }, 90_000);
});

/** All records of a topic of one partition. */
async function readAll(kafka: KafkaEventLog, topic: string): Promise<StoredRecord[]> {
  const records: StoredRecord[] = [];
  let isCaughtUp = false;
  const subscription = await kafka.subscribe({
    topic,
    group: randomUUID(),
    nextOffset: async () => BigInt(records.length),
    onBatch: async (batch) => void records.push(...batch.records),
    onCaughtUp: async () => void (isCaughtUp = true),
  });
  await eventually(() => isCaughtUp, { withinMs: 30_000 });
  await subscription.stop();
  return records;
}
