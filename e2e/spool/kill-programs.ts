import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { Tollgate } from '@tollgate/sdk';
import { eventually } from '@tollgate/testkit/eventually';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import type { Recording, RecordingOptions } from '../../packages/sdk/test/support/start-recording.ts';
import { openFolder, type Undo } from '../it-with.ts';
import { openServiceInTrouble, type ServiceInTrouble } from './service-in-trouble.ts';

export interface Killing {
  readonly dir: string;
  readonly service: ServiceInTrouble;
  readonly programs: Recording[];
}

/** A service, and an empty spool folder. */
export async function openKilling(name: string, undo: Undo): Promise<Killing> {
  await buildStandalone();
  const programs: Recording[] = [];
  const folder = openFolder(name, undo, () => programs.map((program) => program.output()).join('\n'));
  const service = await openServiceInTrouble(join(folder, 'data'), undo);
  undo(() => Promise.all(programs.map((program) => program.destroy())));
  return { dir: join(folder, 'spool'), service, programs };
}

interface KillOptions {
  readonly kills: number;
  /** About so many, over all programs. */
  readonly events: number;
  /** The programs of each life: they record at once, share the folder, and are killed together. */
  readonly programs: readonly StartProgram[];
}

type StartProgram = (options: RecordingOptions) => Recording;

/** Kills programs life after life, and the service and the network between. Expects that what they kept is counted once. */
export async function killPrograms(
  { dir, service, programs }: Killing,
  { kills, events, programs: each }: KillOptions,
) {
  const random = seededRandom('spool test');
  const { url, apiKey } = await service.open();
  const perProgram = Math.ceil(events / kills / each.length);
  const begin = (start: StartProgram, options: Pick<RecordingOptions, 'concurrency' | 'count'>): Recording => {
    const program = start({ dir, url, apiKey, ...options });
    programs.push(program);
    return program;
  };
  for (let life = 0; life < kills; life += 1) {
    const alive = each.map((start) => begin(start, { concurrency: 16, count: 2 * perProgram }));
    for (const program of alive) await program.line(/^open$/m, { withinMs: 20_000 });
    const healed = service.makeTrouble(random, life);
    for (const program of alive) await liveFor(program, random.integer(1, 2 * perProgram));
    for (const program of alive) program.signal('SIGKILL');
    await Promise.all([...alive.map((program) => program.exited), healed]);
  }
  await service.heal();
  const [start = noProgram] = each;
  await begin(start, { count: 1 }).line(/^closed 0$/m, { withinMs: 120_000 }); // it sends what all others have left
  await requireEachOnce({ dir, service, programs }, new Tollgate({ url, apiKey }));
  expect(programs.length).toBe(kills * each.length + 1);
}

function noProgram(): never {
  throw new Error('there is no program to kill');
}

async function requireEachOnce({ dir, service, programs }: Killing, tollgate: Tollgate): Promise<void> {
  const begun = new Set(programs.flatMap((program) => [...program.begun()]));
  const kept = new Set(programs.flatMap((program) => [...program.kept()]));
  const counted = await countedKeys(tollgate, kept);
  const figures = { begun: begun.size, kept: kept.size, counted: counted.length, ...service.figures() };
  process.stderr.write(`spool test: ${JSON.stringify(figures)}\n`);

  const once = new Set(counted);
  expect([...kept].filter((key) => !once.has(key))).toEqual([]);
  expect(counted.filter((key) => !begun.has(key))).toEqual([]);
  expect(once.size).toBe(counted.length);
  expect((await tollgate.usage.get()).totals.calls).toBe(counted.length);
  expect(kept.size).toBeGreaterThan(programs.length);
  expect(existsSync(join(dir, 'rejected.jsonl'))).toBe(false);
  expect(readdirSync(dir)).toEqual(['account.json']);
}

/** Until it has kept so many events. */
async function liveFor(program: Recording, keptMin: number): Promise<void> {
  await eventually(() => program.kept().size >= keptMin, { withinMs: 60_000, everyMs: 5 });
}

/** The keys of all counted events. The last ones are counted a moment after they are recorded. */
async function countedKeys(tollgate: Tollgate, kept: ReadonlySet<string>): Promise<string[]> {
  return eventually(
    async () => {
      const { calls } = (await tollgate.usage.get()).totals;
      if (calls < kept.size) throw new Error(`${calls} of ${kept.size} are counted`);
      const keys: string[] = [];
      for await (const event of tollgate.events.list({ limit: 100 })) {
        if ('idempotency_key' in event) keys.push(event.idempotency_key ?? '');
      }
      const counted = new Set(keys);
      const missing = [...kept].filter((key) => !counted.has(key)); // others, that were not kept, may be counted first
      if (missing.length > 0) throw new Error(`kept and not counted: ${missing.join(' ')}`);
      return keys.length === calls ? keys : undefined;
    },
    { withinMs: 120_000, everyMs: 500 },
  ).then((keys) => keys ?? []);
}
