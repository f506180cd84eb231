import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';

import type { Incoming } from '../incoming.ts';
import { createKeptAnswers } from './kept-answers.ts';
import { createMemoryRepeatStore } from './memory-repeat-store.ts';
import type { RepeatStore, RepeatStoreBounds } from './repeat-store.ts';
import { createSeal } from './seal.ts';
import { createUndelivered } from './undelivered.ts';

/** A client of a call. It hangs up when the test says so, or gets the answer. */
function newClient(pass = 'tg_pass_1') {
  let isLost = false;
  let isCancelled = false;
  let settle!: (isDelivered: boolean) => void;
  const ended = new Promise<boolean>((resolve) => (settle = resolve));
  const incoming: Incoming = {
    call: { name: 'weather', arguments: { city: 'Oslo' }, meta: {} },
    continuation: undefined,
    passId: undefined,
    callerKey: pass,
    connectionKey: undefined,
    isCancelled: () => isCancelled,
    run: async () => ({ response: undefined }),
    listTools: async () => undefined,
    ask: async () => undefined,
    delivery: { isLost: () => isLost, ended },
  };
  return {
    incoming,
    cancel: () => void (isCancelled = true),
    hangUp() {
      isLost = true;
      settle(false);
    },
    gets: () => settle(true),
  };
}

type Client = ReturnType<typeof newClient>;

