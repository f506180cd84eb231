import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import { keepFaultRun, type StruckFault } from '@tollgate/testkit/faults/keep-fault-run';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { openJournal } from '@tollgate/testkit/load/journal';
import { startLoad, type Load } from '@tollgate/testkit/load/start-load';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { postgresLog } from '@tollgate/testkit/oracles/postgres-log';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { itWith, openFolder } from '../it-with.ts';
import { judgeRun } from '../judge-run.ts';
import { registerCast } from '../register-cast.ts';
import { createKillableProduct, type KillableProduct } from './killable-product.ts';
import { planKills, type Kill } from './plan-kills.ts';

/** `KILLS=100` is the long form, run by hand. */
const kills = Number(process.env['KILLS'] ?? 10);
const clients = 8;
const recoveryPatienceMs = 30_000;
const servingMaxMs = 5_000; // a slow machine is killed before it gave all the answers of the plan

describe('killed under load', () => {
  const it = itWith(async (undo) => {
    await buildStandalone();
    const folder = openFolder('kill', undo, () => product.output());
    const dataDir = join(folder, 'data');
    const product = createKillableProduct(dataDir);
    undo(() => product.destroy());
    return { folder, dataDir, product, undo };
  });

  it(
    `F01 F12 F34 counts every acknowledged event exactly once through ${kills} kills`,
    async ({ folder, dataDir, product, undo }) => {
      const random = seededRandom('kill test');
      const { seed } = random;
      const plan = planKills(random.fork(), kills);
      await surviveFirstStart(product, random.integer(0, 2_500));
      const cast = await registerCast(createHttpClient({ baseUrl: await product.baseUrl() }), 6);
      const journal = openJournal(join(folder, 'journal.ndjson'));
      const { consumers: accounts, toolIds } = cast;
      const load = startLoad({ baseUrl: product.baseUrl, accounts, toolIds, journal, random: random.fork(), clients });
      undo(() => load.stop());
      const faults: StruckFault[] = [];
      for (const kill of plan)
        faults.push({ kind: `${kill.mode} killed`, recoveryMs: await dieAndRecover(product, load, kill) });
      await load.settle({ withinMs: 30_000 });
      await journal.close();

      const client = createHttpClient({ baseUrl: await product.baseUrl() });
      const { violations, ...figures } = await withOracleDatabase(ownerUrlOf(dataDir), (database) =>
        judgeRun({ database, log: postgresLog, journalPath: journal.path, client, cast }),
      );
      if (process.env['KEEP_FAULTS']) keepFaultRun({ size: `${kills} kills`, seed, faults, ...figures });
      process.stderr.write(`kill test: ${JSON.stringify({ seed, kills, ...figures, faults })}\n`);
      expect([...violations, ...load.contradictions]).toEqual([]);
      expect(figures.counted).toBeGreaterThan(kills);
    },
    120_000 + kills * 20_000,
  );
});

/** Kills the very first start too, so that a database is repaired that was not yet complete. */
async function surviveFirstStart(product: KillableProduct, launchedMs: number): Promise<void> {
  product.beginStart();
  await sleep(launchedMs);
  await product.kill('node alone');
  await product.start();
}

async function dieAndRecover(product: KillableProduct, load: Load, { mode, when }: Kill): Promise<number> {
  if ('launchedMs' in when) {
    await product.kill(mode);
    product.beginStart();
    await sleep(when.launchedMs);
  } else {
    const from = load.answered();
    await eventually(() => load.answered() > from, { withinMs: recoveryPatienceMs });
    const enoughMs = systemClock.monotonicMs() + servingMaxMs;
    const isEnough = () => load.answered() - from >= when.answers || systemClock.monotonicMs() > enoughMs;
    await eventually(isEnough, { withinMs: 2 * servingMaxMs, everyMs: 1 });
    await sleep(when.delayMs);
  }
  await product.kill(mode);
  return product.start();
}
