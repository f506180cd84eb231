import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { repository } from '@tollgate/testkit/faults/repository';
import { copyRepository } from '../copy-repository.ts';
import {
  arrowViolations,
  deadExportViolations,
  deadFileViolations,
  formatViolations,
  lintViolations,
  typeViolations,
  type Violation,
} from './violations.ts';

/**
 * A rule that cannot fail is decoration. A copy of the repository gets one violation of each kind. There the steps of
 * `pnpm check`, taken from package.json, must fail and name every violation.
 */

/** The beginning of a step, the flags that make it print rule and file on one line, and the violations to find. */
const kinds: readonly { kind: string; step: string; flags: string; violations: readonly Violation[] }[] = [
  { kind: 'format', step: 'oxfmt', flags: '', violations: formatViolations },
  { kind: 'lint', step: 'oxlint', flags: '-f unix', violations: lintViolations },
  { kind: 'types', step: 'tsc', flags: '--pretty false', violations: typeViolations },
  { kind: 'dependency rules', step: 'depcruise', flags: '', violations: arrowViolations },
  { kind: 'dead files', step: 'knip', flags: '--include files', violations: deadFileViolations },
  { kind: 'dead exports', step: 'knip', flags: '--include exports', violations: deadExportViolations },
];

describe('pnpm check', () => {
  let copy = '';

  beforeAll(() => {
    copy = copyRepository('check');
    for (const { file, code } of kinds.flatMap((kind) => kind.violations)) {
      mkdirSync(dirname(join(copy, file)), { recursive: true });
      writeFileSync(join(copy, file), code);
    }
  });

  afterAll(() => {
    rmSync(copy, { recursive: true, force: true });
  });

  it.each(kinds)('fails on violations of $kind and names each', ({ step, flags, violations }) => {
    const { status, output } = runStep(copy, step, flags);
    const lines = output.split('\n');
    const missed = violations.filter(
      ({ rule, file }) => !lines.some((line) => line.includes(rule) && line.includes(file)),
    );

    expect(missed).toEqual([]);
    expect(status).not.toBe(0);
  });

  it('has a proof for each dependency rule', async () => {
    const config = (await import(join(repository, '.dependency-cruiser.js'))) as RuleSet;

    const rules = config.default.forbidden.map(({ name }) => `error ${name}:`);

    expect(new Set(arrowViolations.map(({ rule }) => rule).filter(Boolean))).toEqual(new Set(rules));
  });
});

interface RuleSet {
  readonly default: { readonly forbidden: readonly { readonly name: string }[] };
}

function runStep(folder: string, step: string, flags: string): { status: number | null; output: string } {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { scripts: { check: string } };
  const command = manifest.scripts.check.split(' && ').find((part) => part.startsWith(step));
  if (!command) throw new Error(`pnpm check has no step that begins with ${step}`);
  const path = [join(folder, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${command} ${flags}`], {
    cwd: folder,
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, output: stdout + stderr };
}