/** Processes of a server that share a store, and the runs of its one tool. */
function newServer(bounds: RepeatStoreBounds = {}, given?: RepeatStore) {
  const store = given ?? createMemoryRepeatStore(bounds);
  const seal = Promise.resolve(createSeal(randomBytes(32)));
  const errors: unknown[] = [];
  const newProcess = () => {
    const onError = (error: unknown) => void errors.push(error);
    const answers = createKeptAnswers({ store, seal, onError });
    return createUndelivered({ answers, server: 'weather', onError });
  };
  const [one, other] = [newProcess(), newProcess()];
  let runs = 0;
  const call = async ({ incoming }: Client, { at = one, work = async (): Promise<unknown> => undefined } = {}) => {
    const { response } = await at.follow(incoming, async (claim) => {
      const missed = await claim();
      if (missed !== undefined) return { response: missed, isFinal: true };
      const run = (runs += 1);
      if ((await work()) === 'obeyed') return { response: undefined, isFinal: false };
      return { response: { jsonrpc: '2.0', result: { run } }, isFinal: true };
    });
    return response?.result?.['run'];
  };
  return { call, one, other, errors };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Where the first client hangs up; each is followed by the same call of another client. */
const cuts: Readonly<Record<string, (server: ReturnType<typeof newServer>, client: Client) => Promise<void>>> = {
  async 'while the tool runs'({ call }, client) {
    await call(client, { work: async () => client.hangUp() });
  },
  async 'while the tool runs, by a cancellation'({ call }, client) {
    await call(client, { work: async () => client.cancel() });
  },
  async 'while the answer is sent'({ call }, client) {
    await call(client);
    client.hangUp();
    await soon();
  },
};

describe.each(Object.entries(cuts))('a client that hangs up %s', (_title, cut) => {
  it.each(['one', 'other'] as const)('gets its answer from the %s process, once', async (at) => {
    const server = newServer();
    await cut(server, newClient());
    const again = newClient();
    expect(await server.call(again, { at: server[at] })).toBe(1);
    again.gets();
    await soon();
    expect(await server.call(newClient(), { at: server.one })).toBe(2);
    expect(await server.call(newClient(), { at: server.other })).toBe(3);
    expect(server.errors).toEqual([]);
  });

  it('leaves nothing to another pass', async () => {
    const server = newServer();
    await cut(server, newClient());
    expect(await server.call(newClient('tg_pass_2'))).toBe(2);
    expect(await server.call(newClient())).toBe(1);
  });

  it('leaves its answer to one of two that ask at once', async () => {
    const server = newServer();
    await cut(server, newClient());
    const both = [server.call(newClient(), { at: server.one }), server.call(newClient(), { at: server.other })];
    expect(new Set(await Promise.all(both))).toEqual(new Set([1, 2]));
  });

  it('leaves its answer for ten minutes', async () => {
    let nowMs = 0;
    const server = newServer({ nowMs: () => nowMs });
    await cut(server, newClient());
    nowMs = 600_000;
    expect(await server.call(newClient())).toBe(2);
  });

  it('gets its answer at the third try if the second one breaks, too', async () => {
    const server = newServer();
    await cut(server, newClient());
    const second = newClient();
    expect(await server.call(second)).toBe(1);
    second.hangUp();
    await soon();
    expect(await server.call(newClient(), { at: server.other })).toBe(1);
  });
});

it('runs each of two equal calls whose clients have their answers, and each of two at once', async () => {
  const server = newServer();
  const clients = [newClient(), newClient(), newClient(), newClient()] as const;
  const first = await server.call(clients[0]);
  clients[0].gets();
  const second = await server.call(clients[1]); // its answer is still on its way
  expect([first, second]).toEqual([1, 2]);
  const atOnce = await Promise.all([server.call(clients[2]), server.call(clients[3])]);
  expect(new Set(atOnce)).toEqual(new Set([3, 4]));
});

it('lets an equal call wait for the run that its client left, and one more only', async () => {
  const server = newServer();
  const mayEnd = Promise.withResolvers<undefined>();
  const client = newClient();
  const left = server.call(client, { work: () => mayEnd.promise });
  await soon();
  client.hangUp();
  const waiting = server.call(newClient());
  await soon();
  expect(await server.call(newClient())).toBe(2); // the answer has one owner
  mayEnd.resolve(undefined);
  expect([await left, await waiting]).toEqual([1, 1]);
  expect(await server.call(newClient())).toBe(3);
});

it('hands a run on from try to try until a client stays', async () => {
  const server = newServer();
  const mayEnd = Promise.withResolvers<undefined>();
  const clients = [newClient(), newClient(), newClient()] as const;
  const tries = [];
  for (const client of clients) {
    tries.push(server.call(client, { work: () => mayEnd.promise }));
    await soon();
    if (client !== clients[2]) client.hangUp();
  }
  mayEnd.resolve(undefined);
  expect(await Promise.all(tries)).toEqual([1, 1, 1]);
  clients[2].gets();
  await soon();
  expect(await server.call(newClient())).toBe(2);
});

it('runs an equal call whose predecessor obeyed', async () => {
  const server = newServer();
  const mayEnd = Promise.withResolvers<unknown>();
  const client = newClient();
  const left = server.call(client, { work: () => mayEnd.promise });
  await soon();
  client.hangUp();
  const waiting = server.call(newClient());
  mayEnd.resolve('obeyed');
  expect([await left, await waiting]).toEqual([undefined, 2]);
});

it('runs calls while the store fails, and reports it', async () => {
  const down = async () => {
    throw new Error('the store is down');
  };
  const server = newServer({}, { put: down, take: down });
  const client = newClient();
  expect(await server.call(client, { work: async () => client.hangUp() })).toBe(1);
  expect(await server.call(newClient())).toBe(2);
  expect(server.errors.map(String)).toEqual(Array(3).fill('Error: the store is down'));
});

it('remembers no answer above 1 MiB', async () => {
  const store = createMemoryRepeatStore();
  const onError = (error: unknown) => expect(error).toBeUndefined();
  const answers = createKeptAnswers({ store, seal: Promise.resolve(createSeal(randomBytes(32))), onError });
  const name = await answers.nameOf('call');
  const put = async (length: number) => {
    await answers.put(name, { jsonrpc: '2.0', result: { text: 'x'.repeat(length) } });
    return (await answers.take(name)) !== undefined;
  };
  expect([await put(1_000_000), await put(1_100_000)]).toEqual([true, false]);
});
