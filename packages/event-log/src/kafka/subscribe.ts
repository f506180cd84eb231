import type { Clock } from '@tollgate/kernel/clock';
import type { Admin, Consumer, Kafka } from 'kafkajs';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { SubscribeOptions, Subscription } from '../event-log.ts';
import { createGroupMember, handleFetched, heartbeatEveryMs, noteAnswer, takePartitions } from './group-member.ts';
import type { GroupMember } from './holding.ts';
import { createLogEndsWatch } from './log-ends.ts';
import { letLeave } from './mend-kafkajs.ts';
import type { Renewable } from './renewable.ts';
import { watchHoldings } from './watch-holdings.ts';

export interface KafkaSubscribeOptions extends SubscribeOptions {
  /** Its retries must outlast the restart of a broker: a consumer that gives up returns as a new member, and has to wait. */
  readonly kafka: Kafka;
  readonly admin: Renewable<Admin>;
  readonly clock: Clock;
  readonly log: Logger;
}

const consumerSettings = {
  sessionTimeout: 10_000, // after that silence the group removes a member and assigns its partitions to others
  heartbeatInterval: heartbeatEveryMs,
  rebalanceTimeout: 15_000,
  minBytes: 1, // so a record that comes alone is read at once; under load the member rests between fetches
  maxWaitTimeInMs: 1_000,
  metadataMaxAge: 1_000, // how late the group assigns new partitions
  allowAutoTopicCreation: false,
  readUncommitted: true, // all records of the log count; else an open foreign transaction would stop the reader
};
/** Above any number of partitions: each fetched batch is with the member at once, which limits the handlers. */
const partitionsAtOnce = 1_024;

export async function subscribeToKafka(options: KafkaSubscribeOptions): Promise<Subscription> {
  const { kafka, topic, group, log } = options;
  const consumer = kafka.consumer({ groupId: group, ...consumerSettings });
  const stopping = new AbortController();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // a caller may subscribe to it later
  const member = createGroupMember({
    ...options,
    consumer,
    ends: createLogEndsWatch(options),
    stopped: stopping.signal,
    onFailed: failure.reject,
  });
  let memberId: string | undefined;
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    ({ memberId } = payload);
    takePartitions(member, payload.memberAssignment[topic] ?? []);
  });
  consumer.on(consumer.events.REQUEST, ({ payload: { apiName, broker } }) => {
    if (apiName === 'Fetch') noteAnswer(member, broker);
  });
  consumer.on(consumer.events.CRASH, ({ payload: { error, restart } }) => {
    takePartitions(member, []);
    log.warn({ err: error, topic, group, restart }, 'the consumer crashed');
    // It was stopped while it joined. kafkajs goes on to start it again, for ever, so it is stopped once more after that.
    if (stopping.signal.aborted) queueMicrotask(() => void stop(consumer));
    if (!restart) failure.reject(error); // else the consumer would stay idle for ever
  });
  await run(consumer, member);
  const watching = watchHoldings(member);
  return {
    failed: failure.promise,
    async stop() {
      stopping.abort();
      if (memberId !== undefined) letLeave(memberId);
      await stop(consumer); // waits for running handlers
      await watching;
    },
  };
}

async function run(consumer: Consumer, member: GroupMember): Promise<void> {
  try {
    await consumer.connect();
    await consumer.subscribe({ topics: [member.topic], fromBeginning: true }); // with false, an offset out of range would skip all records
    await consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: partitionsAtOnce,
      eachBatch: (payload) => handleFetched(member, payload),
    });
  } catch (error) {
    await stop(consumer);
    throw error;
  }
}

async function stop(consumer: Consumer): Promise<void> {
  await consumer.stop();
  await consumer.disconnect();
}
