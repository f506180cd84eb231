import { spawnSync } from 'node:child_process';

import { describe, expect, it } from '@jest/globals';

import { startChildService } from '../src/child-service.ts';
import { eventually } from '../src/eventually.ts';

const shell = (script: string) => startChildService({ command: '/bin/sh', args: ['-c', script] });

describe('startChildService', () => {
  it('finds a line, and the last words of a process that ended', async () => {
    const service = shell('echo listening on 8080; echo bye >&2; exit 3');
    expect((await service.line(/on (\d+)/, { withinMs: 5_000 }))[1]).toBe('8080');
    expect(await service.exited).toEqual({ code: 3, signal: null });
    await service.line(/bye/, { withinMs: 5_000 });
    await expect(service.line(/never/, { withinMs: 5_000 })).rejects.toThrow(/before it ended.*\n.*listening/s);
    await service.destroy();
  });

  it('kills the whole group, grandchildren too', async () => {
    const service = shell('sleep 1000 & echo grandchild $!; wait');
    const grandchild = Number((await service.line(/grandchild (\d+)/, { withinMs: 5_000 }))[1]);
    service.signalGroup('SIGKILL');
    expect(await service.exited).toEqual({ code: null, signal: 'SIGKILL' });
    await eventually(() => !isRunning(grandchild), { withinMs: 5_000 });
    await service.destroy();
  });

  it('runs no more once it is frozen, and goes on afterwards', async () => {
    const rivals = Array.from({ length: 2 }, () => shell('while :; do :; done')); // so that a signal waits for its turn
    const service = shell('while :; do :; done');
    for (let round = 0; round < 10; round += 1) {
      await service.freeze();
      expect(stateOf(service.pid)).toBe('T');
      service.signalGroup('SIGCONT');
      await eventually(() => stateOf(service.pid) === 'R', { withinMs: 5_000, everyMs: 1 });
    }
    for (const each of [service, ...rivals]) await each.destroy();
  });
});

/** True for a process that has not ended. An ended one (Z) stays until its parent collects it. */
const isRunning = (pid: number): boolean => !['', 'Z'].includes(stateOf(pid));

function stateOf(pid: number): string {
  const { stdout } = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim().slice(0, 1);
}
