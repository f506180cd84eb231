import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemClock, toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import pg from 'pg';
import type { DistributedProduct } from './distributed.ts';
import type { StandaloneProduct } from './standalone.ts';

/** Something that a platform does beside its events. */
export interface Meanwhile {
  /** Makes what it needs, before there is load. */
  prepare?(): Promise<void>;
  /** Resolves when it has begun, under load. Default: it begins with `run`. */
  begun?(): Promise<void>;
  /** Resolves when it is over. */
  run(): Promise<void>;
  end(): Promise<void>;
}

const lastsMs = 5_000;
const lookEveryMs = 20;
/** From the start of a service's process until it has joined its group. */
const joinsWithinMs = 1_500;

export function nothing(): Meanwhile {
  return { run: () => sleep(lastsMs), end: async () => undefined };
}

/** One `tollgate backup` after the other. Copying holds up its process, so it is none of those that measure. */
export function backups({ dataDir, cli }: StandaloneProduct): Meanwhile {
  const target = join(dataDir, '..', `${process.pid}-backup`);
  return {
    run: () =>
      repeat(async () => {
        await promisify(execFile)(process.execPath, [cli, 'backup', target, '--data', dataDir]);
        await rm(target, { recursive: true });
      }),
    end: () => rm(target, { recursive: true, force: true }),
  };
}

const tablesOfDayText = 'select usage.ensure_day($1::date), event_log.ensure_segment($1::date)';

/** The tables of one day after the other, ten days per second; a platform makes those of one day per day. */
export function newDays({ statementsUrl }: StandaloneProduct): Meanwhile {
  const server = new pg.Client({ connectionString: statementsUrl });
  let day = 10;
  return {
    prepare: async () => void (await server.connect()),
    run: () =>
      repeat(async () => {
        day += 1;
        await server.query(tablesOfDayText, [toIso(systemClock.now() + day * dayMs).slice(0, 10)]);
        await sleep(100);
      }),
    end: () => server.end(),
  };
}

/** The aggregator that leaves its group and joins it again. */
export const restarted = 'aggregator-2';

/** One of the aggregators is told to stop, and is started again: the others take its partitions, and give some back. */
export function rebalances({ pidOf }: Pick<DistributedProduct, 'pidOf'>): Meanwhile {
  return {
    run: () =>
      repeat(async () => {
        const pid = pidOf(restarted);
        process.kill(pid, 'SIGTERM');
        while (pidOf(restarted) === pid) await sleep(lookEveryMs);
        await sleep(joinsWithinMs);
      }),
    end: async () => undefined,
  };
}

async function repeat(once: () => Promise<void>): Promise<void> {
  const untilMs = systemClock.monotonicMs() + lastsMs;
  do await once();
  while (systemClock.monotonicMs() < untilMs);
}

const consumers = 10_000;
const hours = 5;
const usageText = `
insert into usage.rollup
select md5('consumer' || c)::uuid, $2, date_trunc('month', now(), 'UTC') - n * interval '1 hour', true, 100 + n, 5000
from generate_series(1, $1) c, generate_series(1, $3) n order by 1, 2, 3`;
const invoicesText = 'select count(*)::int as invoices from billing.invoice';
const closeWithinMs = 120_000;

/** Billing's own tick, twice a minute, closes the last month of 10,000 consumers: once per product. */
export function close({ statementsUrl, toolId }: StandaloneProduct): Meanwhile {
  const server = new pg.Client({ connectionString: statementsUrl });

  async function untilInvoices(atLeast: number): Promise<void> {
    const giveUpMs = systemClock.monotonicMs() + closeWithinMs;
    for (;;) {
      const { rows } = await server.query<{ invoices: number }>(invoicesText);
      if ((rows[0]?.invoices ?? 0) >= atLeast) return;
      if (systemClock.monotonicMs() > giveUpMs) throw new Error(`no ${atLeast} invoices after ${closeWithinMs} ms`);
      await sleep(lookEveryMs);
    }
  }

  return {
    async prepare() {
      await server.connect();
      await server.query(usageText, [consumers, toolId, hours]);
    },
    begun: () => untilInvoices(1),
    run: () => untilInvoices(consumers),
    end: () => server.end(),
  };
}
