import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { keepFaultRun } from '@tollgate/testkit/faults/keep-fault-run';
import { cleanCommit } from '@tollgate/testkit/faults/repository';
import setUpCluster from '@tollgate/testkit/jest/global-setup';
import tearDownCluster from '@tollgate/testkit/jest/global-teardown';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { soakMoney } from '../services/billing/test/support/money-simulation/soak-money.ts';
import { runStorm } from './storm/run-storm.ts';
import { describeStorm } from './storm/describe-storm.ts';

const help = `Usage: pnpm soak [--minutes 120] [--events 10000000] [--rate 1600] [--folder <path>] [--keep]
       pnpm soak money [--minutes 60]

pnpm soak sends events by HTTP to the distributed shape: two gateways, two aggregators, auth, billing, Kafka, Redis and PostgreSQL,
each a process. Meanwhile it kills, freezes and replaces processes, and cuts, stalls and slows the links between them. In the end it
compares the clients' journal, the log, the counted events, the rollups and /v1/usage.
  --minutes  how long at least
  --events   how many acknowledged events at least; the storm goes on until both are reached
  --rate     events per second, on average
  --folder   where data, journal and logs go; a temporary folder by default. A million events take some 2 GB
  --keep     add the figures to docs/faults.md, unless there are uncommitted changes

pnpm soak money: plays random worlds of invoices, payments, refunds, disputes and payouts, whose process dies again and again,
and compares all books with a model in plain sums.

Ctrl-C ends the storm early, and its events so far are judged. Both print their seed first; FAULT_SEED=<seed> repeats a run.
Both exit with 1 if a single event or micro-dollar is wrong.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    events: { type: 'string', default: '10000000' },
    rate: { type: 'string', default: '1600' },
    folder: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [what = 'events'] = positionals;
const minutes = Number(values.minutes ?? (what === 'money' ? 60 : 120));
const [events, eventsPerSecond] = [Number(values.events), Number(values.rate)];
const say = (line: string) => void process.stdout.write(`${line}\n`);
const isAsked = ['events', 'money'].includes(what) && minutes > 0 && events >= 0 && eventsPerSecond > 0;
if (values.help || !isAsked) {
  process.stdout.write(help);
  process.exitCode = values.help ? 0 : 2;
} else {
  setUpCluster();
  process.exitCode = (await (what === 'money' ? soakTheMoney() : soakTheEvents())) ? 0 : 1;
  await tearDownCluster();
}

function soakTheMoney(): Promise<boolean> {
  return soakMoney({ random: seededRandom('money soak'), minutes, say });
}

async function soakTheEvents(): Promise<boolean> {
  if (values.keep && cleanCommit() === undefined) say('--keep will record nothing: there are uncommitted changes');
  await buildStandalone();
  const random = seededRandom('soak');
  const folder = mkdtempSync(join(values.folder ?? tmpdir(), 'tollgate-soak-'));
  say(`data, journal and logs: ${folder}`);
  const log = createLogger({ name: 'soak', level: 'warn', destination: process.stderr });
  const enough = new AbortController();
  process.once('SIGINT', () => enough.abort());
  const until = { minutes, events, enough: enough.signal };
  const startedMs = systemClock.monotonicMs();
  const report = await runStorm({ folder, random, until, eventsPerSecond, say, log });
  const tookMinutes = Math.round((systemClock.monotonicMs() - startedMs) / 60_000);
  if (values.keep) keepFaultRun({ size: `${tookMinutes} minutes`, seed: random.seed, ...report });
  say(describeStorm(random.seed, report));
  const { violations } = report;
  if (violations.length > 0) say(`files kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  return violations.length === 0;
}
