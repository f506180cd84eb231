import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { startRecording, type Recording } from './support/start-recording.ts';
import { useMeter } from './support/use-meter.ts';

const bench = useMeter();
let programs: Recording[];
beforeEach(() => void (programs = []));
afterEach(() => Promise.all(programs.map((program) => program.destroy())));

async function start(count?: number): Promise<Recording> {
  const { dir, server } = bench;
  const program = startRecording({ dir, url: server.baseUrl, apiKey: 'tg_live_test', ...(count && { count }) });
  programs.push(program);
  await program.line(/^open$/m, { withinMs: 10_000 });
  return program;
}

const writers = (): string[] => [
  ...new Set(readdirSync(bench.dir).flatMap((name) => /^(\w{16})-/.exec(name)?.[1] ?? [])),
];

it('F204 processes share a folder: the dead one is taken over, the living one is left alone, and all count once', async () => {
  bench.server.always = { status: 503, code: 'unavailable' };
  const dead = await start();
  const living = await start();
  await eventually(() => dead.kept().size > 100 && living.kept().size > 100, { withinMs: 20_000 });
  expect(writers()).toHaveLength(2);
  dead.signal('SIGKILL');
  await dead.exited;

  const next = await start(500); // takes over from the dead, and not from the living
  await eventually(() => writers().length === 2, { withinMs: 20_000 });
  living.signal('SIGKILL');
  await living.exited;
  bench.server.always = undefined;
  await next.line(/^closed/m, { withinMs: 60_000 });
  await (await bench.open()).close({ timeoutMs: 30_000 });

  const begun = new Set(programs.flatMap((program) => [...program.begun()]));
  const kept = programs.flatMap((program) => [...program.kept()]);
  expect(kept.filter((key) => !bench.server.counted.has(key))).toEqual([]);
  expect([...bench.server.counted.keys()].filter((key) => !begun.has(key))).toEqual([]);
  expect(readdirSync(bench.dir).filter((name) => name.endsWith('.spool'))).toEqual([]);
});
