import { expect, it } from '@jest/globals';
import { standaloneCli } from '@tollgate/testkit/standalone-process';

import { blocksOf, paste, readPage, type PastedBlock } from './support/pasted-page.ts';
import { useStandalone } from './support/use-standalone.ts';

const running = useStandalone();
const readme = readPage('README.md');

/** The tour begins in the README and goes on in docs/tour.md. */
function readTour(): PastedBlock[] {
  const [, rest = ''] = readme.split('## A tour in five minutes');
  const [first = ''] = rest.split('\n## ');
  return [first, readPage('docs/tour.md')].flatMap(blocksOf);
}

/** Replaces ids, times and keys, which differ on each run. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replaceAll(/tg_(live|pass)_\w+/g, '<key>')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+(?=\/approvals)/g, '<address>')
    .replaceAll(/"(period|number)":"[^"]*"/g, '"$1":"<of the month>"')
    .replaceAll(/"last_four":"\w{4}"/g, '"last_four":"<four>"');
}

it('The README’s tour works as printed, pasted block by block into one shell', async () => {
  const tour = readTour();
  expect(tour.length).toBeGreaterThan(10);
  const createToken = `"${process.execPath}" "${standaloneCli}" operator-token create --data "${running.dataDir}"`;
  const { outputs, stderr } = await paste(tour, {
    adapt: (commands) =>
      commands
        .replaceAll('http://127.0.0.1:8080', running.baseUrl)
        .replaceAll('npx -y pnpm@10 tollgate operator-token create', createToken),
  });
  expect(stderr).toBe('');
  expect(outputs.map(withoutIds)).toEqual(tour.map(({ output }) => withoutIds(output)));
});

it('The README’s first screen shows answers of the tour', () => {
  const firstScreen = readme.split('\n## ')[0] ?? '';
  const shown = firstScreen.split('\n').filter((line) => line.startsWith('{'));
  expect(shown.length).toBeGreaterThan(0);
  const outputs = readTour().flatMap(({ output }) => output.split('\n'));
  for (const line of shown) expect(outputs).toContain(line);
});
