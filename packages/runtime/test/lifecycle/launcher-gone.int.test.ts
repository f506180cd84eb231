import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';

const launcherGonePath = `${import.meta.dirname}/../../src/lifecycle/launcher-gone.ts`;
const withinMs = 20_000;

const running: ChildService[] = [];
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-launcher-'));
  writeFileSync(
    join(folder, 'service.ts'),
    `import { launcherAgeMs, launcherGone } from ${JSON.stringify(launcherGonePath)};
    setInterval(() => {}, 1_000);
    const gone = launcherGone();
    console.log('running', Math.round(launcherAgeMs() ?? -1), Math.round(process.uptime() * 1_000));
    console.log(await gone);
    process.exit(0);`,
  );
});
afterEach(async () => {
  for (const launched of running.splice(0)) await launched.destroy();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process named as it is told that runs a shell that runs the service, as package runners do. */
function launch(name: string) {
  const command = `"${process.execPath}" --disable-warning=ExperimentalWarning "${join(folder, 'service.ts')}"; true`;
  const script = `require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(command)}], { stdio: 'inherit' })`;
  writeFileSync(join(folder, name), script);
  const launched = startChildService({ command: process.execPath, args: [join(folder, name)] });
  running.push(launched);
  return launched;
}

it.each(['npx', 'pnpm.cjs'])('tells when %s, which started us by a shell, was killed', async (name) => {
  const runner = launch(name);
  await runner.line(/^running/m, { withinMs });
  runner.signal('SIGKILL'); // it alone
  const logged = await eventually(() => /^the process that started us is gone \((\d+)\)/m.exec(runner.output()), {
    withinMs,
  });
  expect(Number(logged?.[1])).toBe(runner.pid);
});

it('knows how long ago the topmost runner began, which is longer than we run', async () => {
  const launchedMs = systemClock.monotonicMs();
  const [, age = '', own = ''] = await launch('npx').line(/^running (\d+) (\d+)$/m, { withinMs });
  expect(Number(age)).toBeGreaterThan(Number(own));
  expect(Number(age)).toBeLessThanOrEqual(systemClock.monotonicMs() - launchedMs + 1_000); // ps counts whole seconds
});

it('has no interest in who is no package runner', async () => {
  const supervisor = launch('supervise.cjs');
  await supervisor.line(/^running/m, { withinMs });
  supervisor.signal('SIGKILL');
  await wait(1_500); // three looks
  expect(supervisor.output()).toMatch(/^running -1 \d+\n$/);
});
