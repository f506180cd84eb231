import { createRequire } from 'node:module';
import { describe, expect, it, jest } from '@jest/globals';
import { mendKafkajs } from './mend-kafkajs.ts';

interface Queue {
  push(request: { readonly entry: object; readonly expectResponse: boolean; sendRequest(): void }): void;
  destroy(): void;
}

const requestTimeout = 3_000;

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
