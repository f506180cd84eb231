import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { busyMs } from '@tollgate/testkit/eventually';
import { buildStandalone, startStandalone, type StandaloneProcess } from '@tollgate/testkit/standalone-process';

let folder: string;
let service: StandaloneProcess;
beforeAll(async () => {
  await buildStandalone();
  folder = mkdtempSync(join(tmpdir(), 'tollgate-tour-'));
  chmodSync(folder, 0o711);
  service = startStandalone({ dataDir: join(folder, 'data') });
}, 120_000);
afterAll(async () => {
  await service.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

/** The second that counting takes, on a machine that is busy. */
const patientSleep = `sleep ${1 + busyMs / 1_000}`;

/** Each block of commands of the tour with the output that the README shows below it. */
function readTour(): { commands: string; output: string }[] {
  const tour = readme.split('## A tour in five minutes')[1]?.split('\n## ')[0] ?? '';
  const blocks = tour.matchAll(/```sh\n(.*?)```\n\n```text\n(.*?)```/gs);
  return Array.from(blocks, ([, commands = '', output = '']) => ({ commands, output: output.trim() }));
}

/** What is another's at each run: ids, times, keys. */
function withoutIds(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
    .replaceAll(/tg_live_\w+/g, '<key>')
    .replaceAll(/"last_four":"\w{4}"/g, '"last_four":"<four>"');
}

it('The README’s tour works as printed, pasted block by block into one shell', async () => {
  const { baseUrl } = await service.ready();
  const tour = readTour();
  expect(tour.length).toBeGreaterThan(5);
  const script = tour
    .map(({ commands }) => commands.replaceAll('http://127.0.0.1:8080', baseUrl).replaceAll('sleep 1', patientSleep))
    .join('\necho; echo ~~~\n');
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', script]);
  expect(stderr).toBe('');
  const outputs = stdout.split('~~~\n').map((output) => withoutIds(output.trim()));
  expect(outputs).toEqual(tour.map(({ output }) => withoutIds(output)));
});

it('The README’s first screen shows answers of the tour', () => {
  const firstScreen = readme.split('\n## ')[0] ?? '';
  const shown = firstScreen.split('\n').filter((line) => line.startsWith('{'));
  expect(shown.length).toBeGreaterThan(0);
  const outputs = readTour().flatMap(({ output }) => output.split('\n'));
  for (const line of shown) expect(outputs).toContain(line);
});
