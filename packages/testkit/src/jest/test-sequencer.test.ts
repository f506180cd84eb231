import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { orderTests } from './test-sequencer.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-sequencer-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function put(name: string, text: string): { path: string } {
  const path = join(folder, name);
  writeFileSync(path, text);
  return { path };
}

it('puts twelve other files behind each suite that takes turns, and those of one function last', () => {
  const tests = [
    put('function.test.ts', 'x'.repeat(1_000)),
    ...Array.from({ length: 25 }, (_, at) => put(`server-${10 + at}.int.test.ts`, 'x'.repeat(100 - at))),
    put('disk.int.test.ts', `describeInTurn(describe)('full', () => {`),
    put('storm.int.test.ts', `describe('storm', inTurn(() => {`),
  ];
  const names = orderTests(tests).map(({ path }) => basename(path, '.test.ts'));
  const servers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `server-${10 + from + at}.int`);
  expect(names).toEqual(['disk.int', ...servers(0, 12), 'storm.int', ...servers(12, 24), 'server-34.int', 'function']);
});

it('keeps the suites apart that take turns here: each is found by its text', () => {
  const paths = ['storm/storm.e2e.long', 'distributed/zombie.long', 'distributed/gate.long'].map(
    (name) => new URL(`../../../../e2e/${name}.int.test.ts`, import.meta.url).pathname,
  );
  const other = put('other.int.test.ts', 'x');
  const sorted = orderTests([other, ...paths.map((path) => ({ path }))]);
  expect(sorted.map(({ path }) => path).indexOf(other.path)).toBe(1);
});
