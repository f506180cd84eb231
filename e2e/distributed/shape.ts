import { join } from 'node:path';
import { systemClock } from '@tollgate/kernel/clock';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { openJournal, type Journal } from '@tollgate/testkit/load/journal';
import { startLoad, type Load, type LoadOptions } from '@tollgate/testkit/load/start-load';
import type { CountingReport } from '@tollgate/testkit/oracles/check-counting';
import type { JudgedLog } from '@tollgate/testkit/oracles/judged-log';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { postgresLog } from '@tollgate/testkit/oracles/postgres-log';
import { testDatabase } from '@tollgate/testkit/postgres';
import { seededRandom, type SeededRandom } from '@tollgate/testkit/seeded-random';
import type { ServiceName } from '@tollgate/testkit/service-process';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { openFolder, type Undo } from '../it-with.ts';
import { judgeRun } from '../judge-run.ts';
import { registerCast, type Cast } from '../register-cast.ts';
import { openDeployment, type Deployment } from './deployment.ts';

export interface ShapeDatabase {
  /** Where each role signs in. */
  readonly urlFor: (role: string) => string;
  /** Where the oracles sign in. */
  readonly ownerUrl: string;
}

export interface ShapeOptions {
  /** Names the folder that stays when a test fails. */
  readonly name: string;
  /** A test database of its own if not given. */
  readonly database?: ShapeDatabase;
  /** The log that the settings lead to; PostgreSQL if not given. */
  readonly log?: JudgedLog;
  readonly settings?: Readonly<Record<string, string>>;
  /** Services to start, all at once. */
  readonly services?: readonly ServiceName[];
}

/** The services under load, and what judges them. */
export interface Shape {
  readonly deployment: Deployment;
  readonly client: HttpClient;
  readonly ownerUrl: string;
  /** For files of the test. It stays, with everything the services printed, when a test fails. */
  readonly folder: string;
  /** Registers six consumers and a builder, and lets clients of theirs call. Once. */
  startLoad(options: Pick<LoadOptions, 'clients'> & Partial<Pick<LoadOptions, 'baseUrl'>>): Promise<CastLoad>;
  /** The same for calls of another kind. */
  startCalls<Calls extends JudgedCalls>(consumers: number, start: (by: Registered) => Promise<Calls>): Promise<Calls>;
  /** Lets the load come to an end, waits until all is counted, then asks O1 and O2. */
  judge(): Promise<CountingReport>;
}

export type CastLoad = Load & { readonly cast: Cast };

/** A load of any kind that can come to an end. */
export type JudgedCalls = Pick<Load, 'contradictions' | 'settle' | 'stop'>;

export interface Registered {
  readonly cast: Cast;
  readonly journal: Journal;
  readonly random: SeededRandom;
}

interface Running extends Omit<Registered, 'random'> {
  readonly calls: JudgedCalls;
}

const settlePatience = { withinMs: 60_000 };

export async function openShape(options: ShapeOptions, undo: Undo): Promise<Shape> {
  await buildStandalone();
  const { name, log = postgresLog, settings = {}, services = [] } = options;
  const random = seededRandom(name);
  const { urlFor, ownerUrl } = options.database ?? (await ownDatabase(undo));
  const deployment = await openDeployment({ urlFor, settings, nowMs: systemClock.monotonicMs });
  const folder = openFolder(name, undo, () => deployment.output());
  undo(() => deployment.destroy());
  const client = createHttpClient({ baseUrl: deployment.router.baseUrl });
  let running: Running | undefined;
  undo(() => running?.calls.stop());

  const startCalls: Shape['startCalls'] = async (consumers, start) => {
    const cast = await registerCast(client, consumers);
    const journal = openJournal(join(folder, 'journal.ndjson'));
    const calls = await start({ cast, journal, random: random.fork() });
    running = { calls, cast, journal };
    return calls;
  };

  const startOnlyLoad: Shape['startLoad'] = ({ clients, baseUrl = async () => deployment.router.baseUrl }) =>
    startCalls(6, async ({ cast, ...by }) => {
      const { consumers: accounts, toolIds } = cast;
      return { ...startLoad({ ...by, baseUrl, accounts, toolIds, clients }), cast };
    });

  async function judge(): Promise<CountingReport> {
    if (running === undefined) throw new Error('there was no load');
    const { calls, cast, journal } = running;
    await calls.settle(settlePatience);
    await journal.close();
    const report = await withOracleDatabase(ownerUrl, (database) =>
      judgeRun({ database, log, journalPath: journal.path, client, cast }),
    );
    return { ...report, violations: [...calls.contradictions, ...report.violations] };
  }

  await Promise.all(services.map((service) => deployment.add(service)));
  return { deployment, client, ownerUrl, folder, startLoad: startOnlyLoad, startCalls, judge };
}

async function ownDatabase(undo: Undo): Promise<ShapeDatabase> {
  const database = await testDatabase();
  undo(() => database.drop());
  return database;
}
