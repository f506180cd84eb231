import { execFileSync } from 'node:child_process';

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

  it('freezes the group and lets it go on', async () => {
    const service = shell('i=0; while :; do i=$((i+1)); echo tick $i; sleep 0.01; done');
    await service.line(/tick 3/, { withinMs: 5_000 });
    service.signalGroup('SIGSTOP');
    // D: stopped between its fork and the child's exec, it waits for a child that is stopped too.
    await eventually(() => ['T', 'D'].includes(stateOf(service.pid)), { withinMs: 5_000 });
    const frozen = service.output().length;
    service.signalGroup('SIGCONT');
    await eventually(() => service.output().length > frozen, { withinMs: 5_000 });
    await service.destroy();
    expect(isRunning(service.pid)).toBe(false);
  });
});

/** R, S, T (stopped), Z (ended, not yet collected by its parent) or empty. */
function stateOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .slice(0, 1);
  } catch {
    return '';
  }
}

function isRunning(pid: number): boolean {
  return !['', 'Z'].includes(stateOf(pid));
}
