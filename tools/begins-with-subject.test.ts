import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

import { lacksSubject } from './lint-rules.js';

const root = new URL('..', import.meta.url).pathname;
const files = ['*.sql', '*.sh', '*.py', '*.ts', '*Dockerfile', '.ci/*'];
const dashes = /(?:^|\s)--\s+/; // SQL, also within our sources
const marks: Readonly<Record<string, RegExp>> = { sql: dashes, ts: dashes, py: /(?:^|\s)#:?\s+|^\s*"""/ };

/** The comments of a file without a subject. A line of its own that follows a comment at its column goes on with it. */
function subjectless(file: string): string[] {
  const mark = marks[file.split('.').at(-1) ?? ''] ?? /(?:^|\s)#\s+/;
  let column = -1;
  return readFileSync(root + file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const found = mark.exec(line);
      const start = found ? found.index + found[0].search(/\S/) : -1;
      const goesOn = start === column && line.slice(0, start).trim() === '';
      column = start;
      if (!found || goesOn || !lacksSubject.test(line.slice(found.index + found[0].length))) return [];
      return [`${file}:${index + 1}: ${line.trim()}`];
    });
}

it('begins each comment of SQL, shell and Python with its subject or its verb; oxlint looks at the others', () => {
  const listed = execFileSync('git', ['ls-files', ...files], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n');
  expect(listed.length).toBeGreaterThan(1_000);
  expect(listed.flatMap(subjectless)).toEqual([]);
});
