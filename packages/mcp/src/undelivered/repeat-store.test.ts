import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';

import { createFolderRepeatStore } from './folder-repeat-store.ts';
import { createMemoryRepeatStore } from './memory-repeat-store.ts';
import type { RepeatStore, RepeatStoreBounds } from './repeat-store.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-answers-'));
  folders.push(folder);
  return folder;
}

const answer = (text: string) => Buffer.from(text);
const textOf = (found: Uint8Array | undefined) => found && Buffer.from(found).toString();

const kinds: Readonly<Record<string, (bounds: RepeatStoreBounds) => RepeatStore>> = {
  'in memory': createMemoryRepeatStore,
  'in a folder': (bounds) => createFolderRepeatStore(newFolder(), bounds),
};

describe.each(Object.entries(kinds))('a repeat store %s', (_kind, open) => {
  it('gives each answer once, under its name alone', async () => {
    const store = open({});
    for (const text of ['one', 'two']) await store.put('a', answer(text));
    await store.put('b', answer('three'));
    expect(await store.take('c')).toBeUndefined();
    const taken = [await store.take('a'), await store.take('a'), await store.take('a'), await store.take('b')];
    expect(new Set(taken.map(textOf))).toEqual(new Set(['one', 'two', 'three', undefined]));
  });

  it('gives an answer to one of those that ask at once', async () => {
    const store = open({});
    await store.put('a', answer('one'));
    const taken = await Promise.all(Array.from({ length: 20 }, () => store.take('a')));
    expect(taken.filter((found) => found !== undefined).map(textOf)).toEqual(['one']);
  });

  it('keeps an answer for its time', async () => {
    let nowMs = 0;
    const store = open({ keepMs: 600_000, nowMs: () => nowMs });
    for (const text of ['one', 'two']) await store.put('a', answer(text));
    nowMs = 599_999;
    expect(await store.take('a')).toBeDefined();
    nowMs = 600_000;
    expect(await store.take('a')).toBeUndefined();
  });

  it('drops the oldest answers beyond its bounds', async () => {
    let nowMs = 0;
    const few = open({ answersMax: 2, nowMs: () => nowMs });
    const small = open({ bytesMax: 10, nowMs: () => nowMs });
    for (const name of ['a', 'b', 'c']) {
      nowMs += 1;
      for (const store of [few, small]) await store.put(name, answer('12345'));
    }
    for (const store of [few, small]) {
      const taken = [await store.take('a'), await store.take('b'), await store.take('c')];
      expect(taken.map(textOf)).toEqual([undefined, '12345', '12345']);
    }
  });
});

describe('a folder of answers', () => {
  it('is shared by all that open it, and is for its owner alone', async () => {
    const folder = join(newFolder(), 'answers');
    const [one, other] = [createFolderRepeatStore(folder), createFolderRepeatStore(folder)];
    await one.put('a', answer('one'));
    const modes = [folder, ...readdirSync(folder).map((file) => join(folder, file))].map((path) => statSync(path).mode);
    expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['700', '600']);
    const taken = await Promise.all([one, other, one, other].map((store) => store.take('a')));
    expect(taken.filter((found) => found !== undefined).map(textOf)).toEqual(['one']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is cleared of what a killed process began to write, and leaves the files of others alone', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, '.a.1000.3.3f0c'), 'on');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const store = createFolderRepeatStore(folder, { nowMs: () => 2_000 });
    expect(await store.take('a')).toBeUndefined();
    await store.put('b', answer('one'));
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^b\.602000\.3\./), 'notes.txt']);
  });
});
