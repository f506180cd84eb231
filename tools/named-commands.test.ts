import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { createProgram } from '../packages/cli/src/run-command-line.ts';
import { createOperatorProgram } from '../services/standalone/src/run-cli.ts';

const root = new URL('..', import.meta.url).pathname;
const texts = ['README.md', 'docs/*.md', 'examples/*/README.md', 'packages/*/README.md', 'services/*/README.md'];
const sources = ['packages/*/src/*.ts', 'services/*/src/*.ts', 'deploy/observability/*.yml'];

/** A command in code quotes, or after a word of advice: `tollgate keys create`, and with npx before it. */
const named = /(?:\\?`|: |, then |^)(npx )?(-y pnpm@10 )?tollgate ([a-z][\w-]*(?: [a-z][\w-]*)*)/gm;

function namedIn(file: string): { text: string; words: string[]; isOfCheckout: boolean }[] {
  const found = readFileSync(root + file, 'utf8').matchAll(named);
  return Array.from(found, ([text, , pnpm, words = '']) => ({
    text: `${file}: ${text}`,
    words: words.split(' '),
    isOfCheckout: pnpm !== undefined,
  }));
}

/** Follows the words into subcommands; what comes after the last one are arguments. */
function exists(program: ReturnType<typeof createProgram>, [word, ...others]: readonly string[]): boolean {
  if (program.commands.length === 0 || word === undefined) return true;
  const next = program.commands.find((command) => command.name() === word);
  return next !== undefined && exists(next, others);
}

it('every command that a message or a page names exists, under that name', () => {
  const files = execFileSync('git', ['ls-files', ...texts, ...sources], { cwd: root, encoding: 'utf8' }).trim();
  const all = files.split('\n').flatMap(namedIn);
  expect(all.length).toBeGreaterThan(100);
  const [cli, operator] = [createProgram({}), createOperatorProgram({})];
  const missing = all.filter(({ words, isOfCheckout }) => {
    const [first, ...others] = words;
    if (first === 'on') return false; // how a program that signs in calls itself
    if (first === 'operator') return !exists(operator, others);
    return isOfCheckout ? !exists(operator, words) : !exists(cli, words);
  });
  expect(missing.map(({ text }) => text)).toEqual([]);
});
