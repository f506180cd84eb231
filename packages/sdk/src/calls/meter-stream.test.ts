import { describe, expect, it } from '@jest/globals';
import type { CallEnd, PaidCall } from './begin-call.ts';
import { meterStream, type StreamOptions } from './meter-stream.ts';

interface Item {
  readonly tokens: number;
}

const usage = ({ tokens }: Item) => ({ tokens });

/** A call that remembers each time that it was settled. */
function openCall(most?: PaidCall['most'], isSettled = Promise.resolve()) {
  const settled: (CallEnd | 'released')[] = [];
  const settle = async (how: CallEnd | 'released') => (settled.push(how), isSettled);
  const call: PaidCall = {
    most,
    end: settle,
    release: () => settle('released'),
    extend: async () => true,
    abandon: async () => undefined,
  };
  return { call, settled };
}

/** A source of three items, which says what was asked of it. */
function openSource({ failAt }: { readonly failAt?: number } = {}) {
  const asked = { items: 0, closed: false };
  async function* items(): AsyncGenerator<Item> {
    try {
      for (let index = 0; index < 3; index += 1) {
        if (index === failAt) throw new Error('the model is gone');
        asked.items += 1;
        yield { tokens: (index + 1) * 10 };
      }
      if (failAt === 3) throw new Error('the model is gone');
    } finally {
      asked.closed = true;
    }
  }
  return { source: items(), asked };
}

/** A source whose next item never comes until it is told to. */
function openHanging() {
  const asked = { closed: false };
  let answer: (result: IteratorResult<Item>) => void = () => undefined;
  const source: AsyncIterable<Item> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve) => (answer = resolve)),
      return: async () => ((asked.closed = true), { done: true, value: undefined }),
    }),
  };
  return { source, asked, answer: () => answer({ done: false, value: { tokens: 10 } }) };
}

/** A call that takes until `finish` to be settled, and its source, which hangs until `answer`. */
function openSlowCall() {
  const isSettled = Promise.withResolvers<void>();
  return { ...openCall(undefined, isSettled.promise), ...openHanging(), finish: isSettled.resolve };
}

