import { readdirSync } from 'node:fs';
import { afterEach, expect, it } from '@jest/globals';
import { startChildService, type ChildService } from '@tollgate/testkit/child-service';
import { useMeter } from './support/use-meter.ts';

const bench = useMeter();
let child: ChildService | undefined;
afterEach(() => child?.destroy());
const program = new URL('./support/exiting-program.ts', import.meta.url).pathname;

async function start(way: string): Promise<ChildService> {
  const options = ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning'];
  const args = [...options, program, bench.dir, bench.server.baseUrl, way];
  const started = startChildService({ command: process.execPath, args });
  child = started;
  await started.line(/^recorded$/m, { withinMs: 20_000 });
  return started;
}

const ways = [
  { way: 'ended', title: 'that has nothing left to do', ends: { code: 0, signal: null } },
  { way: 'terminated', title: 'that gets SIGTERM, and dies of it', ends: { code: null, signal: 'SIGTERM' } },
  { way: 'handled', title: 'that gets SIGTERM and ends by itself', ends: { code: 7, signal: null } },
];

it.each(ways)('closeOnExit sends what is left of a program $title', async ({ way, ends }) => {
  const { signal, exited } = await start(way);
  if (way !== 'ended') signal('SIGTERM');
  expect(await exited).toEqual(ends);
  expect([...bench.server.counted.keys()]).toEqual([way]);
  expect(readdirSync(bench.dir)).toEqual(['account.json']);
});
