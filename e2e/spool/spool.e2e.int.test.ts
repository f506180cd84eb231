import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { Meter, Tollgate } from '@tollgate/sdk';
import { eventually } from '@tollgate/testkit/eventually';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { startRecording, type Recording } from '../../packages/sdk/test/support/start-recording.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openServiceInTrouble } from './service-in-trouble.ts';

/** `KILLS=200 EVENTS=200000` is the long form, run by hand. */
const kills = Number(process.env['KILLS'] ?? 8);
const events = Number(process.env['EVENTS'] ?? 2_000);
const perLife = Math.ceil(events / kills);

describe('programs that meter their calls and are killed', () => {
  const it = itWith(async (undo) => {
    await buildStandalone();
    const programs: Recording[] = [];
    const folder = openFolder('spool', undo, () => programs.map((program) => program.output()).join('\n'));
    const service = await openServiceInTrouble(join(folder, 'data'), undo);
    undo(() => Promise.all(programs.map((program) => program.destroy())));
    return { dir: join(folder, 'spool'), service, programs };
  });

  it(
    `F212 every record() that returned is counted once and none else, through ${kills} kills of programs, service and network`,
    async ({ dir, service, programs }) => {
      const random = seededRandom('spool test');
      const { url, apiKey } = await service.open();
      for (let life = 0; life < kills; life += 1) {
        const program = startRecording({ dir, url, apiKey, concurrency: 16, count: 2 * perLife });
        programs.push(program);
        await program.line(/^open$/m, { withinMs: 20_000 });
        const healed = service.makeTrouble(random, life);
        await liveFor(program, random.integer(1, 2 * perLife));
        program.signal('SIGKILL');
        await Promise.all([program.exited, healed]);
      }
      await service.heal();

      const tollgate = new Tollgate({ url, apiKey });
      const meter = await Meter.open({ dir, tollgate });
      expect(await meter.close({ timeoutMs: 120_000 })).toEqual({ left: 0 });
      const begun = new Set(programs.flatMap((program) => [...program.begun()]));
      const kept = new Set(programs.flatMap((program) => [...program.kept()]));
      const counted = await countedKeys(tollgate, kept.size);
      process.stderr.write(
        `spool test: ${JSON.stringify({ kills, begun: begun.size, kept: kept.size, counted: counted.length, ...service.figures() })}\n`,
      );

      const once = new Set(counted);
      expect([...kept].filter((key) => !once.has(key))).toEqual([]);
      expect(counted.filter((key) => !begun.has(key))).toEqual([]);
      expect(once.size).toBe(counted.length);
      expect((await tollgate.usage.get()).totals.calls).toBe(counted.length);
      expect(kept.size).toBeGreaterThan(kills);
      expect(existsSync(join(dir, 'rejected.jsonl'))).toBe(false);
      expect(readdirSync(dir)).toEqual(['account.json']);
    },
    180_000 + kills * 10_000,
  );
});

/** Until it has kept so many events. */
async function liveFor(program: Recording, keptMin: number): Promise<void> {
  await eventually(() => program.kept().size >= keptMin, { withinMs: 60_000, everyMs: 5 });
}

/** The keys of all counted events. The last ones are counted a moment after they are recorded. */
async function countedKeys(tollgate: Tollgate, atLeast: number): Promise<string[]> {
  return eventually(
    async () => {
      const { calls } = (await tollgate.usage.get()).totals;
      if (calls < atLeast) throw new Error(`${calls} of ${atLeast} are counted`);
      const keys: string[] = [];
      for await (const event of tollgate.events.list({ limit: 100 })) {
        if ('idempotency_key' in event) keys.push(event.idempotency_key ?? '');
      }
      return keys.length === calls ? keys : undefined;
    },
    { withinMs: 120_000, everyMs: 500 },
  ).then((keys) => keys ?? []);
}
