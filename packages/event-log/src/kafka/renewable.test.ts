import { describe, expect, it } from '@jest/globals';
import { createRenewable } from './renewable.ts';

interface TestClient {
  readonly connecting: PromiseWithResolvers<void>;
  isLetGo: boolean;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/** Clients that connect, or fail to, when the test says so. */
function setUp() {
  const clients: TestClient[] = [];
  const renewable = createRenewable(() => {
    const connecting = Promise.withResolvers<void>();
    const client: TestClient = {
      connecting,
      isLetGo: false,
      connect: () => connecting.promise,
      async disconnect() {
        client.isLetGo = true;
      },
    };
    clients.push(client);
    return client;
  });
  return { clients, renewable };
}

describe('createRenewable', () => {
  it('makes a new one after one that could not connect', async () => {
    const { clients, renewable } = setUp();
    const first = renewable.get();
    clients[0]?.connecting.reject(new Error('no broker'));
    await expect(first).rejects.toThrow('no broker');
    const second = renewable.get();
    clients[1]?.connecting.resolve();
    expect(await second).toBe(clients[1]);
    expect(clients.map(({ isLetGo }) => isLetGo)).toEqual([true, false]);
  });

  it('keeps the new one when one that was dropped fails to connect only then', async () => {
    const { clients, renewable } = setUp();
    const first = renewable.get();
    renewable.drop();
    const second = renewable.get();
    clients[1]?.connecting.resolve();
    await second;
    clients[0]?.connecting.reject(new Error('no broker'));
    await expect(first).rejects.toThrow('no broker');
    expect(await renewable.get()).toBe(clients[1]);
    expect(clients.map(({ isLetGo }) => isLetGo)).toEqual([true, false]);
  });
});
