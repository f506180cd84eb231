import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { Meter } from '../src/sdk.ts';
import { startCountingServer, type CountingServer } from './support/counting-server.ts';

interface Expected {
  readonly about: string;
  readonly sent: string[];
  readonly rejected: object[];
  readonly left: string[];
  readonly lockAgeSeconds?: number;
}

const corpus = new URL('./spool-corpus/', import.meta.url).pathname;
const cases = readdirSync(corpus, { withFileTypes: true }).filter((entry) => entry.isDirectory());

let dir: string;
let server: CountingServer;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'spool-'));
  server = await startCountingServer();
});
afterEach(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

it.each(cases.map(({ name }) => name))('F200 is read as its expected.json says: %s', async (name) => {
  const expected = JSON.parse(readFileSync(join(corpus, name, 'expected.json'), 'utf8')) as Expected;
  cpSync(join(corpus, name, 'spool'), dir, { recursive: true });
  if (expected.lockAgeSeconds !== undefined) ageLock(expected.lockAgeSeconds);

  const warnings: string[] = [];
  const onWarning = (message: string): number => warnings.push(message);
  const meter = await Meter.open({ dir, url: server.baseUrl, apiKey: 'tg_live_test', onWarning });
  expect(await meter.close()).toMatchObject({ left: 0 });

  expect([...server.counted.keys()]).toEqual(expected.sent);
  expect(rejectedLines()).toMatchObject(expected.rejected);
  expect(rejectedLines()).toHaveLength(expected.rejected.length);
  const left = readdirSync(dir).filter((file) => !['rejected.jsonl', 'account.json'].includes(file));
  expect(left.sort()).toEqual(expected.left.toSorted());
});

function ageLock(ageSeconds: number): void {
  const lock = readdirSync(dir).find((file) => file.endsWith('.lock')) ?? '';
  const time = systemClock.now() / 1000 - ageSeconds;
  utimesSync(join(dir, lock), time, time);
}

function rejectedLines(): object[] {
  const path = join(dir, 'rejected.jsonl');
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as object);
}
