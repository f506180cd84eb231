import { createRequire } from 'node:module';
import { describe, expect, it, jest } from '@jest/globals';
import { mendKafkajs } from './mend-kafkajs.ts';

interface Queue {
  push(request: { readonly entry: object; readonly expectResponse: boolean; sendRequest(): void }): void;
  destroy(): void;
}

interface Subscriptions {
  assign(topicPartitions: readonly object[]): void;
  pause(topicPartitions: readonly object[]): void;
  resume(topicPartitions: readonly object[]): void;
}

const requestTimeout = 3_000;
const topic = 'usage.v1';

/** The queue of a connection to a broker that answers nothing. */
function openQueue(): Queue {
  mendKafkajs();
  const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (
    options: object,
  ) => Queue;
  return new RequestQueue({ requestTimeout, enforceRequestTimeout: true, logger: { debug: () => undefined } });
}

describe('F16 a request without an answer', () => {
  it.each([
    ['on an open connection', () => undefined],
    ['that was sent at the moment when its connection was closed', (queue: Queue) => queue.destroy()],
  ])('fails in time %s, and then nothing looks at the connection any more', (_when, close) => {
    jest.useFakeTimers();
    const queue = openQueue();
    const reject = jest.fn();
    const entry = { apiKey: 1, apiName: 'Fetch', apiVersion: 11, correlationId: 1, resolve: () => undefined, reject };
    queue.push({ entry, expectResponse: true, sendRequest: () => undefined });
    close(queue);
    jest.advanceTimersByTime(requestTimeout);
    expect(reject).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    expect(reject).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });
});

describe('F16 the connections to a broker of which one answers too late', () => {
  it('are closed, except one that was opened since', async () => {
    mendKafkajs();
    const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/connectionPool') as { prototype: object };
    const open = () => ({ destroy: jest.fn() });
    const [late, renewed, other] = [open(), open(), open()];
    const error = Object.assign(new Error('timed out'), { name: 'KafkaJSRequestTimeoutError' });
    const first = {
      socket: late,
      isConnected: () => true,
      async send() {
        first.socket = renewed;
        throw error;
      },
    };
    const pool = Object.assign(Object.create(prototype), { pool: [first, { socket: other }] }) as {
      send(request: object): Promise<unknown>;
    };
    await expect(pool.send({ request: { apiKey: 3 } })).rejects.toBe(error);
    expect([renewed.destroy, other.destroy].map(({ mock }) => mock.calls)).toEqual([[], [[error]]]);
  });
});

describe('F273 a commit of offsets that is not answered', () => {
  it('leaves the connections open: a request to join may wait on them', async () => {
    mendKafkajs();
    const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/connectionPool') as { prototype: object };
    const socket = { destroy: jest.fn() };
    const error = Object.assign(new Error('timed out'), { name: 'KafkaJSRequestTimeoutError' });
    const connection = { socket, isConnected: () => true, send: () => Promise.reject(error) };
    const pool = Object.assign(Object.create(prototype), { pool: [connection] }) as {
      send(request: object): Promise<unknown>;
    };
    await expect(pool.send({ request: { apiKey: 8, apiName: 'OffsetCommit' } })).rejects.toBe(error);
    expect(socket.destroy).not.toHaveBeenCalled();
  });
});

describe('a member of a group whose partitions are paused', () => {
  it('asks for them soon after they are resumed, and waits for records as long as before', async () => {
    mendKafkajs();
    const load = createRequire(import.meta.url);
    const { prototype } = load('kafkajs/src/consumer/consumerGroup') as { prototype: object };
    const SubscriptionState = load('kafkajs/src/consumer/subscriptionState') as new () => Subscriptions;
    const subscriptionState = new SubscriptionState();
    const asked: { readonly maxWaitTime: number }[] = [];
    const fetch = async (request: { readonly maxWaitTime: number }) => (asked.push(request), { responses: [] });
    const group = Object.assign(Object.create(prototype), {
      subscriptionState,
      maxWaitTime: 1_000,
      cluster: { refreshMetadataIfNecessary: async () => undefined, findBroker: async () => ({ fetch }) },
      offsetManager: {
        resolveOffsets: async () => undefined,
        committedOffsets: () => ({ [topic]: { 0: '5', 1: '5' } }),
        nextOffset: () => '5',
      },
      seekOffset: { pop: () => undefined },
      filterPartitionsByNode: (_nodeId: string, partitions: unknown) => partitions,
    }) as { fetch(nodeId: string): Promise<unknown> };
    subscriptionState.assign([{ topic, partitions: [0, 1] }]);
    subscriptionState.pause([{ topic, partitions: [0, 1] }]);

    jest.useFakeTimers();
    const fetched = group.fetch('1');
    await jest.advanceTimersByTimeAsync(25);
    expect(await Promise.race([fetched, Promise.resolve('still asleep')])).toEqual([]);
    jest.useRealTimers();
    subscriptionState.resume([{ topic, partitions: [0] }]);
    await group.fetch('1');
    subscriptionState.resume([{ topic, partitions: [1] }]);
    await group.fetch('1');
    expect(asked).toMatchObject([
      { maxWaitTime: 25, topics: [{ partitions: [{ partition: 0 }] }] }, // the other may be resumed meanwhile
      { maxWaitTime: 1_000, topics: [{ partitions: [{ partition: 0 }, { partition: 1 }] }] },
    ]);
  });
});