/** All that is resolved has gone its way. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

async function readUntil(stream: AsyncIterable<Item>, items: number, leave?: () => void): Promise<number[]> {
  const read: number[] = [];
  if (items === 0 && leave === undefined) return read;
  for await (const { tokens } of stream) {
    read.push(tokens);
    if (read.length === items) {
      if (leave === undefined) break;
      leave();
    }
  }
  return read;
}

const paid = (tokens: number) => ({ success: true, metadata: { tokens } });

describe('a metered stream', () => {
  it('F326 hands on every item, and ends its call at its end with the last usage', async () => {
    const { call, settled } = openCall();
    const { source } = openSource();
    const odd = ({ tokens }: Item) => (tokens < 30 ? { tokens } : undefined);
    const stream = meterStream(call, source, { usage: odd, charge: 'none' });
    expect(await readUntil(stream, 9)).toEqual([10, 20, 30]);
    expect(settled).toEqual([paid(20)]);
    expect(await stream.ended).toEqual({ cutBy: undefined, items: 3 });
    await stream.return?.();
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(settled).toEqual([paid(20)]);
  });

  const policies: readonly [NonNullable<StreamOptions<Item>['charge']>, (items: number) => unknown][] = [
    ['delivered', (items) => (items === 0 ? 'released' : paid(items * 10))],
    ['none', () => 'released'],
    ['all', () => paid(100)],
  ];
  for (const [charge, costOf] of policies)
    for (const items of [0, 1, 2, 3]) {
      it(`F326 costs by the policy ${charge} when its reader stops after ${items} items`, async () => {
        const { call, settled } = openCall({ tokens: 100 });
        const { source, asked } = openSource();
        const stream = meterStream(call, source, { usage, charge });
        await readUntil(stream, items);
        await stream.return?.();
        expect(settled).toEqual([costOf(items)]);
        expect(await stream.ended).toEqual({ cutBy: 'caller', items });
        expect(asked.items).toBe(items);
        await expect(source.next()).resolves.toMatchObject({ done: true });
      });

      it(`F326 costs by the policy ${charge} when its signal fires after ${items} items`, async () => {
        const { call, settled } = openCall();
        const { source, asked } = openSource();
        const gone = new AbortController();
        const leave = () => gone.abort(new Error('gone'));
        if (items === 0) leave();
        const options = { usage, charge, most: { tokens: 100 }, signal: gone.signal };
        const stream = meterStream(call, source, options);
        await expect(readUntil(stream, items, leave)).rejects.toThrow('gone');
        expect(settled).toEqual([costOf(items)]);
        expect(await stream.ended).toEqual({ cutBy: 'caller', items });
        expect(await stream.next()).toEqual({ done: true, value: undefined });
        expect(asked.items).toBe(items);
        await expect(source.next()).resolves.toMatchObject({ done: true });
      });

      it(`F326 costs by the policy ${charge} when its source throws after ${items} items`, async () => {
        const { call, settled } = openCall({ tokens: 100 });
        const { source } = openSource({ failAt: items });
        const stream = meterStream(call, source, { usage, charge });
        await expect(readUntil(stream, 9)).rejects.toThrow('the model is gone');
        expect(settled).toEqual([costOf(items)]);
        expect(await stream.ended).toEqual({ cutBy: 'builder', items });
        expect(await stream.next()).toEqual({ done: true, value: undefined });
      });
    }

  it('F327 asks for an item when it is asked, and for no other', async () => {
    const { call } = openCall();
    const { source, asked } = openSource();
    const stream = meterStream(call, source, { usage });
    expect(asked.items).toBe(0);
    for (const items of [1, 2, 3]) {
      await stream.next();
      expect(asked.items).toBe(items);
    }
    expect(asked.closed).toBe(false);
  });

  it('F327 settles at once when its signal fires while its source hangs, and hands on nothing that comes later', async () => {
    const { call, settled, source, asked, answer, finish } = openSlowCall();
    const gone = new AbortController();
    const stream = meterStream(call, source, { usage, signal: gone.signal });
    const waiting = stream.next();
    waiting.catch(() => undefined);
    gone.abort(new Error('gone'));
    expect([settled, asked.closed]).toEqual([['released'], true]);
    answer();
    await turn();
    finish();
    await expect(waiting).rejects.toThrow('gone');
    expect(settled).toEqual(['released']);
  });

  it('F327 settles at once when its reader stops while its source hangs', async () => {
    const { call, settled, source, asked, answer, finish } = openSlowCall();
    const stream = meterStream(call, source, { usage });
    const waiting = stream.next();
    const left = stream.return?.();
    expect([settled, asked.closed]).toEqual([['released'], true]);
    finish();
    await left;
    answer();
    await turn();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(settled).toEqual(['released']);
  });

  it('is cut by the builder when `usage` throws, and closes its source', async () => {
    const { call, settled } = openCall();
    const { source, asked } = openSource();
    const fail = ({ tokens }: Item) => {
      if (tokens === 20) throw new Error('no usage');
      return { tokens };
    };
    const stream = meterStream(call, source, { usage: fail });
    await expect(readUntil(stream, 9)).rejects.toThrow('no usage');
    expect([settled, asked.closed]).toEqual([[paid(10)], true]);
    expect(await stream.ended).toEqual({ cutBy: 'builder', items: 1 });
  });

  it('tells its reader that its source could not be closed, as without metering', async () => {
    const { call, settled } = openCall();
    const source: AsyncIterable<Item> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false, value: { tokens: 10 } }),
        return: () => Promise.reject(new Error('will not close')),
      }),
    };
    await expect(readUntil(meterStream(call, source, { usage }), 1)).rejects.toThrow('will not close');
    expect(settled).toEqual([paid(10)]);
  });
});
