import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { createProgram } from './run-command-line.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

function allBelow(command: Command): Command[] {
  return command.commands.flatMap((sub) => [sub, ...allBelow(sub)]);
}

it('every command and every option says in its help what it does', () => {
  for (const command of allBelow(createProgram({}))) {
    expect(command.helpInformation()).toContain(`Usage: tollgate`);
    expect([command.name(), command.description()]).toEqual([command.name(), expect.stringMatching(/\w{2}/)]);
    for (const { flags, description } of command.options)
      expect([flags, description]).toEqual([flags, expect.stringMatching(/\w{2}/)]);
  }
});

it('the table of the README names every command', () => {
  for (const group of createProgram({}).commands) {
    const line = readme.split('\n').find((row) => row.startsWith('|') && row.includes(`\`${group.name()}`)) ?? '';
    expect(line).toContain(group.name());
    for (const sub of allBelow(group))
      expect([group.name(), line]).toEqual([group.name(), expect.stringContaining(sub.name())]);
  }
});
