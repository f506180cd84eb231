import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import type { ClockMove } from '@tollgate/runtime/sandbox-clock/sandbox-clock';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { createMoveClock } from './move-clock.ts';
import type { RunDueWork } from './run-due-work.ts';
import { silentLog } from '../../test/support/silent-log.ts';

const trailMs = 7_000;

interface Given {
  readonly watermarkMs?: (looks: number) => number;
  readonly answerMs?: number;
  readonly runDueWork?: RunDueWork;
}

const allDone = { closedPeriods: [], workedThroughMs: 9_000_000, isMoreDue: false };

function setUp({ watermarkMs = () => 9_000_000, answerMs = 10_000, runDueWork = async () => allDone }: Given) {
  const done: string[] = [];
  let nowMs = 1_000_000;
  let looks = 0;
  const { moveClock, goingOn } = createMoveClock({
    clock: {
      name: 'clock',
      start: async () => undefined,
      stop: async () => undefined,
      now: () => nowMs,
      monotonicMs: systemClock.monotonicMs,
      isFrozen: () => true,
      async move({ to }) {
        nowMs = to !== undefined && 'nowMs' in to ? to.nowMs : nowMs + (to?.advanceMs ?? 0);
        done.push('moved');
      },
    },
    hurryCounting: async () => watermarkMs((looks += 1)),
    async runDueWork() {
      done.push(`due after ${looks} looks`);
      return runDueWork();
    },
    noteWorkedThrough: async (throughMs) => void done.push(`worked through ${throughMs}`),
    trailMs,
    endMs: 9_000_000,
    answerMs,
    log: silentLog,
  });
  const move = (to: ClockMove['to']) => moveClock({ to, isFrozen: true }, { kind: 'operator' });
  return { move, stop: () => goingOn.stop(), done };
}

describe('moving the clock', () => {
  it('does what is due once all that was received before is counted, and not earlier', async () => {
    const { move, done } = setUp({ watermarkMs: (looks) => 2_000_000 - trailMs - (looks < 3 ? 1 : 0) });
    expect(await move({ nowMs: 2_000_000 })).toEqual({ nowMs: 2_000_000, isComplete: true });
    expect(done).toEqual(['moved', 'due after 3 looks', 'worked through 9000000']);
  });

  it('runs due work again until all that was due is done', async () => {
    const throughMs = [undefined, 1_000_000, 2_000_000];
    const runDueWork = async () => ({ ...allDone, workedThroughMs: throughMs.shift() });
    const { move, done } = setUp({ runDueWork });
    expect(await move({ nowMs: 2_000_000 })).toMatchObject({ isComplete: true });
    expect(done).toHaveLength(1 + 3 + 1);
  });

  it('F268 answers before the work has ended, which goes on and says when it has', async () => {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const { move, stop, done } = setUp({ answerMs: 30, runDueWork: () => ended.then(() => allDone) });
    expect(await move({ advanceMs: 5_000 })).toEqual({ nowMs: 1_005_000, isComplete: false });
    end();
    await eventually(() => done.at(-1) === 'worked through 9000000', { withinMs: busyMs });
    await stop();
  });

  it('F268 answers although counting does not follow, does nothing meanwhile, and ends with the service', async () => {
    const { move, stop, done } = setUp({ watermarkMs: () => 0, answerMs: 30 });
    expect(await move({ advanceMs: 5_000 })).toMatchObject({ isComplete: false });
    await stop();
    expect(done).toEqual(['moved']);
  });

  it('tells a failure of the work', async () => {
    const { move } = setUp({ runDueWork: () => Promise.reject(new Error('this one is broken')) });
    await expect(move({ advanceMs: 5_000 })).rejects.toThrow('this one is broken');
  });

  it.each([
    ['/now', { nowMs: 9_000_000 }],
    ['/advance_seconds', { advanceMs: 8_000_000 }],
  ])('refuses %s beyond where the clock may go, and moves nothing', async (pointer, to) => {
    const { move, done } = setUp({});
    const errors = [expect.objectContaining({ pointer })];
    await expect(move(to)).rejects.toMatchObject({ code: 'invalid_request', errors });
    expect(done).toEqual([]);
  });
});
