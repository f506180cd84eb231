import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startChildService } from '../../src/child-service.ts';
import { repository } from '../../src/faults/repository.ts';

const suites = [
  'packages/event-log/test/kafka/topics.int.test.ts',
  'services/ingest-gateway/test/shared-memory/redis.int.test.ts',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-no-servers-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A run of jest on a machine that has neither Java nor Redis. */
async function runSuites(env: Readonly<Record<string, string>>): Promise<{ code: number | null; output: string }> {
  const args = [
    '--experimental-vm-modules',
    '--conditions=@tollgate/source',
    'node_modules/jest/bin/jest.js',
    ...suites,
  ];
  const bare = { PATH: folder, HOME: folder, TMPDIR: folder, TEST_SERVERS: 'local', ...env };
  const run = startChildService({ command: process.execPath, args, cwd: repository, env: bare });
  const { code } = await run.exited;
  const output = run.output();
  await run.destroy();
  return { code, output };
}

it('skips the suites whose servers cannot run here, and says why', async () => {
  const { code, output } = await runSuites({});
  expect(output).toMatch(/suites that need Kafka are skipped: Kafka needs Java 17 or newer; found: none/);
  expect(output).toMatch(/suites that need Redis are skipped: Redis: there is no redis-server in the PATH/);
  expect(output).toMatch(/Test Suites: 2 skipped, 0 of 2 total/);
  expect(code).toBe(0);
}, 180_000);

it('fails the run for it with CI=true', async () => {
  const { code, output } = await runSuites({ CI: 'true' });
  expect(output).toMatch(
    /Skipped, and CI=true:\n {2}two gateways and a Redis \(skipped: Redis: there is no|Skipped, and CI=true:\n {2}.*Kafka/,
  );
  expect(code).toBe(1);
}, 180_000);
