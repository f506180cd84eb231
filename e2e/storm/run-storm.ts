import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { systemClock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { StruckFault } from '@tollgate/testkit/faults/keep-fault-run';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { openJournal } from '@tollgate/testkit/load/journal';
import { startLoad, type Load } from '@tollgate/testkit/load/start-load';
import type { CountingReport } from '@tollgate/testkit/oracles/check-counting';
import { openKafkaLog } from '@tollgate/testkit/oracles/kafka-log';
import { connectOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';
import { judgeRun, type JudgedRun } from '../judge-run.ts';
import { registerCast } from '../register-cast.ts';
import { openStormDeployment, type StormDeployment } from './storm-deployment.ts';
import { faultsFor, type StormFault } from './storm-faults.ts';
import { createRecoveryWatch, type RecoveryWatch } from './watch-recovery.ts';

export interface StormOptions {
  /** Holds data, journal and logs. */
  readonly folder: string;
  readonly random: SeededRandom;
  /** The storm goes on until both are reached, or until `enough` is aborted. */
  readonly until: { readonly minutes: number; readonly events: number; readonly enough?: AbortSignal };
  readonly eventsPerSecond: number;
  /** Prints a line of progress now and then. */
  readonly say: (line: string) => void;
  readonly log: Logger;
}

export interface StormReport extends CountingReport {
  /** Faults that struck together have the same recovery. */
  readonly faults: readonly StruckFault[];
  /** How often each service ended without a signal and was started again. */
  readonly endedByThemselves: Readonly<Record<string, number>>;
}

const clients = 24;
const consumers = 6;
const batchEventsMax = 500;
const togetherMax = 4;
const quietMs = 1_000;
const sayEveryMs = 60_000;
const drainPatienceMs = 300_000;

/**
 * Sends events by HTTP to the distributed shape while one to four faults at a time strike, again and again. Then it heals
 * everything, and the oracles judge. The seed fixes the load, the faults and their order.
 */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const { folder, random, say, log } = options;
  const deployment = await openStormDeployment(folder, { log, say });
  let load: Load | undefined;
  try {
    const { baseUrl } = deployment.router;
    const client = createHttpClient({ baseUrl });
    const cast = await registerCast(client, consumers);
    const watch = createRecoveryWatch(deployment.postgres.ownerUrl);
    const journal = openJournal(join(folder, 'journal.ndjson'));
    load = startLoad({
      baseUrl: async () => baseUrl,
      accounts: withKeysAlone(cast.consumers),
      toolIds: cast.toolIds,
      journal,
      random: random.fork(),
      clients,
      batchEventsMax,
      eventsPerSecond: options.eventsPerSecond,
      onAnswer: watch.note,
    });
    const { struck: faults, unrecovered } = await strikeOn(deployment, {
      ...options,
      random: random.fork(),
      load,
      watch,
    });
    say('everything is healed; events of unknown outcome are sent again …');
    await load.settle({ withinMs: 120_000 });
    await journal.close();
    const judged = await judge(deployment, { client, cast, journalPath: journal.path, say });
    const endedByThemselves = Object.fromEntries(
      [...deployment.services.values()].map((service) => [service.name, service.endedByItself()]),
    );
    const violations = [...unrecovered, ...load.contradictions, ...judged.violations];
    return { ...judged, violations, faults, endedByThemselves };
  } finally {
    load?.stop();
    await deployment.destroy();
  }
}

async function judge(
  { broker, postgres }: StormDeployment,
  run: Pick<JudgedRun, 'client' | 'cast' | 'journalPath' | 'say'>,
): Promise<CountingReport> {
  const log = await openKafkaLog(broker.address, usageEventsTopic);
  const database = await connectOracleDatabase(postgres.ownerUrl);
  try {
    return await judgeRun({ ...run, database, log, drainWithinMs: drainPatienceMs });
  } finally {
    await database.end();
    await log.close();
  }
}

/** Leaves the API keys alone: access tokens expire within the hour, and the storm is not about that. */
function withKeysAlone<Account extends { readonly credentials: readonly [string, ...string[]] }>(
  accounts: readonly [Account, ...Account[]],
): readonly [Account, ...Account[]] {
  const keyAlone = (account: Account): Account => {
    const [, key = account.credentials[0]] = account.credentials;
    return { ...account, credentials: [key] };
  };
  const [first, ...others] = accounts;
  return [keyAlone(first), ...others.map(keyAlone)];
}

interface Striking extends StormOptions {
  readonly load: Load;
  readonly watch: RecoveryWatch;
}

interface Struck {
  readonly struck: StruckFault[];
  /** The faults after which counting did not resume in time, in words. */
  readonly unrecovered: string[];
}

async function strikeOn(deployment: StormDeployment, striking: Striking): Promise<Struck> {
  const { random, until, load, watch, say } = striking;
  const possible = faultsFor(deployment);
  const startedMs = systemClock.monotonicMs();
  const struck: StruckFault[] = [];
  const unrecovered: string[] = [];
  const isLongEnough = () => systemClock.monotonicMs() - startedMs >= until.minutes * 60_000;
  const isOver = () => until.enough?.aborted || (isLongEnough() && load.acknowledged() >= until.events);
  let saidMs = startedMs;
  while (!isOver()) {
    const faults = pickTogether(random, possible);
    const kinds = faults.map(({ kind }) => kind);
    await Promise.all(faults.map((fault) => fault.strike(deployment, random.fork())));
    const { recoveryMs, isRecovered } = await watch.untilRecovered();
    if (!isRecovered) unrecovered.push(`not recovered within ${recoveryMs} ms from: ${kinds.join(', ')}`);
    struck.push(...kinds.map((kind) => ({ kind, recoveryMs })));
    const nowMs = systemClock.monotonicMs();
    if (nowMs - saidMs >= sayEveryMs) {
      saidMs = nowMs;
      const minutes = Math.round((nowMs - startedMs) / 60_000);
      say(
        `${minutes} min: ${load.acknowledged()} events acknowledged, ${struck.length} faults; recovery from ${kinds.join(', ')} took ${recoveryMs} ms`,
      );
    }
    await sleep(random.integer(0, quietMs));
  }
  return { struck, unrecovered };
}

function pickTogether(random: SeededRandom, [first, ...others]: readonly StormFault[]): StormFault[] {
  if (first === undefined) return [];
  const picked = Array.from({ length: random.integer(1, togetherMax) }, () => random.pick([first, ...others]));
  return picked.filter(({ target }, at) => picked.findIndex((fault) => fault.target === target) === at);
}
