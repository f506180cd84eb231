import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { parseProcessStat, readCpuByName, readEndedChildrenMicros, readOurCpuMicros } from './process-cpu.ts';

it('reads user and system time of a process whose name has spaces and parentheses', () => {
  const text = '4242 (postgres: (a) b) S 17 4242 4242 0 -1 4194560 1 2 3 4 100 20 30 4 20 0 1 0 99 1 2\n';
  expect(parseProcessStat(text, 10_000)).toEqual({
    pid: 4242,
    parentPid: 17,
    ownMicros: 1_200_000,
    endedChildrenMicros: 340_000,
  });
});

it('counts a child that has ended with this process', () => {
  const before = { ended: readEndedChildrenMicros(), ours: readOurCpuMicros() };
  execFileSync(process.execPath, ['-e', 'const end = performance.now() + 200; while (performance.now() < end);']);
  expect(readEndedChildrenMicros() - before.ended).toBeGreaterThan(50_000);
  expect(readOurCpuMicros() - before.ours).toBeGreaterThan(50_000);
});

it('adds up processes of one name', () => {
  const once = readCpuByName([{ name: 'node', pid: process.pid }]).get('node') ?? 0;
  const twice = readCpuByName([
    { name: 'node', pid: process.pid },
    { name: 'node', pid: process.pid },
  ]).get('node');
  expect(twice).toBeGreaterThanOrEqual(2 * once);
});
