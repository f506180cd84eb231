import { expect, it } from '@jest/globals';
import { withRunBefore, type Result } from './result-files.ts';

const result = (ratio: number, commit: string): Result => ({
  id: 'R0',
  goal: '≥ 0.5 × ceiling',
  ceiling: { what: 'ceiling', unit: '/s', moved: 0, min: 100, median: 100, max: 100 },
  figure: { what: 'ours', unit: '/s', min: ratio * 100, median: ratio * 100, max: ratio * 100 },
  ratio: { min: ratio, median: ratio, max: ratio },
  spread: 0,
  met: ratio >= 0.5,
  disturbedRounds: 0,
  movedRounds: 0,
  cpuMicrosPerEvent: { ours: {}, ceiling: null },
  rounds: [],
  machine: { cpu: 'a CPU', cores: 2, memoryGiB: 24 },
  versions: {},
  commit,
  command: 'pnpm bench R0',
  secondsPerRound: 5,
  measuredAt: '2026-11-25T00:00:00.000Z',
});

it('keeps the one run before, without its rounds', () => {
  const second = withRunBefore(result(0.6, 'second'), result(0.4, 'first'));
  const third = withRunBefore(result(0.7, 'third'), second);
  expect(second.before).toMatchObject({ ratio: { median: 0.4 }, met: false, commit: 'first' });
  expect(third).toMatchObject({ ratio: { median: 0.7 }, before: { ratio: { median: 0.6 }, commit: 'second' } });
  expect(third.before).not.toHaveProperty('before');
  expect(third.before).not.toHaveProperty('rounds');
});

it('has none for the first run', () => {
  expect(withRunBefore(result(0.6, 'first'), undefined)).not.toHaveProperty('before');
});
