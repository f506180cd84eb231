import { expect, it } from '@jest/globals';
import { parseCommandLine } from './command-line.ts';
import type { Row } from './row.ts';

const rows = [row('R1'), row('R8a', 'R8'), row('R8b', 'R8'), { ...row('R10'), isComparable: false }, row('R10b')];

it('runs the named rows in the order of the list, and the rows of a family by its name', () => {
  expect(idsOf(['r8', 'R1'])).toEqual(['R1', 'R8a', 'R8b']);
  expect(idsOf(['R10'])).toEqual(['R10']);
  expect(idsOf([])).toEqual(['R1', 'R8a', 'R8b', 'R10', 'R10b']);
});

it('refuses an unknown row and an unknown flag', () => {
  expect(parseCommandLine(['R99'], rows)).toEqual({ kind: 'refused', reason: 'there is no row R99' });
  expect(parseCommandLine(['--fast'], rows)).toMatchObject({ kind: 'refused' });
  expect(parseCommandLine(['--rounds', 'many'], rows)).toMatchObject({ kind: 'refused' });
});

it('compares all rows that can run another checkout, and refuses one that cannot', () => {
  expect(parseCommandLine(['--compare', 'HEAD~1'], rows)).toMatchObject({
    kind: 'compare',
    options: { ref: 'HEAD~1' },
  });
  expect(idsOf(['--compare', 'HEAD~1'])).not.toContain('R10');
  expect(parseCommandLine(['--compare', 'HEAD~1', 'R10'], rows)).toMatchObject({ kind: 'refused' });
});

function idsOf(args: string[]): string[] {
  const command = parseCommandLine(args, rows);
  return 'rows' in command ? command.rows.map(({ id }) => id) : [];
}

function row(id: string, family?: string): Row {
  return {
    id,
    ...(family === undefined ? {} : { family }),
    ours: id,
    ceiling: undefined,
    unit: '/s',
    figure: 'value',
    isHigherBetter: true,
    goal: { of: 'figure', bound: { atLeast: 1 } },
    isComparable: true,
    openOurs: () => Promise.reject(new Error('not opened here')),
  };
}
