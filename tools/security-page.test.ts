import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';

const repository = fileURLToPath(new URL('..', import.meta.url));
const page = readFileSync(`${repository}/docs/security.md`, 'utf8');
const rows = page
  .split('\n')
  .filter((line) => /^\| \d+\.\d+\.\d+/.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('the table of docs/security.md', () => {
  it('names only tests that exist, and a way for each requirement that is met', () => {
    const missing = [...page.matchAll(/`((?:services|packages|e2e|tools)\/[^`]+)`/g)].filter(
      ([, path]) => !existsSync(`${repository}/${path}`),
    );
    expect(missing).toEqual([]);
    expect(rows.filter(([, verdict, how]) => verdict === 'met' && !how)).toEqual([]);
  });

  it('has no open requirement but the one that each account has a second factor', () => {
    const known = ['met', 'not applicable', 'by the operator', 'open'];
    expect(rows.filter(([, verdict = '']) => !known.includes(verdict))).toEqual([]);
    const open = rows.filter(([, verdict]) => verdict === 'open').map(([requirement]) => requirement);
    expect(open).toEqual(['6.3.3']);
  });

  it('has each chapter of the standard, each requirement once and in order', () => {
    const starts = rows.map(([requirement = '']) => requirement.split('–')[0]?.split('.').map(Number) ?? []);
    const sortable = starts.map((parts) => parts.reduce((sum, part) => sum * 100 + part, 0));
    expect(sortable).toEqual([...new Set(sortable)].toSorted((left, right) => left - right));
    expect([...new Set(starts.map(([chapter]) => chapter))]).toEqual(
      Array.from({ length: 17 }, (_, index) => index + 1),
    );
  });
});
