import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { Command } from 'commander';
import { completionScript } from './completion.ts';

const program = new Command('tollgate');
program.command('whoami');
const keys = program.command('keys');
keys.command('list');
keys.command('create');
const rules = keys.command('rules');
rules.command('show');
rules.command('set');

/** Completes these words as bash does: it offers words for the last one, which is being typed. */
function offered(...words: string[]): string {
  const script = `${completionScript(program, 'bash')}
    COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _tollgate
    echo "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim();
}

it('bash completes commands and their subcommands', () => {
  expect(offered('tollgate', 'w')).toBe('whoami');
  expect(offered('tollgate', 'keys', '')).toBe('list create rules');
  expect(offered('tollgate', 'keys', 'rules', 's')).toBe('show set');
  expect(offered('tollgate', 'keys', 'list', '')).toBe('');
  expect(offered('tollgate', 'whoami', '')).toBe('');
});

it('there are scripts for zsh and fish, and for no other shell', () => {
  expect(completionScript(program, 'zsh')).toContain('bashcompinit');
  expect(completionScript(program, 'fish')).toContain("-n '__fish_seen_subcommand_from keys' -a 'list create rules'");
  expect(completionScript(program, 'fish')).toContain("keys; and __fish_seen_subcommand_from rules' -a 'show set'");
  expect(completionScript(program, 'csh')).toBeUndefined();
});
