import { expect, it } from '@jest/globals';

import { createRepeats } from './repeats.ts';

const call = { arguments: '{}', continuation: undefined };
const response = { jsonrpc: '2.0', id: 1, result: {} } as const;

it('gives a repeat the response of the first call, whether it has ended or not', async () => {
  const repeats = createRepeats({ keepMs: 1000, callsMax: 10, nowMs: () => 0 });
  const end = repeats.begin('key', call);
  const early = repeats.find('key')?.response;
  end(response);
  await expect(early).resolves.toBe(response);
  await expect(repeats.find('key')?.response).resolves.toBe(response);
});

it('forgets a call that ended without a response', async () => {
  const repeats = createRepeats({ keepMs: 1000, callsMax: 10, nowMs: () => 0 });
  const end = repeats.begin('key', call);
  const early = repeats.find('key')?.response;
  end(undefined);
  await expect(early).resolves.toBeUndefined();
  expect(repeats.find('key')).toBeUndefined();
});

it('keeps a later call under the key of one that ended without a response', async () => {
  const repeats = createRepeats({ keepMs: 1000, callsMax: 10, nowMs: () => 0 });
  const [endFirst, endSecond] = [repeats.begin('key', call), repeats.begin('key', call)];
  endFirst(undefined);
  endSecond(response);
  await expect(repeats.find('key')?.response).resolves.toBe(response);
});

it('forgets a call after its time, and the oldest beyond the bound', () => {
  let nowMs = 0;
  const repeats = createRepeats({ keepMs: 1000, callsMax: 2, nowMs: () => nowMs });
  for (const key of ['a', 'b', 'c']) repeats.begin(key, call);
  expect(['a', 'b', 'c'].map((key) => repeats.find(key) !== undefined)).toEqual([false, true, true]);
  nowMs = 1000;
  expect(repeats.find('c')).toBeUndefined();
});
